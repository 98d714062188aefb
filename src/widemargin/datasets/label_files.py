"""The labels of a user's own samples, in a file of their own."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from widemargin.datasets.array_files import read_array, split_member
from widemargin.datasets.delimited import read_delimited_labels
from widemargin.datasets.feature_files import SVMLIGHT_SUFFIXES, TEXT_SUFFIXES, FeatureTable, unknown_suffix
from widemargin.datasets.files import DatasetError, check_file
from widemargin.datasets.names import check_names
from widemargin.datasets.parquet_files import read_parquet_labels
from widemargin.datasets.svmlight_files import read_svmlight

__all__ = ["check_own_labels", "read_labels"]

# "01" and "1" are different labels, so numbers with leading zeros stay text.
_INTEGER = re.compile(r"[+-]?(0|[1-9][0-9]{0,17})")
# With a point, an exponent or both, as in what NumPy writes of floats.
_FLOAT = re.compile(r"[+-]?((0|[1-9][0-9]*)(\.[0-9]*)?|\.[0-9]+)(e[+-]?[0-9]+)?", re.IGNORECASE)
_LARGEST_WHOLE = 2.0**53


def read_labels(path: str | Path, n_rows: int) -> npt.NDArray[Any]:
    r"""Read the label of every sample: integers if all of them are, text otherwise, but no fractions.

    Suffixes are those of :func:`read_features`. A file of text has one label a line, and a line with the name of the
    column only if it has one line more than there are samples. An ``.npy`` or ``.npz`` file has a flat array; a
    ``.parquet`` file has one column. The labels of an svmlight file are those that start its lines, so it may be the
    file of the features.

    Parameters
    ----------
    path : str or Path
        The file.
    n_rows : int
        Number of samples.

    Returns
    -------
    ndarray of int64 or str of shape (n_rows,)
        The labels. Booleans become 0 and 1, numbers such as 1.0 or 1.000e+00 the integer.

    Raises
    ------
    DatasetError
        If the file is missing, empty or damaged, a label is missing or has a line break or another control character,
        all are numbers but one is not whole, or their number is not `n_rows`.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from widemargin.datasets import read_labels
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "animals.txt"
    ...     _ = path.write_text("polar bear\nrabbit\npolar bear\n")
    ...     read_labels(path, 3)
    array(['polar bear', 'rabbit', 'polar bear'], dtype='<U10')
    """
    file, member = split_member(path)
    check_file(file)
    suffix = file.suffix.lower()
    if suffix in TEXT_SUFFIXES:
        labels = read_delimited_labels(file)
        header = len(labels) == n_rows + 1
        _check_number(
            file, len(labels), n_rows, " (and one line more for the name of the column, if it has one)"
        )
        return _from_text(str(path), labels[1:] if header else labels)
    if suffix in (".npy", ".npz"):
        array = read_array(file, member)
        if array.ndim == 2 and array.shape[1] == 1:
            array = array[:, 0]
        if array.ndim != 1:
            raise DatasetError(
                f"{path} has the shape {array.shape}: give a flat array, one label for each row."
            )
    elif suffix == ".parquet":
        array = read_parquet_labels(file)
    elif suffix in SVMLIGHT_SUFFIXES:
        _, _, array = read_svmlight(file)
    else:
        raise unknown_suffix(file)
    _check_number(file, array.size, n_rows)
    return _from_array(str(path), array)


def check_own_labels(table: FeatureTable, y: npt.NDArray[Any], source: str) -> None:
    """Raise DatasetError if the labels in a file of features show that its rows are in another order.

    They may have other names than those of `y`, divide its classes further or join some of them; if rows with the same
    label differ in `y` and the other way round as well, one of the two has another order. A file in which all
    labels are the same, as where none are known, says nothing.

    Parameters
    ----------
    table : FeatureTable
        The features; without labels of its own, or with another number of rows than `y`, it is not checked.
    y : ndarray of shape (n_rows,)
        The labels to which the rows shall belong.
    source : str
        The file of the features, for the message.

    Raises
    ------
    DatasetError
        If the labels contradict each other: the message names two rows.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.sparse import eye
    >>> from widemargin.datasets import DatasetError, FeatureTable
    >>> from widemargin.datasets.label_files import check_own_labels
    >>> table = FeatureTable(eye(4).tocsr(), None, np.array([1.0, 1.0, -1.0, -1.0]))
    >>> check_own_labels(table, np.array(["cat", "cat", "dog", "dog"]), "x.svmlight")
    >>> try:
    ...     check_own_labels(table, np.array(["cat", "dog", "cat", "dog"]), "x.svmlight")
    ... except DatasetError as error:
    ...     print(str(error).partition(":")[0])
    x.svmlight has the label 1 in rows 1 and 2, whose labels are to be cat and dog
    """
    if table.labels is None or table.labels.size != y.size:
        return
    own, own_classes = np.unique(table.labels, return_inverse=True)
    classes, y_classes = np.unique(y, return_inverse=True)
    pairs = np.unique(own_classes * classes.size + y_classes).size
    if pairs == max(own.size, classes.size):
        return
    _, first = np.unique(own_classes, return_index=True)
    # Some label has two partners, since there are more pairs than labels of either kind.
    row = int(np.flatnonzero(y_classes != y_classes[first[own_classes]])[0])
    before = int(first[own_classes[row]])
    raise DatasetError(
        f"{source} has the label {table.labels[row]:g} in rows {before + 1} and {row + 1}, whose labels are to be "
        f"{y[before]} and {y[row]}: give all files with the same samples in the same order, or, if its labels mean "
        "something else, write 0 in their place."
    )


def _check_number(path: Path, n_labels: int, n_rows: int, exception: str = "") -> None:
    if n_labels == n_rows or (exception and n_labels == n_rows + 1):
        return
    raise DatasetError(
        f"{path} has {n_labels} labels, but there are {n_rows} rows of features: give one label for each row"
        f"{exception}."
    )


def _from_text(where: str, labels: list[str]) -> npt.NDArray[Any]:
    """Return integers if all labels are whole numbers, however written, and text if not all are numbers."""
    numbers = [_number(label) for label in labels]
    if None in numbers:
        check_names(Path(where), "its labels", set(labels))
        return np.array(labels, dtype=np.str_)
    for row, number in enumerate(numbers):
        if isinstance(number, float):
            raise _not_whole(where, labels[row], row)
    return np.array(numbers, dtype=np.int64)


def _number(label: str) -> int | float | None:
    """Return the integer that a label is, the float if it is no integer, or None if it is no number."""
    if _INTEGER.fullmatch(label):
        return int(label)
    # Integers too long for the type are names that happen to have digits only.
    if not _FLOAT.fullmatch(label) or label.lstrip("+-").isdigit():
        return None
    value = float(label)
    return int(value) if value.is_integer() and abs(value) < _LARGEST_WHOLE else value


def _not_whole(where: str, label: object, row: int) -> DatasetError:
    return DatasetError(
        f"{where} has the label {label} in row {row + 1}, counted from 1, which is no whole number: give classes, as "
        "integers or text; numbers to be predicted as such are not for classifiers."
    )


def _from_array(where: str, array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return text or integers; labels are classes, so other numbers are a mistake."""
    if array.dtype.kind == "U":
        labels = [label.strip() for label in array.tolist()]
        if "" in labels:
            raise DatasetError(
                f"{where} has no label in row {labels.index('') + 1}, counted from 1: give each row one."
            )
        return _from_text(where, labels)
    if array.dtype.kind not in "biuf":
        raise DatasetError(f"{where} holds labels of type {array.dtype}: give integers, booleans or strings.")
    with np.errstate(invalid="ignore"):
        integers = array.astype(np.int64)
    different = np.flatnonzero(integers != array)
    if different.size:
        row = int(different[0])
        raise _not_whole(where, array[row], row)
    return integers
