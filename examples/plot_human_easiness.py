"""
From people's rankings to a classifier
======================================

People can say which images are easy and which are hard, without naming a single feature. This example turns such
rankings into margins for a classifier, and asks whether people and classifiers find the same samples easy. The people
here are simulated, so that the truth is known.
"""

# %%
# Data
# ----
# A sample is easy for people if its clean version is far from the true plane. The classifier sees noisy features. In
# each class, every person is shown ten random samples and orders them from easy to hard, with mistakes. No two people
# need to see the same samples.

import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import cross_val_predict
from sklearn.svm import SVC

from widemargin.datasets import make_privileged_classification
from widemargin.metrics import kendall_tau, paired_wilcoxon
from widemargin.privileged import (
    MarginTransferSVC,
    aggregate_easiness,
    easiness_agreement,
    easiness_to_margins,
)

N_TRAIN, N_TEST, N_PEOPLE, N_DRAWS = 80, 2000, 20, 15


def draw(seed):
    X, y, distance = make_privileged_classification(N_TRAIN + N_TEST, 10, random_state=seed)
    train, test = slice(N_TRAIN), slice(N_TRAIN, None)
    return X[train], y[train], np.abs(distance[train, 0]), X[test], y[test]


def ask_people(y, easiness, seed):
    rng = np.random.default_rng(seed)
    rankings = []
    for label in (0, 1):
        for _ in range(N_PEOPLE):
            shown = rng.choice(np.flatnonzero(y == label), 10, replace=False)
            impression = easiness[shown] + 0.3 * rng.normal(size=10)
            rankings.append(shown[np.argsort(-impression)].tolist())
    return rankings


# %%
# Fit
# ---
# `aggregate_easiness` merges the rankings into one score a sample, `easiness_to_margins` maps scores to margins from 0
# to 2, and `MarginTransferSVC` takes them as ``margins``. There are no privileged features.

X, y, easiness, X_test, y_test = draw(0)
scores = aggregate_easiness(ask_people(y, easiness, seed=0), items=range(N_TRAIN)).scores
margins = easiness_to_margins(scores)
model = MarginTransferSVC(C=0.1).fit(X, y, margins=margins)
print(f"Kendall's tau of scores and true easiness: {kendall_tau(scores, easiness):.2f}")

# %%
# Do the classifier and the people agree? Over all samples tau is large even for random scores, because both sources get
# most labels right. Only within a class does it speak of easiness. The decision values are those of samples that the
# classifier was not trained on.

decision = cross_val_predict(SVC(kernel="linear", C=0.1), X, y, cv=5, method="decision_function")
shuffled = np.random.default_rng(0).permutation(margins)
for name, human_scores in (("people", margins), ("shuffled", shuffled)):
    agreement = easiness_agreement(y, decision=decision, human_scores=human_scores)
    (overall,), (within,) = agreement.overall.values(), agreement.within_class.values()
    print(f"{name:>8}: tau over all samples {overall:.2f}, within the classes {within:.2f}")

# %%
# Does it make a better classifier? Fifteen draws, paired:

accuracy = np.empty((2, N_DRAWS))
for seed in range(N_DRAWS):
    X_, y_, easiness_, X_test_, y_test_ = draw(seed)
    scores_ = aggregate_easiness(ask_people(y_, easiness_, seed), items=range(N_TRAIN)).scores
    transfer = MarginTransferSVC(C=0.1).fit(X_, y_, margins=easiness_to_margins(scores_))
    svm = SVC(kernel="linear", C=0.1).fit(X_, y_)
    accuracy[:, seed] = svm.score(X_test_, y_test_), transfer.score(X_test_, y_test_)
test = paired_wilcoxon(accuracy[1], accuracy[0])
gain = (
    f"gain {100 * test.mean_difference:.1f} ± {100 * test.standard_error:.1f} points, p = {test.p_value:.1g}"
)
print(gain)

# %%
# Figure
# ------
# Left: what people said against the truth. Right: one line a draw.

fig, (scatter, lines) = plt.subplots(1, 2, figsize=(9, 4), layout="constrained")
for label, color in ((0, "#D55E00"), (1, "#56B4E9")):
    scatter.scatter(easiness[y == label], margins[y == label], color=color, s=20, label=f"class {label}")
scatter.set(xlabel="distance of the clean sample from the true plane", ylabel="margin from people's rankings")
scatter.legend()
for before, after in 100 * accuracy.T:
    lines.plot([0, 1], [before, after], "o-", color="#56B4E9" if after > before else "#D55E00", markersize=4)
lines.set_xticks([0, 1], ["SVM", "SVM with people's margins"])
lines.set(xlim=(-0.3, 1.3), ylabel="test accuracy, %", title=gain)
plt.show()

# %%
# Lesson
# ------
# Rankings of a few samples by each of twenty people recover the order of easiness, and margins made of them gave a
# small gain. It exists because the simulated people see what the noise hides from the classifier. The tau within the
# classes is the number to look at before hoping for the same from real people: where it is about zero, people and
# classifier find different samples easy.
