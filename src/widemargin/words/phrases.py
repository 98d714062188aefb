"""Phrases as vectors: the words of each, brought together in one vector."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from widemargin.fisher import fisher_vectors
from widemargin.validation import check_choice, check_flag, check_integer
from widemargin.words.errors import warn_of_unknown
from widemargin.words.mixtures import mixture_of_words
from widemargin.words.tokens import find_tokens
from widemargin.words.word_vectors import WordVectors, default_word_vectors

__all__ = ["PhraseEncoder", "known_words", "phrase_vectors"]

Array = npt.NDArray[np.float64]
METHODS = ("fisher", "mean")


def phrase_vectors(
    phrases: Sequence[str],
    embedding: WordVectors | None = None,
    *,
    method: str = "fisher",
    n_components: int = 1,
    power: bool = True,
    center: bool = True,
) -> Array:
    """Represent each phrase by one vector, so that phrases of similar meaning point the same way.

    The words of a phrase without stop words (`split_words`) are brought together by their Fisher vector under a
    mixture of Gaussians that is fitted to the most frequent words, as in section 3.3 of [1]_, or by their mean.

    Parameters
    ----------
    phrases : sequence of str
        Names of concepts, or descriptions.
    embedding : WordVectors or None, default=None
        The word vectors; None takes `default_word_vectors`.
    method : {"fisher", "mean"}, default="fisher"
        How the words of a phrase are brought together.
    n_components : int, default=1
        Number of Gaussians of the mixture for "fisher", at least 1. Several are fitted once, and kept in the cache on
        disk.
    power : bool, default=True
        Whether each number of a Fisher vector is replaced by its square root, with its sign.
    center : bool, default=True
        Whether the mean vector of the most frequent words is taken off for "mean". Fisher vectors do not change by
        it.

    Returns
    -------
    ndarray of shape (n_phrases, n_numbers)
        Vectors of length 1; zeros where no word is known. There are 2 * n_components * n_dimensions numbers for
        "fisher", and n_dimensions for "mean".

    Raises
    ------
    TypeError
        If a phrase is no str, or `phrases` is one itself.
    ValueError
        If a parameter is out of range, or there are fewer word vectors than components.
    ImportError
        If `embedding` is None and the package of the default vectors is not installed.

    Warns
    -----
    UnknownWordsWarning
        If words have no vector; it names them.

    Notes
    -----
    The defaults were chosen by a measurement: the 1,000 classes of ImageNet were ranked, with the default word
    vectors, by their similarity to 34 descriptions of events, and compared with the classes that fit these by their
    meaning. The mean average precision was

    ========================  ===========  ==========
    how words are combined    without      with power
    ========================  ===========  ==========
    mean, not centred         0.31
    mean, centred             0.35
    fisher, 1 component       0.38         0.40
    fisher, 4 components      0.34         0.40
    fisher, 16 components     0.36         0.38
    fisher, 64 components     0.37         0.38
    ========================  ===========  ==========

    References
    ----------
    .. [1] X. Chang, Y.-L. Yu, Y. Yang and E. P. Xing, "Semantic pooling for complex event analysis in untrimmed
       videos", IEEE TPAMI 39(8), 2017.

    Examples
    --------
    >>> from widemargin.words import WordVectors, phrase_vectors
    >>> words = WordVectors(["dog", "puppy", "car"], [[1.0, 0.1], [0.9, 0.3], [0.1, 1.0]])
    >>> vectors = phrase_vectors(["a dog", "the puppy", "a dog in a car"], words)
    >>> (vectors @ vectors[0]).round(2).tolist()
    [1.0, 0.9, -0.9]
    """
    embedding = default_word_vectors() if embedding is None else embedding
    encoder = PhraseEncoder(embedding, method, n_components, power, center)
    sets, unknown = known_words(phrases, embedding)
    words = [word for of_phrase in unknown for word in of_phrase]
    warn_of_unknown("phrases has words", words, "They are left out.", stacklevel=2)
    return encoder.encode(sets)


@dataclass(frozen=True)
class PhraseEncoder:
    """How the vectors of the words of a phrase become one vector of length 1; the parameters of `phrase_vectors`."""

    embedding: WordVectors
    method: str
    n_components: int
    power: bool
    center: bool

    def __post_init__(self) -> None:
        check_choice("method", self.method, METHODS)
        check_integer("n_components", self.n_components, at_least=1)
        check_flag("power", self.power)
        check_flag("center", self.center)

    def encode(self, sets: Sequence[Sequence[int]]) -> Array:
        """Return one vector a set of rows of the embedding, of length 1, or zeros if it is empty."""
        vectors = [self.embedding.vectors[list(rows)] for rows in sets]
        if self.method == "fisher":
            mixture = mixture_of_words(self.embedding, self.n_components)
            return fisher_vectors(vectors, mixture, power=self.power, normalize=True)
        means = np.zeros((len(sets), self.embedding.n_dimensions))
        usual = self.embedding.frequent.mean(axis=0) if self.center else 0.0
        for k, of_phrase in enumerate(vectors):
            if len(of_phrase):
                means[k] = of_phrase.mean(axis=0, dtype=np.float64) - usual
        lengths = np.linalg.norm(means, axis=1, keepdims=True)
        return means / np.where(lengths > 0, lengths, 1.0)


def known_words(phrases: Sequence[str], embedding: WordVectors) -> tuple[list[list[int]], list[list[str]]]:
    """Look up the words of phrases.

    A compound that is not known, such as "horse-riding" or "HorseRiding", is looked up by its parts.

    Parameters
    ----------
    phrases : sequence of str
        The phrases.
    embedding : WordVectors
        The word vectors.

    Returns
    -------
    known : list of list of int
        For each phrase, the rows of its words.
    unknown : list of list of str
        For each phrase, its words of which no part is known, in lower case.

    Raises
    ------
    TypeError
        If a phrase is no str, or `phrases` is one itself.
    """
    if isinstance(phrases, str):
        raise TypeError(
            f"phrases must be a sequence of str, got the str {phrases!r}: pass a list of phrases."
        )
    known: list[list[int]] = []
    unknown: list[list[str]] = []
    for phrase in phrases:
        known.append([])
        unknown.append([])
        for token in find_tokens(phrase):
            row = embedding.find(token.word)
            found = [embedding.find(part) for part in token.parts] if row is None else [row]
            rows = [part for part in found if part is not None]
            known[-1] += rows
            if not rows:
                unknown[-1].append(token.word)
    return known, unknown
