"""Read files that somebody else wrote: check before trusting, and say in a sentence what is wrong."""

from __future__ import annotations

import io
import math
import sys
import tokenize
import zipfile
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

__all__ = [
    "LARGEST_TABLE",
    "DatasetError",
    "MissingDatasetError",
    "array_sizes",
    "check_array_header",
    "check_file",
    "check_table_size",
    "check_text",
    "data_folder",
    "first_repeated",
    "places_of",
    "read_npz",
    "read_text_matrix",
]

# Several times what the largest of the known sets needs, and less than what exhausts a small machine.
_LARGEST_ARRAY = 2**30
_LARGEST_TEXT = 2**26

LARGEST_TABLE = 2**28
"""Most numbers that a dense table may have: 2 GiB of them."""


class DatasetError(ValueError):
    """A file of data is missing, damaged, or not in the layout that its reader documents."""


class MissingDatasetError(DatasetError):
    """A file of a benchmark data set is not there; everything else may be in order."""


def check_file(path: Path) -> None:
    """Raise DatasetError unless a user's file exists and has content.

    Parameters
    ----------
    path : Path
        The file.

    Raises
    ------
    DatasetError
        If it is missing, a folder or a pipe, empty, or may not be read.
    """
    try:
        if path.is_dir():
            raise DatasetError(f"{path} is a folder: give the name of a file in it.")
        if not path.exists():
            raise DatasetError(f"{path} does not exist: check the name and the folder.")
        if not path.is_file():
            raise DatasetError(f"{path} is no ordinary file: save what it delivers in a file, and give that.")
        with path.open("rb") as file:
            empty = not file.read(1)
    except OSError as error:
        raise DatasetError(
            f"{path} cannot be read ({error.strerror}): check its name and its permissions."
        ) from error
    if empty:
        raise DatasetError(f"{path} is empty: give a file with at least one row.")


def check_table_size(path: Path, n_rows: int, n_columns: int) -> None:
    """Raise DatasetError unless a dense table has at least one number and not too many.

    Parameters
    ----------
    path : Path
        The file, for the message.
    n_rows, n_columns : int
        Size of the table.

    Raises
    ------
    DatasetError
        If the table is empty or has more than `LARGEST_TABLE` numbers.
    """
    if n_rows == 0 or n_columns == 0:
        raise DatasetError(
            f"{path} has {n_rows} rows and {n_columns} columns: give at least one row and one column."
        )
    if n_rows * n_columns > LARGEST_TABLE:
        raise DatasetError(
            f"{path} has {n_rows} rows and {n_columns} columns, more than the {LARGEST_TABLE} numbers that are "
            "read: give fewer rows or columns, or a sparse table (.svmlight, or .npz of scipy.sparse.save_npz)."
        )


def data_folder(folder: Any) -> Path:
    """Return the folder that a reader was given as a path.

    Parameters
    ----------
    folder : object
        What the user passed.

    Returns
    -------
    Path
        The folder; whether it exists is not looked at.

    Raises
    ------
    TypeError
        If it is neither text nor a path.
    """
    try:
        return Path(folder)
    except TypeError as error:
        raise TypeError(
            f"folder must be a str or a Path, got {folder!r}: pass the folder in which the data sets lie."
        ) from error


def first_repeated(names: Iterable[str]) -> str | None:
    """Return the first name that is there a second time.

    Parameters
    ----------
    names : iterable of str
        Names of columns.

    Returns
    -------
    str or None
        The name, if there is one.
    """
    seen: set[str] = set()
    for name in names:
        if name in seen:
            return name
        seen.add(name)
    return None


def places_of(path: Path, columns: Sequence[str], names: Sequence[str] | None) -> tuple[int, ...]:
    """Return where some columns are among all of a file.

    Parameters
    ----------
    path : Path
        The file, for the message.
    columns : sequence of str
        Names of the columns to find.
    names : sequence of str or None
        Names of all columns, all different.

    Returns
    -------
    tuple of int
        A place for each of `columns`, counted from 0.

    Raises
    ------
    DatasetError
        If a column is not there, or the file has no names.
    """
    places = {name: k for k, name in enumerate(names or ())}
    for column in columns:
        if column not in places:
            raise DatasetError(f"{path} has no column called {column!r}: check the names of its columns.")
    return tuple(places[column] for column in columns)


