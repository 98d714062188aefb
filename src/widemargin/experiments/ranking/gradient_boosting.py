"""The gradient boosters of others that stand beside the paper's methods: LightGBM and scikit-learn's."""

from __future__ import annotations

import importlib
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from sklearn.ensemble import HistGradientBoostingClassifier

from widemargin.experiments.ranking.contenders import Contender, options

__all__ = ["HISTOGRAM", "LIGHTGBM", "describe_lightgbm", "gradient_boosters", "stump_boosters"]

LIGHTGBM = "lightgbm"
HISTOGRAM = "hist_gradient_boosting"

_LIGHTGBM_NAME = "LightGBM"
_HISTOGRAM_NAME = "HistGradientBoosting"


def gradient_boosters(n_trees: int) -> tuple[Contender, Contender]:
    """Return LightGBM and scikit-learn's histogram gradient boosting, with the same twelve settings for both.

    The settings are those that came first in pilot runs on other draws of digits, USPS and faces, among 8 to 63 leaves,
    rates from 0.1 to 0.3, shares of features from 0.1 to 1, ridges from 0 to 10, and leaves of 1 to 20 samples.

    Parameters
    ----------
    n_trees : int
        Number of trees.

    Returns
    -------
    tuple of Contender
        LightGBM, without estimator where it is not installed, and scikit-learn's.
    """
    free, tamed = (1.0, 0.0, 5), (0.2, 1.0, 20)
    lightgbm, histogram = [], []
    for choice in options(leaves=(8, 31), rate=(0.1, 0.2, 0.3), rest=(free, tamed)):
        fraction, ridge, least = choice["rest"]
        lightgbm.append(
            {
                "num_leaves": choice["leaves"],
                "learning_rate": choice["rate"],
                "feature_fraction": fraction,
                "reg_lambda": ridge,
                "min_child_samples": least,
            }
        )
        histogram.append(
            {
                "max_leaf_nodes": choice["leaves"],
                "learning_rate": choice["rate"],
                "max_features": fraction,
                "l2_regularization": ridge,
                "min_samples_leaf": least,
            }
        )
    return _contenders(n_trees, lightgbm, histogram)


def stump_boosters(n_trees: int) -> tuple[Contender, Contender]:
    """Return the same two with trees of one split, and twelve settings.

    Parameters
    ----------
    n_trees : int
        Number of stumps.

    Returns
    -------
    tuple of Contender
        LightGBM, without estimator where it is not installed, and scikit-learn's.
    """
    lightgbm, histogram = [], []
    for choice in options(rate=(0.1, 0.3, 0.5, 0.7, 1.0, 1.5), ridge=(0.0, 10.0)):
        lightgbm.append({"num_leaves": 2, "learning_rate": choice["rate"], "reg_lambda": choice["ridge"]})
        histogram.append(
            {"max_leaf_nodes": 2, "learning_rate": choice["rate"], "l2_regularization": choice["ridge"]}
        )
    return _contenders(n_trees, lightgbm, histogram)


def describe_lightgbm() -> str:
    """Say for a protocol whether LightGBM takes part.

    Returns
    -------
    str
        Its version, or how to install it.
    """
    try:
        return version("lightgbm")
    except PackageNotFoundError:
        return "not installed, so its column is left out: pip install 'widemargin[all]' installs it"


def _contenders(
    n_trees: int, lightgbm: list[dict[str, Any]], histogram: list[dict[str, Any]]
) -> tuple[Contender, Contender]:
    return (
        Contender(LIGHTGBM, _LIGHTGBM_NAME, _lightgbm(n_trees), lightgbm, "tuned", ranged=False),
        Contender(
            HISTOGRAM,
            _HISTOGRAM_NAME,
            HistGradientBoostingClassifier(max_iter=n_trees, early_stopping=False),
            histogram,
            "scikit-learn, tuned",
            ranged=False,
        ),
    )


def _lightgbm(n_trees: int) -> Any:
    """Return LightGBM's classifier, or None where it is not installed."""
    try:
        package = importlib.import_module("lightgbm")
    except ImportError:
        return None
    return package.LGBMClassifier(n_estimators=n_trees, n_jobs=1, verbose=-1)
