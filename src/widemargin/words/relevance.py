"""How relevant each concept is to an event that is described in words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from widemargin.words.phrases import phrase_vectors
from widemargin.words.word_vectors import WordVectors, default_word_vectors

__all__ = ["UnknownWordsWarning", "concept_relevance"]


class UnknownWordsWarning(UserWarning):
    """Words that have no vector are left out."""


def concept_relevance(
    description: str,
    concept_names: Sequence[str],
    embedding: WordVectors | None = None,
    *,
    method: str = "mean",
    n_components: int = 16,
    n_concepts: int | None = None,
) -> npt.NDArray[np.float64]:
    """Return the cosine similarity of each concept with the description."""
    embedding = default_word_vectors() if embedding is None else embedding
    event = phrase_vectors([description], embedding, method=method, n_components=n_components)[0]
    return phrase_vectors(concept_names, embedding, method=method, n_components=n_components) @ event
