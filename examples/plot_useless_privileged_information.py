"""
When privileged information does not help
=========================================

More information in training is not always better information. This example gives the same samples four kinds of
privileged features, two that can teach something and two that cannot, and shows how to notice: by a baseline, and by
SVM+'s warning that its optimum has collapsed.
"""

# %%
# Data
# ----
# The classifier sees 20 noisy features. The privileged features are the distance of the clean sample to the true
# plane; those of the noisy features that matter; Gaussian noise; and the labels themselves. `X` and `y` are the same
# for all kinds.

import warnings

import matplotlib.pyplot as plt
import numpy as np
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.svm import SVC

from widemargin.datasets import make_privileged_classification
from widemargin.metrics import paired_wilcoxon
from widemargin.privileged import MarginTransferSVC, SVMPlus

KINDS = ("distance", "relevant", "random", "labels")
N_TRAIN, N_TEST, N_DRAWS = 60, 2000, 8


def draw(kind, seed):
    source = "distance" if kind == "labels" else kind
    X, y, X_privileged = make_privileged_classification(
        N_TRAIN + N_TEST, 20, privileged=source, random_state=seed
    )
    if kind == "labels":
        X_privileged = np.where(y == 1, 1.0, -1.0)[:, None]
    train, test = slice(N_TRAIN), slice(N_TRAIN, None)
    return X[train], y[train], X_privileged[train], X[test], y[test]


# %%
# Fit
# ---
# Margin Transfer against a plain SVM, the parameters of both chosen by cross-validation on the training samples.

C = [0.01, 0.1, 1.0]
folds = StratifiedKFold(5, shuffle=True, random_state=0)
svm_accuracy = np.empty(N_DRAWS)
transfer_accuracy = {kind: np.empty(N_DRAWS) for kind in KINDS}
for seed in range(N_DRAWS):
    for kind in KINDS:
        X, y, X_privileged, X_test, y_test = draw(kind, seed)
        transfer = GridSearchCV(MarginTransferSVC(), {"C": C}, cv=folds)
        transfer.fit(X, y, X_privileged=X_privileged)
        transfer_accuracy[kind][seed] = transfer.score(X_test, y_test)
    svm = GridSearchCV(SVC(kernel="linear"), {"C": C}, cv=folds).fit(X, y)
    svm_accuracy[seed] = svm.score(X_test, y_test)

gain = {kind: paired_wilcoxon(transfer_accuracy[kind], svm_accuracy) for kind in KINDS}
for kind, test in gain.items():
    print(f"{kind:>8}: gain {100 * test.mean_difference:+.1f} ± {100 * test.standard_error:.1f} points")

# %%
# Labels as privileged features give every sample the same margin, so Margin Transfer is the plain SVM up to a scale:
# they say which class, not which sample is easy.
#
# SVM+ can do worse than not to gain. If no slack function of the privileged features pays for a classifier, the exact
# optimum is :math:`w = 0`, and what a solver prints then is rounding. The package notices it with its certificate:

X, y, X_privileged, X_test, y_test = draw("distance", seed=0)
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    collapsed = SVMPlus().fit(X, y, X_privileged=X_privileged)
for warning in caught:
    print(warning.message)
print("collapsed:", collapsed.collapsed_, "| accuracy", collapsed.score(X_test, y_test))

# %%
# Figure
# ------
# Mean gain over the draws, with its standard error.

fig, ax = plt.subplots(figsize=(7, 3.5), layout="constrained")
mean = 100 * np.array([gain[kind].mean_difference for kind in KINDS])
error = 100 * np.array([gain[kind].standard_error for kind in KINDS])
ax.bar(KINDS, mean, yerr=error, color=["#56B4E9" if value > 0 else "#D55E00" for value in mean], capsize=4)
ax.axhline(0, color="black", linewidth=0.8)
ax.set(ylabel="Margin Transfer minus SVM,\npercentage points", xlabel="privileged features")
plt.show()

# %%
# Lesson
# ------
# Only the features that point at what matters in `X` helped beyond doubt. The gain by the distance and the loss by
# noise are within twice their standard errors, which so few draws cannot tell from nothing; the labels change nothing
# at all. Keep the plain SVM beside every method that uses privileged information, compare over several splits, and
# look at ``collapsed_`` before believing an SVM+.
