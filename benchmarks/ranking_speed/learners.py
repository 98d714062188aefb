"""Learners with the settings that are compared; all of them without early stopping."""

from __future__ import annotations

from typing import Any

from lightgbm import LGBMClassifier
from sklearn.ensemble import AdaBoostClassifier, HistGradientBoostingClassifier
from sklearn.tree import DecisionTreeClassifier

from ranking_speed.problems import FPR_RANGE
from widemargin.ranking import AdaBoostTreesClassifier, PartialAUCBoostingClassifier

N_TREES = 100
FEATURE_FRACTION = 0.4


def ensemble(nu: float = 1.0, n_estimators: int = N_TREES) -> PartialAUCBoostingClassifier:
    """Make the paper's ensemble of trees of depth 2."""
    return PartialAUCBoostingClassifier(FPR_RANGE, nu, n_estimators=n_estimators)


def confident_ensemble() -> PartialAUCBoostingClassifier:
    """Make an ensemble of deeper trees with real outputs, the setting for accuracy."""
    return PartialAUCBoostingClassifier(
        FPR_RANGE,
        0.3,
        n_estimators=N_TREES,
        max_depth=6,
        leaves="confidence",
        feature_fraction=FEATURE_FRACTION,
        random_state=0,
    )


def ada_boost(n_estimators: int = N_TREES) -> AdaBoostTreesClassifier:
    """Make AdaBoost on the same trees."""
    return AdaBoostTreesClassifier(n_estimators=n_estimators)


def shallow_lightgbm(n_estimators: int = N_TREES) -> LGBMClassifier:
    """Make LightGBM with trees of depth 2."""
    return _lightgbm(n_estimators=n_estimators, max_depth=2, num_leaves=4)


def deep_lightgbm(num_leaves: int) -> LGBMClassifier:
    """Make LightGBM with trees of so many leaves, on as many features a tree as `confident_ensemble`."""
    return _lightgbm(num_leaves=num_leaves, colsample_bytree=FEATURE_FRACTION, random_state=0)


def histogram_boosting() -> HistGradientBoostingClassifier:
    """Make scikit-learn's gradient boosting on histograms with trees of depth 2."""
    return HistGradientBoostingClassifier(
        max_iter=N_TREES, max_depth=2, min_samples_leaf=1, early_stopping=False
    )


def sklearn_ada_boost(n_estimators: int) -> AdaBoostClassifier:
    """Make scikit-learn's AdaBoost with trees of depth 2, which sorts every feature again for every tree."""
    return AdaBoostClassifier(DecisionTreeClassifier(max_depth=2), n_estimators=n_estimators)


def _lightgbm(**setting: Any) -> LGBMClassifier:
    # force_col_wise and force_row_wise were no faster than its own choice at 20,000 x 500.
    return LGBMClassifier(**({"n_estimators": N_TREES} | setting), min_child_samples=1, n_jobs=1, verbose=-1)
