"""Mixtures of word vectors, fitted once: the frequent words say what is usual, and phrases differ from it."""

from __future__ import annotations

import hashlib
import io
import zipfile
from contextlib import suppress
from weakref import WeakKeyDictionary

import numpy as np

from widemargin.atomic import atomic_write
from widemargin.cache import cache_folder
from widemargin.fisher import DiagonalMixture, fit_mixture
from widemargin.words.word_vectors import WordVectors

__all__ = ["mixture_of_words"]

_FITTED: WeakKeyDictionary[WordVectors, dict[int, DiagonalMixture]] = WeakKeyDictionary()
# Counted up when the way of fitting changes, so that mixtures of older versions are not taken for new ones.
_VERSION = 1
_NAMES = ("weights", "means", "deviations")


def mixture_of_words(embedding: WordVectors, n_components: int) -> DiagonalMixture:
    """Return a mixture fitted to the vectors of the most frequent words, which are the first ones.

    It is kept with the vectors while these exist, and, if it has several components, in the cache on disk under a
    digest of what it was fitted to. A cache that cannot be read or written is done without.

    Parameters
    ----------
    embedding : WordVectors
        The vectors; the first `WordVectors.n_frequent` are used.
    n_components : int
        Number of Gaussians, at least 1.

    Returns
    -------
    DiagonalMixture
        The mixture; the same for the same vectors.

    Raises
    ------
    ValueError
        If there are fewer words than components, or fewer than two, or a vector among them is not finite.
    """
    known = _FITTED.setdefault(embedding, {})
    if n_components not in known:
        if len(embedding) < max(n_components, 2):
            raise ValueError(
                f"n_components is {n_components}, but there are only {len(embedding)} word vectors to fit a mixture "
                "to: lower n_components, or take vectors of more words; two are the least."
            )
        # One component is a mean and a deviation, faster to compute than to look up.
        known[n_components] = (
            _fit(embedding, n_components) if n_components == 1 else _fit_or_load(embedding, n_components)
        )
    return known[n_components]


def _fit(embedding: WordVectors, n_components: int) -> DiagonalMixture:
    return fit_mixture(embedding.frequent, n_components, random_state=0)


def _fit_or_load(embedding: WordVectors, n_components: int) -> DiagonalMixture:
    """Return the mixture from the cache on disk, or fit it and put it there."""
    digest = hashlib.sha256(f"{_VERSION} {n_components} {embedding.frequent.shape}".encode())
    digest.update(embedding.frequent.data)
    name = f"{digest.hexdigest()}.npz"
    # A file that is missing or damaged is written anew.
    with (
        suppress(OSError, EOFError, KeyError, ValueError, zipfile.BadZipFile),
        np.load(io.BytesIO((cache_folder("words") / name).read_bytes()), allow_pickle=False) as arrays,
    ):
        return DiagonalMixture(*(arrays[key] for key in _NAMES))
    mixture = _fit(embedding, n_components)
    content = io.BytesIO()
    np.savez(content, weights=mixture.weights, means=mixture.means, deviations=mixture.deviations)
    with suppress(OSError):
        atomic_write(cache_folder("words") / name, content.getvalue())
    return mixture
