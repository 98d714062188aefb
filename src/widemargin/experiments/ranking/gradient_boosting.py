"""The gradient boosters of others that stand beside the paper's methods: LightGBM and scikit-learn's."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from sklearn.ensemble import HistGradientBoostingClassifier

from widemargin.experiments.ranking.contenders import Contender, options

__all__ = [
    "FREE",
    "HISTOGRAM",
    "LIGHTGBM",
    "SAMPLED",
    "TAMED",
    "Restraint",
    "describe_lightgbm",
    "gradient_boosters",
    "stump_boosters",
]

LIGHTGBM = "lightgbm"
HISTOGRAM = "hist_gradient_boosting"

_LIGHTGBM_NAME = "LightGBM"
_HISTOGRAM_NAME = "HistGradientBoosting"


@dataclass(frozen=True)
class Restraint:
    """What keeps the trees of a gradient booster from following the training samples too closely.

    Parameters
    ----------
    feature_fraction : float
        Share of the features that a tree, with scikit-learn each of its splits, may use.
    ridge : float
        L2 penalty of the leaves.
    least : int
        Fewest samples in a leaf.
    sample_fraction : float, default=1.0
        Share of the samples that a tree is grown on, with LightGBM; scikit-learn's uses all.
    """

    feature_fraction: float
    ridge: float
    least: int
    sample_fraction: float = 1.0


FREE = Restraint(1.0, 0.0, 5)
TAMED = Restraint(0.2, 1.0, 20)
SAMPLED = Restraint(0.4, 0.0, 5, sample_fraction=0.7)


def gradient_boosters(
    n_trees: int,
    *,
    rates: Sequence[float] = (0.1, 0.2, 0.3),
    restraints: Sequence[Restraint] = (FREE, TAMED),
) -> tuple[Contender, Contender]:
    """Return LightGBM and scikit-learn's histogram gradient boosting, with the same settings for both.

    The values are those that came first in pilot runs on other draws of digits, USPS and faces, among 8 to 63 leaves,
    rates from 0.1 to 0.3, shares of features from 0.1 to 1, ridges from 0 to 10, and leaves of 1 to 20 samples.

    Parameters
    ----------
    n_trees : int
        Number of trees.
    rates : sequence of float, default=(0.1, 0.2, 0.3)
        Learning rates.
    restraints : sequence of Restraint, default=(FREE, TAMED)
        Further settings. Every rate is tried with each of them, with 8 and with 31 leaves.

    Returns
    -------
    tuple of Contender
        LightGBM, without estimator where it is not installed, and scikit-learn's.
    """
    lightgbm, histogram = [], []
    for choice in options(leaves=(8, 31), rate=rates, restraint=restraints):
        restraint: Restraint = choice["restraint"]
        settings = {
            "num_leaves": choice["leaves"],
            "learning_rate": choice["rate"],
            "feature_fraction": restraint.feature_fraction,
            "reg_lambda": restraint.ridge,
            "min_child_samples": restraint.least,
        }
        if restraint.sample_fraction < 1:
            settings |= {"subsample": restraint.sample_fraction, "subsample_freq": 1}
        lightgbm.append(settings)
        histogram.append(
            {
                "max_leaf_nodes": choice["leaves"],
                "learning_rate": choice["rate"],
                "max_features": restraint.feature_fraction,
                "l2_regularization": restraint.ridge,
                "min_samples_leaf": restraint.least,
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
