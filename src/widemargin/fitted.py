"""What an estimator knows of an earlier fit."""

from __future__ import annotations

from sklearn.base import BaseEstimator

__all__ = ["forget_fitted"]


def forget_fitted(estimator: BaseEstimator) -> None:
    """Drop the attributes of an earlier fit: a later one may not set all of them, or fail half way."""
    for name in [name for name in vars(estimator) if name.endswith("_") and not name.endswith("__")]:
        delattr(estimator, name)
