"""The relevance of the network's concepts to events in words."""

from __future__ import annotations

import warnings
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from widemargin.experiments.video_events.indexing import concept_names
from widemargin.words import UnknownWordsWarning, concept_relevance

__all__ = ["relevance_of_events"]


@cache
def relevance_of_events(
    descriptions: tuple[str, ...],
    n_concepts: int | None = None,
    method: str = "fisher",
    sharpness: float = 1.0,
) -> npt.NDArray[Any]:
    """Return the relevance of the network's concepts to events in words; computed once in a process.

    Parameters
    ----------
    descriptions : tuple of str
        A few words on each event.
    n_concepts : int or None, default=None
        Keep so many most relevant concepts of each event; None keeps all.
    method, sharpness : str, float
        How words are compared, as in `concept_relevance`.

    Returns
    -------
    ndarray of shape (n_events, n_concepts)
        Relevance.
    """
    with warnings.catch_warnings():
        # Some breeds of dogs have no word vector: nothing that a reader of results needs to know.
        warnings.simplefilter("ignore", UnknownWordsWarning)
        return np.array(
            [
                concept_relevance(
                    text, concept_names(), method=method, n_concepts=n_concepts, sharpness=sharpness
                )
                for text in descriptions
            ]
        )
