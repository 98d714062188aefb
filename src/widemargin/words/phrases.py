"""Phrases as vectors: the words of each, brought together in one vector."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from widemargin.validation import check_choice
from widemargin.words.tokens import find_tokens
from widemargin.words.word_vectors import WordVectors, default_word_vectors

__all__ = ["find_rows", "phrase_vectors"]

METHODS = ("fisher", "mean")


def phrase_vectors(
    phrases: Sequence[str],
    embedding: WordVectors | None = None,
    *,
    method: str = "mean",
    n_components: int = 16,
) -> npt.NDArray[np.float64]:
    """Return one vector of length 1 a phrase, zeros where no word is known."""
    check_choice("method", method, METHODS)
    embedding = default_word_vectors() if embedding is None else embedding
    result = np.zeros((len(phrases), embedding.n_dimensions))
    for k, phrase in enumerate(phrases):
        rows, _ = find_rows(phrase, embedding)
        if rows:
            result[k] = embedding.vectors[rows].mean(axis=0)
    norms = np.linalg.norm(result, axis=1, keepdims=True)
    return result / np.where(norms > 0, norms, 1)


def find_rows(phrase: str, embedding: WordVectors) -> tuple[list[int], list[str]]:
    """Return the rows of the words of a phrase, and the words that are not known."""
    rows: list[int] = []
    unknown: list[str] = []
    for token in find_tokens(phrase):
        row = embedding.find(token.word)
        parts = [embedding.find(part) for part in token.parts] if row is None else [row]
        known = [part for part in parts if part is not None]
        rows += known
        if not known:
            unknown.append(token.word)
    return rows, unknown