def array_sizes(path: Path) -> dict[str, int]:
    """Return the arrays of an ``.npz`` file with their sizes, without reading them.

    Parameters
    ----------
    path : Path
        The file.

    Returns
    -------
    dict of str to int
        Bytes of each array, by its name, in the order of the file.

    Raises
    ------
    DatasetError
        If the file is no archive.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            return {info.filename.removesuffix(".npy"): info.file_size for info in archive.infolist()}
    except (OSError, ValueError, zipfile.BadZipFile) as error:
        raise DatasetError(f"{path} cannot be read as an .npz file of plain arrays ({error}).") from error


def check_array_header(file: IO[bytes], size: int) -> None:
    """Raise ValueError unless an ``.npy`` stream is as large as its header says, and holds no Python objects.

    NumPy reserves the memory that the header asks for before it looks at what follows.

    Parameters
    ----------
    file : file of bytes
        The stream, at its start; it is left behind the header.
    size : int
        Bytes of the whole stream.

    Raises
    ------
    ValueError
        If the header is damaged, or does not fit to the size.
    """
    version = np.lib.format.read_magic(file)
    readers = {
        (1, 0): np.lib.format.read_array_header_1_0,
        (2, 0): np.lib.format.read_array_header_2_0,
    }
    if version not in readers:
        raise ValueError(f"its array has format version {version}, which plain arrays do not need")
    try:
        shape, _, dtype = readers[version](file)
    # NumPy gives headers that it cannot parse to the tokenizer of Python, for files of Python 2.
    except (tokenize.TokenError, SyntaxError) as error:
        raise ValueError("its header is damaged") from error
    if dtype.hasobject:
        raise ValueError("its array holds Python objects, which are never unpickled")
    # NumPy's own check lets booleans pass, since they are integers to Python.
    if any(isinstance(length, bool) for length in shape):
        raise ValueError(f"its array claims the shape {shape}")
    if math.prod(shape) * dtype.itemsize > size or any(length < 0 for length in shape):
        raise ValueError(f"its array claims the shape {shape}, but the file has only {size} bytes")


def check_text(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Raise ValueError if an array of text holds numbers that stand for no character, of which Python makes no text.

    Parameters
    ----------
    array : ndarray
        Any array; one that is not of text is in order.

    Returns
    -------
    ndarray
        The same array.

    Raises
    ------
    ValueError
        If a number is above the last of Unicode.
    """
    if array.dtype.kind == "U" and array.size and array.dtype.itemsize:
        numbers = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("=")).reshape(-1).view(np.uint32)
        if numbers.max() > sys.maxunicode:
            raise ValueError(
                f"its text holds the number {numbers.max():#x}, which is no character of Unicode"
            )
    return array


def read_npz(path: Path, names: Sequence[str]) -> dict[str, npt.NDArray[Any]]:
    """Read arrays from an ``.npz`` file without executing anything that it may contain.

    Parameters
    ----------
    path : Path
        The file.
    names : sequence of str
        Arrays to read; others are left alone.

    Returns
    -------
    dict of str to ndarray
        The arrays.

    Raises
    ------
    DatasetError
        If the file cannot be read, lacks an array, or holds one that is pickled or larger than 1 GiB.
    """
    _check_exists(path)
    sizes = array_sizes(path)
    for name in names:
        if name not in sizes:
            raise DatasetError(
                f"{path} has no array {name!r} (it has {', '.join(sorted(sizes)) or 'none'}): "
                "use a file in the documented layout."
            )
        if sizes[name] > _LARGEST_ARRAY:
            raise DatasetError(f"{path} holds {name!r} with {sizes[name]} bytes: at most 1 GiB is read.")
    try:
        with zipfile.ZipFile(path) as archive:
            for name in names:
                with archive.open(f"{name}.npy") as file:
                    check_array_header(file, sizes[name])
        with np.load(path, allow_pickle=False) as arrays:
            return {name: check_text(arrays[name]) for name in names}
    except (
        OSError,
        ValueError,
        EOFError,
        KeyError,
        MemoryError,
        NotImplementedError,
        RuntimeError,
        zipfile.BadZipFile,
        zlib.error,
    ) as error:
        raise DatasetError(f"{path} cannot be read as an .npz file of plain arrays ({error}).") from error


def read_text_matrix(path: Path, n_columns: int) -> npt.NDArray[np.float64]:
    """Read comma-separated numbers, one line a row, no header.

    Parameters
    ----------
    path : Path
        The file.
    n_columns : int
        Numbers of each line.

    Returns
    -------
    ndarray of shape (n_rows, n_columns)
        The numbers, all finite.

    Raises
    ------
    DatasetError
        If the file cannot be read, is empty, larger than 64 MiB, or a line has other things in it.
    """
    _check_exists(path)
    try:
        if path.stat().st_size > _LARGEST_TEXT:
            raise DatasetError(f"{path} has {path.stat().st_size} bytes: at most 64 MiB are read.")
        text = path.read_text(encoding="ascii")
        if not text.strip():
            raise DatasetError(f"{path} is empty: pass comma-separated numbers, one line a row.")
        values = np.loadtxt(io.StringIO(text), delimiter=",", ndmin=2, comments=None)
    except DatasetError:
        raise
    except (OSError, ValueError) as error:
        reason = str(error).partition("\n")[0]
        raise DatasetError(f"{path} cannot be read as comma-separated numbers ({reason}).") from error
    if values.shape[1] != n_columns or not np.isfinite(values).all():
        raise DatasetError(
            f"{path} has {values.shape[1]} columns and {np.count_nonzero(~np.isfinite(values))} values that are "
            f"not finite: expected are {n_columns} finite numbers a line."
        )
    return values


def _check_exists(path: Path) -> None:
    if not path.is_file():
        raise MissingDatasetError(f"{path} is missing: pass the folder in which the data sets lie.")
