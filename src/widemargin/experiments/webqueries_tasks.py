"""The tasks on web images: relevant or not over all queries and query by query, and query against query."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import combinations

import numpy as np
import numpy.typing as npt
from sklearn.preprocessing import normalize

from widemargin.datasets import WebQueries

__all__ = [
    "MULTICLASS",
    "PAIRS",
    "PER_QUERY",
    "POOLED",
    "QueryImages",
    "QueryTask",
    "draw_halves",
    "list_tasks",
    "prepare_images",
    "query_names",
]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]

POOLED, PER_QUERY, PAIRS, MULTICLASS = "pooled", "per_query", "pairs", "multiclass"

# A query is called by at most two words without white space, which may be "versus", and its number in brackets.
_PAIR = re.compile(r"(.*? \(-?\d+\)) versus (.*)")


@dataclass(frozen=True, eq=False)
class QueryImages:
    """The images with text, ready for learning.

    Parameters
    ----------
    X, X_privileged : ndarray of shape (n_images, n_features) and (n_images, n_words)
        Features and word counts, every row at unit Euclidean length.
    relevant : ndarray of int of shape (n_images,)
        1 if the image is relevant to its query, else 0.
    query : ndarray of int of shape (n_images,)
        Index into `names`.
    names : tuple of str
        What readers call the queries.
    n_without_text : int
        Number of images that were left out because nothing is known about their text.
    n_copies : int
        Number of images that have the features of an earlier one.
    """

    X: FloatArray
    X_privileged: FloatArray
    relevant: IntArray
    query: IntArray
    names: tuple[str, ...]
    n_without_text: int
    n_copies: int

    @property
    def class_sizes(self) -> IntArray:
        """Numbers of irrelevant and relevant images of every query, of shape (n_queries, 2)."""
        sizes = np.zeros((len(self.names), 2), dtype=np.int64)
        np.add.at(sizes, (self.query, self.relevant), 1)
        return sizes

    def most_relevant(self, n_queries: int) -> list[int]:
        """Choose the queries with the most relevant images, the one with the smaller number first if equal.

        Parameters
        ----------
        n_queries : int
            How many to choose.

        Returns
        -------
        list of int
            Indices of the queries, or of all if there are fewer.
        """
        return np.argsort(-self.class_sizes[:, 1], kind="stable")[:n_queries].tolist()


@dataclass(frozen=True)
class QueryTask:
    """Something to be learned.

    Parameters
    ----------
    table : str
        Which kind of task it is: relevance over all queries (`POOLED`) or of one (`PER_QUERY`), or which of two
        queries (`PAIRS`) or of more (`MULTICLASS`) a relevant image belongs to.
    name : str
        Its name.
    queries : tuple of int
        The queries whose images take part.
    """

    table: str
    name: str
    queries: tuple[int, ...]

    def labels(self, images: QueryImages) -> IntArray:
        """Return the class of every image.

        Parameters
        ----------
        images : QueryImages
            The images.

        Returns
        -------
        ndarray of int of shape (n_images,)
            The classes; -1 for images that take no part.
        """
        takes_part = np.isin(images.query, self.queries)
        if self.table in (POOLED, PER_QUERY):
            return np.where(takes_part, images.relevant, -1)
        return np.where(takes_part & (images.relevant == 1), images.query, -1)


def prepare_images(data: WebQueries) -> QueryImages:
    """Leave out images without text, bring all rows to unit length, and name the queries by their words.

    Parameters
    ----------
    data : WebQueries
        The data as read.

    Returns
    -------
    QueryImages
        The images with text.
    """
    kept = data.X_privileged.any(axis=1)
    numbers, query = np.unique(data.query[kept], return_inverse=True)
    occurs = data.X_privileged[kept] > 0
    names = [
        f"{_typical_words(occurs, query == place, data.words)} ({number})"
        for place, number in enumerate(numbers)
    ]
    X = normalize(data.X[kept], copy=False)
    return QueryImages(
        X,
        normalize(data.X_privileged[kept], copy=False),
        data.relevant[kept],
        query.astype(np.int64),
        tuple(names),
        int(np.count_nonzero(~kept)),
        len(X) - len({row.tobytes() for row in X}),
    )


def list_tasks(images: QueryImages, n_queries: int, least: int) -> list[QueryTask]:
    """Make the tasks of all kinds.

    Parameters
    ----------
    images : QueryImages
        The images.
    n_queries : int
        How many queries stand against each other: those with the most relevant images.
    least : int
        Images that a query must have of either class to be a task of its own.

    Returns
    -------
    list of QueryTask
        The tasks, the slowest first.
    """
    names, chosen = images.names, images.most_relevant(n_queries)
    large_enough = np.flatnonzero(images.class_sizes.min(axis=1) >= least).tolist()
    return [
        QueryTask(MULTICLASS, f"{len(chosen)} queries at once", tuple(chosen)),
        QueryTask(POOLED, f"all {len(names)} queries together", tuple(range(len(names)))),
        *(QueryTask(PER_QUERY, names[k], (k,)) for k in large_enough),
        *(QueryTask(PAIRS, f"{names[i]} versus {names[j]}", (i, j)) for i, j in combinations(chosen, 2)),
    ]


def query_names(pair: str) -> tuple[str, str]:
    """Return the two queries of a task of the kind `PAIRS`.

    Parameters
    ----------
    pair : str
        Name of the task.

    Returns
    -------
    first, second : str
        Names of the queries.

    Raises
    ------
    ValueError
        If it is not the name of such a task.

    Examples
    --------
    >>> query_names("eiffel tower (3) versus opera (7)")
    ('eiffel tower (3)', 'opera (7)')
    """
    match = _PAIR.fullmatch(pair)
    if match is None:
        raise ValueError(f"{pair!r} is not the name of a pair of queries.")
    return match[1], match[2]


def draw_halves(y: npt.ArrayLike, seed: int) -> tuple[IntArray, IntArray]:
    """Draw half of the samples of every class for training; of an odd number the larger half.

    Parameters
    ----------
    y : array-like of int of shape (n_samples,)
        Classes; samples of class -1 take no part.
    seed : int
        Seed of the draw.

    Returns
    -------
    train, test : ndarray of int
        Disjoint indices into `y`, class after class.
    """
    y = np.asarray(y)
    rng = np.random.default_rng(seed)
    orders = [rng.permutation(np.flatnonzero(y == label)) for label in np.unique(y[y >= 0])]
    train = np.concatenate([order[: (order.size + 1) // 2] for order in orders])
    test = np.concatenate([order[(order.size + 1) // 2 :] for order in orders])
    return train, test


def _typical_words(occurs: npt.NDArray[np.bool_], own: npt.NDArray[np.bool_], words: tuple[str, ...]) -> str:
    """Name a query by the two words whose share among its texts is farthest above that among all."""
    share = occurs[own].mean(axis=0)
    order = np.argsort(occurs.mean(axis=0) - share, kind="stable")[:2]
    return " ".join(words[k] for k in order if share[k] > 0)
