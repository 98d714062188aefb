"""A model that was loaded: it takes the columns that it knows from whatever table it is given."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import issparse
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils import get_tags
from sklearn.utils.validation import check_array

from widemargin.persistence.columns import check_number, listed, match_names, names_of
from widemargin.persistence.errors import ColumnsError

__all__ = ["SavedModel", "set_feature_names"]


@dataclass(frozen=True, eq=False)
class SavedModel:
    """A classifier that was loaded, with what is needed to give it the right columns.

    Parameters
    ----------
    model : estimator
        The classifier, or a Pipeline that ends in one. If `feature_names` are known, it has them as
        ``feature_names_in_``, so that scikit-learn refuses a DataFrame with columns in another order.
    feature_names : tuple of str, or None
        Names of the columns that it was trained on, if they had any.
    n_features : int
        Number of these columns.
    classes : ndarray of shape (n_classes,)
        The labels that it predicts.

    Examples
    --------
    The columns of a DataFrame may come in any order:

    >>> import tempfile
    >>> from pathlib import Path
    >>> import pandas as pd
    >>> from sklearn.svm import SVC
    >>> from widemargin.persistence import load_model, save_model
    >>> table = pd.DataFrame({"length": [1.0, 2.0, 3.0, 4.0], "width": [0.0, 9.0, 0.0, 9.0]})
    >>> model = SVC(kernel="linear").fit(table, ["thin", "wide", "thin", "wide"])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "leaves.skops"
    ...     save_model(model, path)
    ...     saved = load_model(path)
    >>> saved.predict(table[["width", "length"]])
    array(['thin', 'wide', 'thin', 'wide'], dtype='<U4')
    >>> try:
    ...     saved.predict(table.rename(columns={"width": "breadth"}))
    ... except ValueError as error:
    ...     print(str(error).partition(",")[0])
    X lacks the column 'width' of the 2 columns that the model was trained on
    """

    model: Any
    feature_names: tuple[str, ...] | None
    n_features: int
    classes: npt.NDArray[Any]

    def predict(self, X: Any, saliency: Any = None) -> npt.NDArray[Any]:
        """Return the label of each sample.

        Parameters
        ----------
        X : DataFrame, array-like or sparse matrix of shape (n_samples, n_features)
            Samples. The columns of a DataFrame are matched by name, if the model has names; otherwise they must be
            those that it was trained on, in the same order. Videos of shape (n_videos, n_shots, n_features) for a model
            of shots.
        saliency : array-like of shape (n_videos, n_shots) or (n_videos, n_classes, n_shots), default=None
            Saliency of the shots, for a model of shots that was trained with one.

        Returns
        -------
        ndarray of shape (n_samples,)
            The labels, each one of `classes`.

        Raises
        ------
        ColumnsError
            If columns are missing, or there are others.
        ValueError
            If X is no table of finite numbers, or of finite and missing ones for a model that takes these.
        """
        return self._applied(self.model.predict, X, saliency)

    def decision_function(self, X: Any, saliency: Any = None) -> npt.NDArray[np.float64]:
        """Return the values of the decision functions.

        Parameters
        ----------
        X : DataFrame, array-like or sparse matrix of shape (n_samples, n_features)
            Samples, as for `predict`.
        saliency : array-like of shape (n_videos, n_shots) or (n_videos, n_classes, n_shots), default=None
            Saliency of the shots, as for `predict`.

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            For two classes positive where the second is predicted, otherwise one column a class.

        Raises
        ------
        ColumnsError
            If columns are missing, or there are others.
        ValueError
            If X is no table of finite numbers, or of finite and missing ones for a model that takes these.
        """
        return self._applied(self.model.decision_function, X, saliency)

    def _applied(self, method: Callable[..., Any], X: Any, saliency: Any) -> Any:
        # Videos in three dimensions have no columns to match.
        values = X if np.ndim(X) == 3 else self._known_columns(X)
        metadata = {} if saliency is None else {"saliency": saliency}
        with warnings.catch_warnings():
            # The columns have just been matched, by name where there are names.
            warnings.filterwarnings("ignore", message="X does not have valid feature names")
            return method(values, **metadata)

    def _known_columns(self, X: Any) -> Any:
        names = names_of(X)
        match = None
        if names is not None and self.feature_names is not None:
            match = match_names(names, self.feature_names, "X")
            if match.others:
                raise ColumnsError(
                    f"X has {listed(match.others)}, on which the model was not trained: remove what the model does "
                    "not know."
                )
        # Trees take NaN for a missing value.
        finite = "allow-nan" if get_tags(self.model).input_tags.allow_nan else True
        values = check_array(
            X, accept_sparse="csr", dtype=np.float64, ensure_all_finite=finite, input_name="X"
        )
        check_number(values.shape[1], self.n_features, "X")
        if match is None:
            return values
        values = values[:, list(match.places)]
        # In the memory layout of an array of the user, for which products round in the same way.
        return values if issparse(values) else np.ascontiguousarray(values)


def set_feature_names(model: Any, names: tuple[str, ...]) -> None:
    """Tell a fitted estimator the names of its columns, as if it had been fitted on a DataFrame.

    Parameters
    ----------
    model : estimator
        The classifier, or a Pipeline that ends in one. Parts that get the same columns are told as well.
    names : tuple of str
        The names, one for each feature.
    """
    if isinstance(model, Pipeline):
        for _, step in model.steps:
            if not isinstance(step, str):
                set_feature_names(step, names)
            if not _hands_on(step):
                break
        return
    model.feature_names_in_ = np.array(names, dtype=object)
    if isinstance(model, OneVsRestClassifier):
        parts = model.estimators_
    else:
        parts = [model.best_estimator_] if hasattr(model, "best_estimator_") else []
    for part in parts:
        set_feature_names(part, names)


def _hands_on(step: Any) -> bool:
    """Whether a step gives the next one the table itself; others make arrays of it, without names."""
    if isinstance(step, Pipeline):
        return all(_hands_on(inner) for _, inner in step.steps)
    return step == "passthrough" or isinstance(step, FunctionTransformer)
