"""Read benchmark files that somebody else wrote: check before trusting, and say in a sentence what is wrong."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["DatasetError", "read_npz", "read_text_matrix"]

# Several times what the largest of the known sets needs, and less than what exhausts a small machine.
_LARGEST_ARRAY = 2**30
_LARGEST_TEXT = 2**26


class DatasetError(ValueError):
    """A file of a benchmark data set is missing, damaged, or not in the layout that its reader documents."""


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
    try:
        with zipfile.ZipFile(path) as archive:
            sizes = {info.filename.removesuffix(".npy"): info.file_size for info in archive.infolist()}
        for name in names:
            if name not in sizes:
                raise DatasetError(
                    f"{path} has no array {name!r} (it has {', '.join(sorted(sizes)) or 'none'}): "
                    "use a file in the documented layout."
                )
            if sizes[name] > _LARGEST_ARRAY:
                raise DatasetError(f"{path} holds {name!r} with {sizes[name]} bytes: at most 1 GiB is read.")
        with np.load(path, allow_pickle=False) as arrays:
            return {name: arrays[name] for name in names}
    except DatasetError:
        raise
    except (OSError, ValueError, EOFError, KeyError, zipfile.BadZipFile, zlib.error) as error:
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
        raise DatasetError(f"{path} is missing: pass the folder in which the data sets lie.")
