"""Pairs of yeast proteins that interact physically, and random pairs, with features of many biological sources."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from widemargin.datasets.delimited import read_delimited_numbers
from widemargin.datasets.files import DatasetError, MissingDatasetError, data_folder
from widemargin.validation import check_number

__all__ = ["ProteinPairs", "load_protein_pairs"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

POSITIVES = "dipsPosPair.feature"
NEGATIVES = "dipsRandpairSub23w.feature"
_FOLDER = "phyInteract"
_MISSING = -100.0

# The sources of the detailed features in their order, with the number of columns of each.
_SOURCES = {
    "gene expression": 20,
    "GO molecular function": 21,
    "GO biological process": 33,
    "GO cellular component": 23,
    "protein expression": 1,
    "essentiality": 1,
    "HMS-PCI mass spectrometry": 1,
    "TAP mass spectrometry": 1,
    "yeast two-hybrid": 1,
    "synthetic lethality": 1,
    "gene neighbourhood, fusion, co-occurrence": 1,
    "sequence similarity": 1,
    "homology": 4,
    "domain interaction": 1,
    "protein-DNA binding": 16,
    "MIPS protein class": 25,
    "MIPS mutant phenotype": 11,
}
_N_FEATURES = sum(_SOURCES.values())


@dataclass(frozen=True, eq=False)
class ProteinPairs:
    """Pairs of proteins with features, some of them missing.

    Parameters
    ----------
    X : ndarray of shape (n_pairs, n_features)
        The features that were kept; NaN where a value is missing.
    y : ndarray of int of shape (n_pairs,)
        1 for a pair known to interact, 0 for a random pair.
    feature_names : tuple of str
        Source and number of each feature, such as ``"GO molecular function 3"``.
    columns : ndarray of int of shape (n_features,)
        Place of each feature among all columns of the files, counted from 0.
    missing_share : ndarray of shape (n_features,)
        Share of all pairs in which the feature is missing.
    """

    X: FloatArray
    y: IntArray
    feature_names: tuple[str, ...]
    columns: IntArray
    missing_share: FloatArray


def load_protein_pairs(folder: str | Path, *, max_missing: float = 0.25) -> ProteinPairs:
    """Read the pairs of the physical interaction task, detailed feature type, of Qi and others [1]_.

    Two files of text, ``dipsPosPair.feature`` with interacting pairs and ``dipsRandpairSub23w.feature`` with random
    ones, in the folder or in ``phyInteract`` below it. Each line is a pair: 162 numbers separated by commas (or tabs
    or semicolons), and after them, if the file has it, the class of the pair, the same in all lines of a file. A first
    line with names is left out. The value -100 says that a feature is missing. The set has 2,865 and 237,384 pairs;
    other numbers are read, too.

    Published results use the features that are missing in less than a quarter of the pairs, 85 by their count [2]_,
    with the mean or the most frequent value in the gaps. Here gaps stay NaN: fill them from the training part only, as
    `sklearn.impute.SimpleImputer` in a pipeline does, or leave them to a learner that takes them.

    Parameters
    ----------
    folder : str or Path
        Folder with the files.
    max_missing : float, default=0.25
        Features that are missing in this share of all pairs, or in more, are left out; > 0. Above 1 keeps all.

    Returns
    -------
    ProteinPairs
        Interacting pairs first, in the order of the files.

    Raises
    ------
    DatasetError
        If a file is missing, damaged or not as described, or every feature is left out.
    TypeError
        If `max_missing` is not a number.
    ValueError
        If `max_missing` is not above 0.

    References
    ----------
    .. [1] Y. Qi, Z. Bar-Joseph and J. Klein-Seetharaman, "Evaluation of different biological data and computational
       classification methods for use in protein interaction prediction", Proteins 63(3), 2006.
    .. [2] H. Narasimhan and S. Agarwal, "A structural SVM based approach for optimizing partial AUC", ICML 2013.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import numpy as np
    >>> from widemargin.datasets import load_protein_pairs
    >>> rng = np.random.default_rng(0)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     for name, n_pairs in (("dipsPosPair", 3), ("dipsRandpairSub23w", 5)):
    ...         values = rng.normal(size=(n_pairs, 162))
    ...         values[:, 20:] = -100
    ...         np.savetxt(Path(folder) / f"{name}.feature", values, delimiter=",")
    ...     pairs = load_protein_pairs(folder)
    >>> pairs.X.shape, pairs.feature_names[-1], pairs.y
    ((8, 20), 'gene expression 20', array([1, 1, 1, 0, 0, 0, 0, 0]))
    """
    max_missing = check_number("max_missing", max_missing, above=0)
    place = data_folder(folder)
    positive, positive_class = _read_pairs(_find(place, POSITIVES))
    negative, negative_class = _read_pairs(_find(place, NEGATIVES))
    if positive_class is not None and positive_class == negative_class:
        raise DatasetError(
            f"{POSITIVES} and {NEGATIVES} in {folder} have the same class {positive_class:g} in their last column: one "
            "of them is under a wrong name."
        )
    n_pairs = len(positive) + len(negative)
    share = ((positive == _MISSING).sum(axis=0) + (negative == _MISSING).sum(axis=0)) / n_pairs
    columns = np.flatnonzero(share < max_missing)
    if columns.size == 0:
        raise DatasetError(
            f"{folder} has no feature of which less than {max_missing:g} is missing (the smallest share is "
            f"{share.min():.3g}): raise max_missing."
        )
    X = np.concatenate([positive[:, columns], negative[:, columns]])
    X[X == _MISSING] = np.nan
    y = np.repeat(np.array([1, 0]), [len(positive), len(negative)])
    names = [f"{source} {k + 1}" for source, n_columns in _SOURCES.items() for k in range(n_columns)]
    return ProteinPairs(X, y, tuple(names[k] for k in columns), columns.astype(np.int64), share[columns])


def _find(folder: Path, name: str) -> Path:
    """Return where a file of the set is."""
    for path in (folder / name, folder / _FOLDER / name):
        if path.is_file():
            return path
    raise MissingDatasetError(
        f"{folder / name} is missing, there and in {_FOLDER}: pass the folder in which the pairs of the physical "
        "interaction task lie."
    )


def _read_pairs(path: Path) -> tuple[FloatArray, float | None]:
    """Return the features of one file, and the class in its last column if it has one."""
    values, _ = read_delimited_numbers(path)
    if values.shape[1] not in (_N_FEATURES, _N_FEATURES + 1):
        raise DatasetError(
            f"{path} has {values.shape[1]} columns: expected are {_N_FEATURES} features, the detailed feature type, "
            "and after them the class or nothing."
        )
    if values.shape[1] == _N_FEATURES:
        return values, None
    classes = values[:, -1]
    if np.ptp(classes):
        raise DatasetError(
            f"{path} has different classes in its last column, {classes.min():g} and {classes.max():g} among them: "
            "each file must hold pairs of one class."
        )
    return values[:, :-1], float(classes[0])
