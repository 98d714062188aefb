"""A model in a file: what skops writes of the estimator, and a small manifest beside it."""

from __future__ import annotations

import io
import json
import warnings
import zipfile
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from widemargin import __version__
from widemargin.atomic import atomic_write
from widemargin.datasets.files import DatasetError, check_file
from widemargin.persistence.errors import ModelFileError
from widemargin.persistence.saved_model import SavedModel, set_feature_names
from widemargin.persistence.trust import (
    LARGEST_MODEL,
    TRUSTED,
    check_archive,
    check_contents,
    read_json,
    untrusted_types,
)

__all__ = ["load_model", "save_model"]

_MANIFEST = "widemargin.json"
_FORMAT = 1
_NOT_OURS = (
    "is not a model that widemargin saved: give a file of save_model, or of widemargin compare --model"
)


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
    skops_io = _skops_io()
    check_is_fitted(model)
    names = _checked_names(model, feature_names)
    buffer = io.BytesIO()
    try:
        skops_io.dump(model, buffer, compression=zipfile.ZIP_DEFLATED)
    # Whatever skops cannot write it reports in ways of its own.
    except Exception as error:
        raise ModelFileError(f"The model cannot be saved ({_reason(error)}): {_SAVE_REMEDY}.") from error
    with zipfile.ZipFile(buffer, "a") as archive:
        try:
            unknown = untrusted_types(check_archive(archive))
        except ValueError as error:
            raise ModelFileError(f"The model cannot be saved, because {error}: use a smaller one.") from error
        if unknown:
            raise ModelFileError(
                f"The model cannot be saved, because it holds {_listed(unknown)}: {_SAVE_REMEDY}."
            )
        manifest = {"format": _FORMAT, "widemargin": __version__, "feature_names": names}
        archive.writestr(_MANIFEST, json.dumps(manifest))
    try:
        atomic_write(Path(path), buffer.getvalue())
    except OSError as error:
        raise ModelFileError(
            f"{path} cannot be written ({error.strerror}): give a file in a folder that exists and is yours."
        ) from error


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
    path = Path(path)
    skops_io = _skops_io()
    data = _file_content(path)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = _read_manifest(path, archive)
            unknown = untrusted_types(check_archive(archive))
        if unknown:
            raise ModelFileError(
                f"{path} asks for {_listed(unknown)}, of which no model of widemargin consists, so it is not loaded: "
                "use a file from a source that you trust."
            )
        model = skops_io.loads(data, trusted=list(TRUSTED))
        check_contents(model)
        return _working_model(model, names)
    except ModelFileError:
        raise
    # A damaged file can break unpacking and rebuilding anywhere, and the model itself when it is tried.
    except Exception as error:
        if not zipfile.is_zipfile(io.BytesIO(data)):
            raise ModelFileError(f"{path} {_NOT_OURS}; or it is damaged, then copy it anew.") from error
        raise ModelFileError(
            f"{path} is damaged, or was changed ({_reason(error)}): copy it anew, or save the model again."
        ) from error


def _skops_io() -> ModuleType:
    try:
        import skops.io
    except ImportError as error:
        raise ModelFileError(
            "Files of models need skops, which is not installed: install it with pip install skops."
        ) from error
    return skops.io


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


def _file_content(path: Path) -> bytes:
    try:
        check_file(path)
        if path.stat().st_size > LARGEST_MODEL:
            raise ModelFileError(
                f"{path} has {path.stat().st_size} bytes, more than the {LARGEST_MODEL} a model may have."
            )
        return path.read_bytes()
    except DatasetError as error:
        raise ModelFileError(str(error)) from error
    except OSError as error:
        raise ModelFileError(f"{path} cannot be read ({error.strerror}): check its permissions.") from error


def _read_manifest(path: Path, archive: zipfile.ZipFile) -> tuple[str, ...] | None:
    """Return the names of the columns, of a file that is ours and of a format that is known."""
    if _MANIFEST not in archive.namelist():
        raise ModelFileError(f"{path} {_NOT_OURS}.")
    manifest = read_json(archive, _MANIFEST)
    number = manifest["format"]
    if isinstance(number, int) and number > _FORMAT:
        raise ModelFileError(
            f"{path} was saved by widemargin {manifest.get('widemargin')} in the format {number}, but this is "
            f"widemargin {__version__}, which knows formats up to {_FORMAT}: install the newer version."
        )
    if number != _FORMAT:
        raise ValueError(f"its format is {number!r}")
    names = manifest["feature_names"]
    if names is None:
        return None
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise ValueError("its names of columns are no list of text")
    return tuple(names)


def _working_model(model: Any, names: tuple[str, ...] | None) -> SavedModel:
    """Try the model on a row of zeros, so that one with parts missing fails here and not in its user's hands."""
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


def _listed(names: list[str]) -> str:
    return ", ".join(names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")


def _reason(error: Exception) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text[:160]}" if text else type(error).__name__
