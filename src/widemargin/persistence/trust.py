"""What a file of a model may ask for, checked before anything in it is imported, unpacked or called.

A file of skops is an archive: ``schema.json`` is a tree of nodes, each naming a type and the loader that makes an
object of it, and the arrays lie beside it. Skops trusts every estimator of scikit-learn. Here only the types are
trusted that our own models consist of, and the sizes are checked that skops does not look at.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.decomposition import PCA
from sklearn.model_selection import KFold, StratifiedKFold
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    LabelBinarizer,
    MaxAbsScaler,
    MinMaxScaler,
    Normalizer,
    RobustScaler,
    StandardScaler,
)
from sklearn.svm import SVC, LinearSVC

from widemargin.datasets.files import check_array_header
from widemargin.events import (
    AveragePooling,
    EventDetector,
    EventRecognizer,
    MaxPooling,
    NearlyIsotonicSVC,
    NearlyIsotonicSVCCV,
)
from widemargin.kernels import Kernel
from widemargin.privileged import MarginTransferSVC, MarginTransferSVCCV, RankTransferSVC, SVMPlus, SVMPlusCV
from widemargin.ranking import (
    AdaBoostTreesClassifier,
    AsymBoostClassifier,
    CostSensitiveBoostClassifier,
    KomoriEguchiBoostClassifier,
    PartialAUCBoostingClassifier,
    PartialAUCSVC,
)
from widemargin.ranking._weighted_sum import WeightedSum
from widemargin.trees import TreeEnsemble

__all__ = ["LARGEST_MODEL", "TRUSTED", "check_archive", "check_contents", "read_json", "untrusted_types"]

LARGEST_MODEL = 2**31
"""Most bytes that the unpacked parts of a model may have together."""

_MOST_PARTS = 10_000
# In memory a tree of nodes takes about ten times the space of its text.
_LARGEST_JSON = 2**26

_OBJECTS = (
    SVMPlus,
    SVMPlusCV,
    MarginTransferSVC,
    MarginTransferSVCCV,
    RankTransferSVC,
    PartialAUCSVC,
    PartialAUCBoostingClassifier,
    AdaBoostTreesClassifier,
    AsymBoostClassifier,
    CostSensitiveBoostClassifier,
    KomoriEguchiBoostClassifier,
    NearlyIsotonicSVC,
    NearlyIsotonicSVCCV,
    AveragePooling,
    MaxPooling,
    EventDetector,
    EventRecognizer,
    WeightedSum,
    TreeEnsemble,
    Kernel,
    SVC,
    LinearSVC,
    OneVsRestClassifier,
    LabelBinarizer,
    Pipeline,
    StandardScaler,
    MinMaxScaler,
    MaxAbsScaler,
    RobustScaler,
    Normalizer,
    FunctionTransformer,
    PCA,
    KFold,
    StratifiedKFold,
)

_SCALARS = frozenset(
    f"numpy.{name}"
    for name in ("bool", "bool_", "int32", "int64", "intc", "longlong", "float32", "float64", "str_")
)
_ALLOWED: dict[str, frozenset[str]] = {
    "ObjectNode": frozenset(f"{kind.__module__}.{kind.__name__}" for kind in _OBJECTS),
    "JsonNode": frozenset({"builtins.str"}),
    "DictNode": frozenset({"builtins.dict"}),
    "ListNode": frozenset({"builtins.list"}),
    "TupleNode": frozenset({"builtins.tuple"}),
    "TypeNode": frozenset({"builtins.str", "builtins.int", "builtins.float", "builtins.bool"}) | _SCALARS,
    "NdArrayNode": frozenset({"numpy.ndarray"}) | _SCALARS,
    "MaskedArrayNode": frozenset({"numpy.ma.MaskedArray", "numpy.ma.core.MaskedArray"}),
    "SparseMatrixNode": frozenset({"scipy.sparse._csr.csr_matrix", "scipy.sparse._csr.csr_array"}),
}

# Attributes of classifiers, trees, kernels, scalers and PCA that enter a prediction; others, such as scores, may be
# NaN.
_PREDICTING = frozenset(
    {
        *("coef_", "dual_coef_", "_dual_coef_", "intercept_", "_intercept_", "support_vectors_"),
        *("gamma", "_gamma", "coef0"),
        *("mean_", "scale_", "center_", "min_", "components_", "explained_variance_"),
        *("_weights", "value"),
    }
)

TRUSTED = tuple(sorted(frozenset().union(*_ALLOWED.values())))
"""Names of the types that a file may hold, whatever the loader."""


def untrusted_types(schema: Any) -> list[str]:
    """Return the names of the types that a tree of nodes asks for and that are not trusted.

    Parameters
    ----------
    schema : object
        What ``schema.json`` holds.

    Returns
    -------
    list of str
        The names, sorted, without repetition; with the loader where it is the loader that is not trusted.
    """
    found = set()
    for node in _nodes(schema):
        loader = node["__loader__"]
        name = f"{node.get('__module__')}.{node.get('__class__')}"
        allowed = _ALLOWED.get(loader) if isinstance(loader, str) else None
        if allowed is None:
            found.add(f"{name} (a {loader})")
        elif name not in allowed:
            found.add(name)
    return sorted(found)


def read_json(archive: zipfile.ZipFile, name: str) -> Any:
    """Read a part of an archive that is JSON.

    Parameters
    ----------
    archive : ZipFile
        The archive.
    name : str
        The part.

    Returns
    -------
    object
        What it holds.

    Raises
    ------
    ValueError, KeyError
        If it is missing, larger than 64 MiB, or no JSON.
    """
    if archive.getinfo(name).file_size > _LARGEST_JSON:
        raise ValueError(f"its part {name} is larger than {_LARGEST_JSON} bytes")
    return json.loads(archive.read(name))


def check_archive(archive: zipfile.ZipFile) -> Any:
    """Check the sizes of everything in an archive of skops, also inside of its sparse matrices.

    Parameters
    ----------
    archive : ZipFile
        The archive.

    Returns
    -------
    object
        What ``schema.json`` holds.

    Raises
    ------
    ValueError
        If a part is larger than it may be, than it says, or missing.
    """
    parts = archive.infolist()
    if len(parts) > _MOST_PARTS:
        raise ValueError(f"it has {len(parts)} parts, more than the {_MOST_PARTS} a model may have")
    if sum(part.file_size for part in parts) > LARGEST_MODEL:
        raise ValueError(f"its parts unpack to more than the {LARGEST_MODEL} bytes a model may have")
    schema = read_json(archive, "schema.json")
    # A part that several nodes ask for is unpacked for each of them.
    total = 0
    for node in _nodes(schema):
        name = node.get("file")
        if name is not None:
            total += _unpacked_size(archive, str(name))
            if total > LARGEST_MODEL:
                raise ValueError(f"its arrays unpack to more than the {LARGEST_MODEL} bytes a model may have")
    return schema


def check_contents(model: Any) -> None:
    """Check the arrays that nobody looks at again: their bounds, for compiled code, and that their numbers are finite.

    A model whose coefficients are NaN would give every sample the same label, without a word.

    Parameters
    ----------
    model : estimator
        A loaded model.

    Raises
    ------
    ValueError
        If indices of a sparse matrix, or the arrays of an SVC, do not fit together, or a number with which labels are
        predicted is not finite.
    """
    for item in _parts(model):
        if isinstance(item, _OBJECTS):
            _check_finite(item)
        if issparse(item):
            item.check_format(full_check=True)
        # One that is not fitted is the template of others.
        elif isinstance(item, SVC) and hasattr(item, "_n_support"):
            _check_libsvm(item)


def _nodes(schema: Any) -> Iterator[dict[str, Any]]:
    """Yield every dictionary that skops would take for a node; a loop, since a tree can be deeper than the stack."""
    waiting = [schema]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            if "__loader__" in item:
                yield item
            waiting.extend(item.values())
        elif isinstance(item, list):
            waiting.extend(item)


def _unpacked_size(archive: zipfile.ZipFile, name: str) -> int:
    """Return the bytes of an array or a sparse matrix in memory, once its headers have been checked."""
    size = archive.getinfo(name).file_size
    if size > LARGEST_MODEL:
        return size
    if name.endswith(".npy"):
        with archive.open(name) as file:
            check_array_header(file, size)
        return size
    with zipfile.ZipFile(io.BytesIO(archive.read(name))) as inner:
        sizes = [part.file_size for part in inner.infolist()]
        if sum(sizes) <= LARGEST_MODEL:
            for part in inner.infolist():
                with inner.open(part) as file:
                    check_array_header(file, part.file_size)
    return sum(sizes)


def _parts(model: Any) -> Iterator[Any]:
    """Yield an object and everything that it holds, each once."""
    waiting, seen = [model], set()
    while waiting:
        item = waiting.pop()
        if id(item) in seen:
            continue
        seen.add(id(item))
        yield item
        if isinstance(item, dict):
            waiting.extend(item.values())
        elif isinstance(item, list | tuple):
            waiting.extend(item)
        elif isinstance(item, _OBJECTS):
            waiting.extend(vars(item).values())


def _check_finite(item: Any) -> None:
    for name in sorted(_PREDICTING & vars(item).keys()):
        value = vars(item)[name]
        numbers = np.asarray(value.data if issparse(value) else value)
        if numbers.dtype.kind == "f" and not np.isfinite(numbers).all():
            raise ValueError(f"{name} of its {type(item).__name__} has numbers that are not finite")


def _check_libsvm(model: SVC) -> None:
    n_support = np.asarray(model._n_support)
    n_classes, n_vectors = n_support.size, model.support_vectors_.shape[0]
    n_pairs = n_classes * (n_classes - 1) // 2
    fits = (
        n_support.dtype == np.int32
        and n_support.ndim == 1
        and n_classes >= 2
        and n_support.min() >= 0
        and int(n_support.sum()) == n_vectors == np.size(model.support_)
        and model._dual_coef_.shape == (n_classes - 1, n_vectors)
        and np.shape(model._intercept_) == (n_pairs,)
        and np.size(model._probA) in (0, n_pairs)
        and np.size(model._probB) in (0, n_pairs)
        and len(model.classes_) == n_classes
        and model.support_vectors_.ndim == 2
    )
    if not fits:
        raise ValueError("the arrays of its SVC do not fit together")
