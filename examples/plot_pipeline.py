"""
Privileged information in a Pipeline and a grid search
======================================================

Privileged features are one more argument of ``fit``. This example passes them through a pipeline and a grid search
with scikit-learn's metadata routing: every fold gets the rows that belong to its training samples.
"""

# %%
# Data
# ----
# Handwritten digits. The classifier will work on images of 4 × 4 pixels; in training there are the full images of 8 × 8
# pixels too. The task is 1 against 8, with 40 images of each for training.

import matplotlib.pyplot as plt
import numpy as np
from sklearn import config_context
from sklearn.model_selection import GridSearchCV, StratifiedKFold, train_test_split
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

from widemargin.datasets import load_privileged_digits
from widemargin.privileged import SVMPlus

digits = load_privileged_digits()
chosen = np.isin(digits.y, (1, 8))
X, X_test, X_privileged, _, y, y_test = train_test_split(
    digits.X[chosen],
    digits.X_privileged[chosen],
    digits.y[chosen],
    train_size=80,
    stratify=digits.y[chosen],
    random_state=0,
)

# %%
# Fit
# ---
# The steps of a pipeline see `X` only. What should happen to the privileged features goes into the parameter
# ``privileged_transformer``, which is fitted to the training rows of each fold like the other steps.

folds = StratifiedKFold(5, shuffle=True, random_state=0)
C, alpha = np.logspace(-3, 1, 5), np.logspace(-1, 3, 5)
pipeline = make_pipeline(StandardScaler(), SVMPlus(privileged_transformer=StandardScaler()))
grid = {"svmplus__C": C, "svmplus__privileged_alpha": alpha}
with config_context(enable_metadata_routing=True):
    search = GridSearchCV(pipeline, grid, cv=folds).fit(X, y, X_privileged=X_privileged)

# %%
# Without metadata routing the same is said with the name of the step:
# ``GridSearchCV(pipeline, grid, cv=folds).fit(X, y, svmplus__X_privileged=X_privileged)``.
#
# The baseline belongs beside it: a plain SVM, tuned on the same folds.

plain = make_pipeline(StandardScaler(), SVC(kernel="linear"))
baseline = GridSearchCV(plain, {"svc__C": C}, cv=folds).fit(X, y)
for name, model in (("SVM+", search), ("SVM", baseline)):
    print(f"{name:>4}: cross-validated {model.best_score_:.3f}, test {model.score(X_test, y_test):.3f}")
print("chosen:", {name: float(value) for name, value in search.best_params_.items()})

# %%
# Every fit carries a certificate: how far, at most, its objective is from the optimum.

fitted = search.best_estimator_[-1]
print(f"objective {fitted.objective_:.6g}, duality gap at most {fitted.dual_gap_:.1g}")

# %%
# Figure
# ------
# Cross-validated accuracy over the grid, with the SVM's in the last row.

scores = np.asarray(search.cv_results_["mean_test_score"]).reshape(C.size, alpha.size).T
table = 100 * np.vstack([scores, baseline.cv_results_["mean_test_score"]])
fig, ax = plt.subplots(figsize=(6, 4.5), layout="constrained")
image = ax.imshow(table, cmap="viridis")
for (row, column), value in np.ndenumerate(table):
    ink = "white" if image.norm(value) < 0.6 else "black"
    ax.text(column, row, f"{value:.0f}", ha="center", va="center", color=ink)
ax.set_xticks(range(C.size), [f"{value:g}" for value in C])
ax.set_yticks(range(alpha.size + 1), [*(f"{value:g}" for value in alpha), "SVM"])
ax.axhline(alpha.size - 0.5, color="white", linewidth=3)
ax.set(xlabel="C", ylabel="privileged_alpha", title="cross-validated accuracy, %")
plt.show()

# %%
# Lesson
# ------
# Nothing about privileged information stands in the way of scikit-learn's tools, and the fitted pipeline predicts from
# `X` alone. A large ``privileged_alpha`` makes the slacks constant, and then `C` has no influence any more. On this
# split SVM+ came out ahead; one split of 80 images is an illustration, no evidence. ``widemargin reproduce`` repeats
# the comparison on all pairs of digits.
