"""CENTRIST: pictures as bags of visual words of census transform histograms, in a spatial hierarchy."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image
from sklearn.base import BaseEstimator, ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import Tags, check_random_state
from sklearn.utils.validation import check_is_fitted

from widemargin.engine import check_n_jobs, map_items, unit_seed
from widemargin.features.census import N_CODES, census_transform, patch_grid, patch_histograms
from widemargin.features.intersection_codebook import IntersectionCodebook, fit_intersection_codebook
from widemargin.features.pictures import read_picture
from widemargin.validation import check_integer

__all__ = ["Centrist"]

FloatArray = npt.NDArray[np.float64]
Pixels = npt.NDArray[np.uint8]
Histograms = npt.NDArray[np.unsignedinteger[Any]]
Picture = str | os.PathLike[str] | npt.NDArray[Any]

# How often the picture is halved at each level, and into how many blocks a side of it is then divided.
_LEVELS = ((0, 4), (1, 2), (2, 1))
_N_WINDOWS = sum(n_blocks**2 + (n_blocks - 1) ** 2 for _, n_blocks in _LEVELS)
# Twice as many iterations, on pictures of scenes, change the ranking by a classifier less than another start does.
_TOL = 1e-4
_MAX_ITER = 300
# Pictures that a worker process takes at a time, so that it receives the code book seldom.
_MOST_TOGETHER = 64


@dataclass(frozen=True)
class _Grid:
    """Where patches lie."""

    patch_size: int
    step: int


class Centrist(ClassNamePrefixFeaturesOutMixin, TransformerMixin, BaseEstimator):
    r"""Turn grey pictures into bags of CENTRIST words in 31 sub-windows.

    A picture is seen at three scales: as it is, halved and quartered. At each scale its census transform is taken, a
    code of 8 bits for each pixel that says which of its neighbours are not brighter, and the codes are counted in
    square patches on a regular grid: a CENTRIST descriptor [1]_ is a histogram of 256 bins. `fit` finds a code book
    for them, minimising over assignments :math:`c` and centres :math:`\mu`

    .. math:: \sum_i \|\phi(x_i) - \mu_{c(i)}\|^2 , \qquad
        \langle \phi(x), \phi(z) \rangle = \sum_d \min(x_d, z_d) ,

    that is k-means with the histogram intersection kernel [2]_. `transform` replaces each patch by its nearest word,
    and counts the words in the sub-windows: 4 x 4 blocks of the picture as it is and 3 x 3 blocks halfway between
    them, 2 x 2 and one halfway of the halved picture, and the whole quartered one, 25 + 5 + 1. All have about the
    same number of pixels. A patch belongs to the blocks that its centre lies in. The counts of each sub-window are
    divided by their sum.

    Parameters
    ----------
    n_words : int, default=50
        Number of words, at least 1. There are 31 features a word, 1,550 with the default.
    patch_size : int, default=16
        Side of a patch in pixels, at least 1; a multiple of `step`.
    step : int, default=8
        Distance of neighbouring patches in pixels, at least 1.
    max_descriptors : int, default=20000
        About how many descriptors the code book is learned from, at least `n_words`: as many random ones of each
        picture. `fit` holds no others in memory.
    random_state : int, RandomState instance or None, default=None
        Draws the descriptors, and the start of k-means.
    n_jobs : int, default=None
        Number of processes that compute descriptors; -1 takes one a core, None means 1. It does not change results.

    Attributes
    ----------
    codebook_ : IntersectionCodebook
        The words.
    objective_ : float
        Summed squared distances of the descriptors to their words.
    n_iter_ : int
        Number of iterations of k-means.
    converged_ : bool
        Whether it stopped because the objective settled.

    References
    ----------
    .. [1] J. Wu and J. M. Rehg, "CENTRIST: a visual descriptor for scene categorization", IEEE Transactions on
       Pattern Analysis and Machine Intelligence 33(8), 2011.
    .. [2] J. Wu and J. M. Rehg, "Beyond the Euclidean distance: creating effective visual codebooks using the
       histogram intersection kernel", ICCV 2009.

    Examples
    --------
    >>> import numpy as np
    >>> from widemargin.features import Centrist
    >>> rng = np.random.default_rng(0)
    >>> pictures = [rng.integers(0, 256, size=(96, 128), dtype=np.uint8) for _ in range(4)]
    >>> features = Centrist(n_words=5, random_state=0).fit_transform(pictures)
    >>> features.shape
    (4, 155)
    >>> bool(np.allclose(features.reshape(4, 31, 5).sum(axis=2), 1))
    True
    """

    def __init__(
        self,
        n_words: int = 50,
        *,
        patch_size: int = 16,
        step: int = 8,
        max_descriptors: int = 20_000,
        random_state: int | np.random.RandomState | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_words = n_words
        self.patch_size = patch_size
        self.step = step
        self.max_descriptors = max_descriptors
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: Sequence[Picture], y: Any = None) -> Centrist:
        """Learn the words.

        Parameters
        ----------
        X : sequence of path or ndarray
            Pictures, as `read_picture` takes them, which need not have the same size; at least one.
        y : object
            Ignored.

        Returns
        -------
        Centrist
            This transformer.

        Raises
        ------
        PictureError
            If a picture cannot be read.
        TypeError
            If `X` is no sequence of pictures, or a parameter no integer.
        ValueError
            If `X` is empty, a parameter is outside its range, or the pictures have fewer patches than there are words.
        """
        grid = self._check_parameters()
        pictures = _check_pictures(X)
        random_state = check_random_state(self.random_state)
        quota = -(-self.max_descriptors // len(pictures))
        sample = partial(_sample_descriptors, grid, quota, int(random_state.randint(2**31 - 1)))
        found = sorted(self._map(sample, pictures), key=lambda part: part[0].start)
        descriptors = np.concatenate([part for _, part in found])
        if len(descriptors) < self.n_words:
            raise ValueError(
                f"n_words is {self.n_words}, but {len(descriptors)} patches of {grid.patch_size} pixels were found in "
                f"{len(pictures)} pictures: give more or larger pictures, or lower n_words or step."
            )
        codebook = fit_intersection_codebook(
            descriptors, self.n_words, tol=_TOL, max_iter=_MAX_ITER, random_state=random_state
        )
        if not codebook.converged:
            warnings.warn(
                f"The code book still improved by more than {_TOL:g} of its objective after {_MAX_ITER} iterations: "
                "its words are usable; other values of random_state may settle sooner.",
                ConvergenceWarning,
                stacklevel=2,
            )
        self.codebook_ = codebook
        self.objective_ = float(codebook.objective[-1])
        self.n_iter_ = len(codebook.objective)
        self.converged_ = codebook.converged
        return self

    def transform(self, X: Sequence[Picture]) -> FloatArray:
        """Return the features of pictures.

        Parameters
        ----------
        X : sequence of path or ndarray
            Pictures, as for `fit`.

        Returns
        -------
        ndarray of shape (n_pictures, 31 * n_words)
            Shares of the words in each sub-window: of the picture as it is, row by row, first the blocks and then those
            halfway between, then of the halved and of the quartered one. A sub-window without a patch has zeros; there
            is a warning if a picture has none at all.

        Raises
        ------
        PictureError
            If a picture cannot be read.
        NotFittedError
            If `fit` has not been called.
        TypeError
            If `X` is no sequence of pictures.
        ValueError
            If `X` is empty.
        """
        check_is_fitted(self)
        grid = self._check_parameters()
        pictures = _check_pictures(X)
        features = np.empty((len(pictures), _N_WINDOWS * self.codebook_.n_words))
        for rows, found in self._map(partial(_describe, grid, self.codebook_), pictures):
            features[rows] = found
        n_empty = np.count_nonzero(~features.any(axis=1))
        if n_empty:
            warnings.warn(
                f"{n_empty} of {len(pictures)} pictures are too small for one patch, so that their features are all "
                f"zero: each side must have at least {grid.patch_size + 2} pixels.",
                UserWarning,
                stacklevel=2,
            )
        return features

    def _check_parameters(self) -> _Grid:
        """Check the parameters, and return those of the grid."""
        n_words = check_integer("n_words", self.n_words, at_least=1)
        patch_size = check_integer("patch_size", self.patch_size, at_least=1)
        step = check_integer("step", self.step, at_least=1)
        if patch_size % step:
            raise ValueError(
                f"patch_size must be a multiple of step = {step}, got {patch_size}: take for instance "
                f"{-(-patch_size // step) * step}."
            )
        if check_integer("max_descriptors", self.max_descriptors, at_least=1) < n_words:
            raise ValueError(
                f"max_descriptors must be at least n_words = {n_words}, got {self.max_descriptors}: raise it, or lower "
                "n_words."
            )
        return _Grid(patch_size, step)

    def _map(self, function: Any, pictures: Sequence[Picture]) -> Iterator[tuple[slice, Any]]:
        """Yield slices of the pictures with the results of a function of them, in the order of completion."""
        n_jobs = check_n_jobs(1 if self.n_jobs is None else self.n_jobs)
        together = min(_MOST_TOGETHER, -(-len(pictures) // n_jobs))
        parts = [(start, pictures[start : start + together]) for start in range(0, len(pictures), together)]
        for (start, part), result in map_items(function, parts, n_jobs=n_jobs):
            yield slice(start, start + len(part)), result

    @property
    def _n_features_out(self) -> int:
        """Number of features, for their names."""
        return _N_WINDOWS * self.codebook_.n_words

    def __sklearn_tags__(self) -> Tags:
        """Tell scikit-learn that this takes pictures, not a matrix."""
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.no_validation = True
        return tags


def _check_pictures(X: Any) -> Sequence[Picture]:
    """Return pictures as a sequence that can be cut."""
    if isinstance(X, str | bytes | os.PathLike) or not hasattr(X, "__len__"):
        raise TypeError(
            f"X must be a sequence of pictures, got {type(X).__name__}: for a single picture pass [picture]."
        )
    if isinstance(X, np.ndarray) and X.ndim == 2:
        raise TypeError(
            "X must be a sequence of pictures, got a matrix: for a single picture pass [picture], and give rows of "
            "pixels the shape of their pictures."
        )
    if len(X) == 0:
        raise ValueError("X has no picture: give at least one.")
    return list(X)


def _codes(picture: Picture) -> Iterator[tuple[Pixels, int]]:
    """Yield the census transform of a picture at each scale, and into how many blocks a side is divided there."""
    pixels = read_picture(picture)
    image = Image.fromarray(pixels)
    for n_halved, n_blocks in _LEVELS:
        yield census_transform(np.asarray(image.reduce(2**n_halved)) if n_halved else pixels), n_blocks


def _sample_descriptors(
    grid: _Grid, quota: int, seed: int, numbered: tuple[int, Sequence[Picture]]
) -> Histograms:
    """Return random descriptors of some pictures, as many of each; `numbered` has the number of the first."""
    start, pictures = numbered
    return np.concatenate(
        [
            _sample_picture(grid, quota, np.random.default_rng(unit_seed(seed, start + k)), picture)
            for k, picture in enumerate(pictures)
        ]
    )


def _sample_picture(grid: _Grid, quota: int, rng: np.random.Generator, picture: Picture) -> Histograms:
    """Return at most `quota` descriptors of a picture at all scales, drawn without replacement."""
    scales = [codes for codes, _ in _codes(picture)]
    sizes = [patch_grid(codes.shape, grid.patch_size, grid.step) for codes in scales]
    n_patches = sum(n_rows * n_columns for n_rows, n_columns in sizes)
    chosen = np.sort(rng.choice(n_patches, size=min(quota, n_patches), replace=False))
    found = [np.empty((0, N_CODES), dtype=np.uint16)]
    passed = 0
    for codes in scales:
        for band in patch_histograms(codes, grid.patch_size, grid.step):
            flat = band.reshape(-1, N_CODES)
            first, last = np.searchsorted(chosen, [passed, passed + len(flat)])
            found.append(flat[chosen[first:last] - passed])
            passed += len(flat)
    return np.concatenate(found)


def _describe(
    grid: _Grid, codebook: IntersectionCodebook, numbered: tuple[int, Sequence[Picture]]
) -> FloatArray:
    """Return the features of some pictures."""
    _, pictures = numbered
    return np.stack([_describe_picture(grid, codebook, picture) for picture in pictures])


def _describe_picture(grid: _Grid, codebook: IntersectionCodebook, picture: Picture) -> FloatArray:
    """Return the features of one picture."""
    windows = [
        _window_counts(_words(grid, codebook, codes), codes.shape, n_blocks, grid, codebook.n_words)
        for codes, n_blocks in _codes(picture)
    ]
    counts = np.concatenate(windows)
    return (counts / np.maximum(counts.sum(axis=1, keepdims=True), 1)).ravel()


def _words(grid: _Grid, codebook: IntersectionCodebook, codes: Pixels) -> npt.NDArray[np.intp]:
    """Return the words of all patches of one scale, in the shape of their grid."""
    bands = patch_histograms(codes, grid.patch_size, grid.step)
    words = [np.empty(0, dtype=np.intp), *(codebook.assign(band.reshape(-1, N_CODES)) for band in bands)]
    return np.concatenate(words).reshape(patch_grid(codes.shape, grid.patch_size, grid.step))


def _window_counts(
    words: npt.NDArray[np.intp], shape: tuple[int, ...], n_blocks: int, grid: _Grid, n_words: int
) -> FloatArray:
    """Count words in blocks of one scale and in those halfway between, a row a block."""
    # Both kinds of blocks are two by two of the same half blocks, from an even or from an odd one on.
    n_halves = 2 * n_blocks
    row, column = (
        np.floor((np.arange(n) * grid.step + grid.patch_size / 2) * n_halves / max(length, 1)).astype(np.intp)
        for n, length in zip(words.shape, shape, strict=True)
    )
    places = (row[:, None] * n_halves + column) * n_words + words
    halves = np.bincount(places.ravel(), minlength=n_halves**2 * n_words).reshape(n_halves, n_halves, n_words)
    blocks = halves[:-1, :-1] + halves[1:, :-1] + halves[:-1, 1:] + halves[1:, 1:]
    regular, between = blocks[::2, ::2], blocks[1::2, 1::2]
    return np.concatenate([regular.reshape(-1, n_words), between.reshape(-1, n_words)]).astype(np.float64)
