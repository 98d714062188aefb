"""From the words of an event to the concepts of an index that have to do with it."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from widemargin.cli.errors import UsageError
from widemargin.cli.event_output import warnings_as_notes
from widemargin.words import UnknownWordsWarning, concept_relevance, read_word_vectors

__all__ = ["WordChoices", "leading_concepts", "relevance_of"]

Array = npt.NDArray[np.float64]

_SHARPNESS = 3.0
_MAX_SHARPNESS = 100.0


@dataclass(frozen=True)
class WordChoices:
    """How words become the relevance of concepts.

    Parameters
    ----------
    method : {"fisher", "mean"} or None
        How the vectors of words become one of a phrase; None takes the default of `concept_relevance`.
    n_concepts : int or None
        How many concepts count, the most relevant ones; None takes the default.
    sharpness : float or None
        Power to which relevance is raised, above 0 and at most 100; None takes 3. With the 1 of the paper, the many
        concepts that have little to do with an event drown the few that have much: see `concept_relevance` for what
        was measured.
    vectors : Path or None
        File of word vectors; None takes those that come with the package.
    """

    method: str | None = None
    n_concepts: int | None = None
    sharpness: float | None = None
    vectors: Path | None = None


def relevance_of(
    descriptions: Sequence[str],
    concept_names: Sequence[str],
    choices: WordChoices,
    *,
    tell_unknown_concepts: bool = False,
) -> Array:
    """Return the relevance of concepts to events, and say on stderr which words are not known.

    Parameters
    ----------
    descriptions : sequence of str
        The words of each event.
    concept_names : sequence of str
        Names of the concepts.
    choices : WordChoices
        How it is done.
    tell_unknown_concepts : bool, default=False
        Whether stderr also says of which concepts no word is known; with the default network it is always the same 15
        breeds of dogs and birds.

    Returns
    -------
    ndarray of shape (n_events, n_concepts)
        The relevance.

    Raises
    ------
    UsageError
        If a description is empty or has only unknown words, no concept has a known one, or a choice is out of its
        range.
    """
    if choices.n_concepts is not None and choices.n_concepts < 1:
        raise UsageError(f"--concepts is {choices.n_concepts}, but must be at least 1: give for instance 10.")
    sharpness = _SHARPNESS if choices.sharpness is None else choices.sharpness
    if not 0 < sharpness <= _MAX_SHARPNESS:
        raise UsageError(
            f"--sharpness is {sharpness:g}, but must be above 0 and at most {_MAX_SHARPNESS:g}: give for instance 3, "
            "or 1 for relevance as in the paper."
        )
    given: dict[str, Any] = {
        "method": choices.method,
        "n_concepts": choices.n_concepts,
        "sharpness": sharpness,
    }
    given = {name: value for name, value in given.items() if value is not None}
    try:
        embedding = None if choices.vectors is None else read_word_vectors(choices.vectors)
        with warnings_as_notes():
            if not tell_unknown_concepts:
                warnings.filterwarnings("ignore", "concept_names has", UnknownWordsWarning)
            rows = [concept_relevance(text, concept_names, embedding, **given) for text in descriptions]
    except ValueError as error:
        raise UsageError(str(error)) from error
    relevance = np.stack(rows)
    if not relevance.any(axis=1).all():
        raise UsageError(
            "No concept has anything to do with the words, because no word of the concepts' names is known: give word "
            "vectors that have them with --vectors."
        )
    return relevance


def leading_concepts(
    relevance: Array, concept_names: Sequence[str], n_best: int | None = None
) -> list[tuple[str, float]]:
    """Return the concepts that have most to do with an event.

    Parameters
    ----------
    relevance : ndarray of shape (n_concepts,)
        Relevance of each concept.
    concept_names : sequence of str
        Their names.
    n_best : int or None, default=None
        How many; None takes all whose relevance is not zero.

    Returns
    -------
    list of (str, float)
        Names and relevance, the most relevant first.
    """
    order = np.argsort(-relevance, kind="stable")[:n_best]
    return [(concept_names[place], float(relevance[place])) for place in order if relevance[place] != 0]
