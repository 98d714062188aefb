"""Classifiers of tables in files."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from widemargin.persistence.archives import read_archive, write_archive
from widemargin.persistence.saved_model import SavedModel, set_feature_names

__all__ = ["load_model", "save_model"]


def save_model(model: Any, path: str | Path, *, feature_names: Sequence[str] | None = None) -> None:
    """Save a fitted classifier in a file that can be loaded without executing anything in it.

    The file is an archive of skops, to which a manifest is added. It is replaced as a whole or not at all.

    Parameters
    ----------
    model : estimator
        A fitted classifier of :mod:`widemargin.privileged` or :mod:`widemargin.ranking`, or SVC, LinearSVC or
        OneVsRestClassifier of scikit-learn, alone or at the end of a Pipeline of scalers, Normalizer,
        FunctionTransformer without a function, or PCA.
    path : str or Path
        The file, by custom with the suffix ``.skops``.
    feature_names : sequence of str, default=None
        Names of the columns, all different; None takes ``model.feature_names_in_``, if it exists.

    Raises
    ------
    NotFittedError
        If the model is not fitted.
    ValueError
        If `feature_names` are not different names, one for each feature.
    ModelFileError
        If skops is missing, the model holds objects that :func:`load_model` would refuse, such as a function as
        kernel, or the file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from widemargin.persistence import load_model, save_model
    >>> from widemargin.privileged import MarginTransferSVC
    >>> X, X_privileged = [[0.0], [1.0], [2.0], [3.0]], [[0.0], [0.0], [1.0], [1.0]]
    >>> model = MarginTransferSVC().fit(X, ["low", "low", "high", "high"], X_privileged)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "level.skops"
    ...     save_model(model, path, feature_names=["level"])
    ...     saved = load_model(path)
    >>> saved.feature_names
    ('level',)
    >>> saved.predict([[2.5]])
    array(['high'], dtype='<U4')
    """
    check_is_fitted(model)
    names = _checked_names(model, feature_names)
    write_archive(Path(path), model, "classifier", {"feature_names": names}, _SAVE_REMEDY)


_SAVE_REMEDY = (
    "use named kernels and scores instead of functions, an int as random_state, trees or estimator='linear' as weak "
    "learners, scalers, Normalizer or PCA as the other steps of a Pipeline, or save the best_estimator_ of a search"
)


def load_model(path: str | Path) -> SavedModel:
    """Load a classifier that :func:`save_model` saved, trusting nothing but the types of our own models.

    Nothing is unpickled. Types and sizes are checked before an object is made: a file that asks for any other type,
    or unpacks to more than 2 GiB, is refused.

    Parameters
    ----------
    path : str or Path
        The file.

    Returns
    -------
    SavedModel
        The classifier, and the columns and labels that it knows.

    Raises
    ------
    ModelFileError
        If skops is missing, or the file is missing, damaged, no model of widemargin, of a later version, too large,
        or asks for types that are not trusted. One sentence says which.

    Warns
    -----
    InconsistentVersionWarning
        If the model was saved with another version of scikit-learn.

    Examples
    --------
    See :func:`save_model`.
    """
    return read_archive(Path(path), "classifier", _working_model)


def _checked_names(model: Any, feature_names: Sequence[str] | None) -> list[str] | None:
    if feature_names is None:
        if not hasattr(model, "feature_names_in_"):
            return None
        feature_names = model.feature_names_in_
    names = [str(name) for name in feature_names]
    if len(names) != model.n_features_in_ or len(set(names)) < len(names):
        raise ValueError(
            f"feature_names must be different names, one for each of {model.n_features_in_} features, got "
            f"{len(names)}, of which {len(set(names))} differ: pass the names of the columns of X."
        )
    return names


def _read_names(manifest: dict[str, Any]) -> tuple[str, ...] | None:
    names = manifest["feature_names"]
    if names is None:
        return None
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ValueError("its names of columns are no list of text")
    return tuple(names)


def _working_model(model: Any, manifest: dict[str, Any]) -> SavedModel:
    """Try the model on a row of zeros, so that one with parts missing fails here and not in its user's hands."""
    names = _read_names(manifest)
    n_features = int(model.n_features_in_)
    if names is not None and (len(names) != n_features or len(set(names)) < n_features):
        raise ValueError(f"it has {len(names)} names for {n_features} columns")
    if names is not None:
        set_feature_names(model, names)
    saved = SavedModel(model, names, n_features, np.asarray(model.classes_))
    with warnings.catch_warnings():
        # A model of shots that were sorted asks for their saliency, which is not needed for this.
        warnings.filterwarnings("ignore", message="fit had a saliency")
        predicted = saved.predict(np.zeros((1, n_features)))
    if predicted.shape != (1,) or not np.isin(predicted, saved.classes).all():
        raise ValueError("it predicts labels that it does not know")
    return saved
