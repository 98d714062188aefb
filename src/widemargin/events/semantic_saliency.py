"""Semantic saliency: how much a shot shows of the concepts that are relevant to an event."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from widemargin.validation import check_features_finite, check_numbers

__all__ = ["semantic_saliency"]


def semantic_saliency(
    concept_probabilities: npt.ArrayLike, relevance: npt.ArrayLike
) -> npt.NDArray[np.float64]:
    r"""Score shots by the concepts they show, each weighted by its relevance to the event.

    The saliency of a shot with concept probabilities p for an event with relevance r is

    .. math:: s = \langle p, r \rangle = \sum_{k=1}^c p_k r_k ,

    equation (1) of Chang, Yu, Yang and Xing, "Semantic pooling for complex event analysis in untrimmed videos", IEEE
    TPAMI 39(8), 2017. It may be negative, since a relevance may be.

    Parameters
    ----------
    concept_probabilities : array-like of shape (..., n_concepts)
        Probability of each concept in each shot, at least 0; of any number of axes, say (n_shots, n_concepts) for one
        video. The probabilities of a shot need not sum to 1.
    relevance : array-like of shape (n_concepts,) or (n_events, n_concepts)
        Relevance of each concept to the event, or to each of several events.

    Returns
    -------
    ndarray of shape (...) or (n_events, ...)
        Saliency of each shot; for several events, one such array an event.

    Raises
    ------
    ValueError
        If the numbers of concepts differ, a value is not finite, or a probability is negative.

    Examples
    --------
    >>> from widemargin.events.semantic_saliency import semantic_saliency
    >>> probabilities = [[0.9, 0.1], [0.2, 0.8]]
    >>> semantic_saliency(probabilities, [1.0, -0.5]).round(2).tolist()
    [0.85, -0.2]
    >>> semantic_saliency(probabilities, [[1.0, 0.0], [0.0, 1.0]]).tolist()
    [[0.9, 0.2], [0.1, 0.8]]
    """
    probabilities = check_numbers("concept_probabilities", concept_probabilities)
    weights = check_numbers("relevance", relevance)
    if weights.ndim not in (1, 2):
        raise ValueError(
            f"relevance has shape {weights.shape}, expected (n_concepts,) or (n_events, n_concepts): pass one number a "
            "concept, or one row of them an event."
        )
    if probabilities.ndim < 1 or probabilities.shape[-1] != weights.shape[-1]:
        raise ValueError(
            f"concept_probabilities has shape {probabilities.shape}, relevance has {weights.shape[-1]} concepts: the "
            "last axis must have one probability for each concept of the relevance, in the same order."
        )
    check_features_finite("concept_probabilities", probabilities)
    check_features_finite("relevance", weights)
    if probabilities.size and probabilities.min() < 0:
        raise ValueError(
            f"concept_probabilities must not be negative, got {probabilities.min():g}: pass probabilities, not scores "
            "before the softmax or sigmoid."
        )
    saliency: npt.NDArray[np.float64] = probabilities @ weights.T
    return np.moveaxis(saliency, -1, 0) if weights.ndim == 2 else saliency
