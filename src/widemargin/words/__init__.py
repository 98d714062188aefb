"""Words as vectors: how relevant a concept is to an event described in words."""

from __future__ import annotations

from widemargin.words.errors import UnknownWordsWarning, WordVectorsError
from widemargin.words.phrases import phrase_vectors
from widemargin.words.reading import read_word_vectors
from widemargin.words.relevance import concept_relevance
from widemargin.words.stop_words import STOP_WORDS
from widemargin.words.tokens import split_words
from widemargin.words.word_vectors import WordVectors, default_word_vectors

__all__ = [
    "STOP_WORDS",
    "UnknownWordsWarning",
    "WordVectors",
    "WordVectorsError",
    "concept_relevance",
    "default_word_vectors",
    "phrase_vectors",
    "read_word_vectors",
    "split_words",
]
