"""From the saliency of shots to their order: which shot takes which position, and which positions are really ordered.

Position j of video i for class e is the video's own shot ``order[i, e, j]``, the most salient first (the permutations
P of section 6 of Chang, Yu, Yang and Xing, "Semantic pooling for complex event analysis in untrimmed videos", IEEE
TPAMI 39(8), 2017; section 3.4 has them for one event). Shots of nearly equal saliency may be left unordered, the
paper's partial ordering: their positions then belong to one group, in which shots keep their order in time.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import numpy.typing as npt

from widemargin.metrics.inputs import real_array
from widemargin.validation import check_features_finite

__all__ = ["check_saliency", "pair_weights", "saliency_order"]


def check_saliency(
    saliency: Any, n_videos: int, n_shots: int, n_classes: int, *, warn_if_constant: bool = True
) -> npt.NDArray[np.float64]:
    """Return the saliency of shots as an array, or say what is wrong with it.

    Parameters
    ----------
    saliency : array-like of shape (n_videos, n_shots), or (n_videos, n_classes, n_shots) for more than two classes
        What the user passed: for two classes the saliency of each shot for ``classes_[1]``, else for each class in
        the order of ``classes_``; larger is more salient.
    n_videos, n_shots : int
        Of X.
    n_classes : int
        Number of classes, at least 2.
    warn_if_constant : bool, default=True
        Whether to warn if no video has shots of different saliency. Single videos may well have none, so that this
        suits `fit`.

    Returns
    -------
    ndarray of float64 of that shape
        The saliency.

    Raises
    ------
    ValueError
        If the shape is not that, or a value is masked, not finite or no number.

    Warns
    -----
    UserWarning
        If the saliency is constant in every video, so that all shots keep their own order.
    """
    array = real_array("saliency", saliency)
    expected = (n_videos, n_shots) if n_classes == 2 else (n_videos, n_classes, n_shots)
    if array.shape != expected:
        raise ValueError(
            f"saliency has shape {array.shape}, expected {expected}: {_shape_remedy(array.shape, expected, n_shots)}"
        )
    check_features_finite("saliency", array)
    if warn_if_constant and n_shots > 1 and (array == array[..., :1]).all():
        warnings.warn(
            "saliency is constant in every video, so that all shots keep their own order: pass a saliency that tells "
            "shots apart, or saliency=None if the shots are in order already.",
            UserWarning,
            stacklevel=4,
        )
    return array


def saliency_order(
    saliency: npt.NDArray[np.floating[Any]], tie_tolerance: float = 0.0
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.bool_]]:
    """Order the shots of each video by saliency, descending; equally salient shots stay in time order.

    Two shots that follow each other in this order are tied if their saliency differs by less than `tie_tolerance`. A
    chain of ties is one group, even if its ends differ by more, and a group's shots are put back in time order.

    Parameters
    ----------
    saliency : ndarray of shape (n_videos, n_shots) or (n_videos, n_classes, n_shots)
        Finite saliency of each video's own shots, in time order.
    tie_tolerance : float, default=0.0
        Smallest difference that orders two shots, at least 0, in the unit of `saliency`. With 0 all positions are
        ordered, those of exactly equal shots by time.

    Returns
    -------
    order : ndarray of int32 of shape (n_videos, n_classes, n_shots)
        Own shot at each position; C-contiguous. ``n_classes`` is 1 for saliency of two dimensions.
    separated : ndarray of bool of shape (n_videos, n_classes, n_shots - 1)
        Whether positions j and j + 1 are in different groups.
    """
    stacked = saliency[:, None, :] if saliency.ndim == 2 else saliency
    by_saliency = np.argsort(-stacked, axis=-1, kind="stable")
    ordered = np.take_along_axis(stacked, by_saliency, axis=-1)
    with np.errstate(over="ignore"):
        # A difference beyond float64 is infinite, and so no tie.
        separated = ordered[..., :-1] - ordered[..., 1:] >= tie_tolerance
    if not separated.all():
        # Groups are consecutive, so that sorting by group and then by time moves no shot out of its group.
        n_shots = stacked.shape[-1]
        first_key = np.zeros_like(by_saliency)
        np.cumsum(separated, axis=-1, out=first_key[..., 1:])
        first_key *= n_shots
        by_saliency += first_key
        by_saliency.sort(axis=-1)
        by_saliency -= first_key
    return np.ascontiguousarray(by_saliency, dtype=np.int32), separated


def pair_weights(
    separated: npt.NDArray[np.bool_], sample_weight: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    """Return the share of the videos in which two neighbouring positions are ordered.

    It weighs the pair's term in the order's penalty: a pair that is tied in every video costs nothing, and one that is
    ordered in all costs what it does without ties.

    Parameters
    ----------
    separated : ndarray of bool of shape (n_videos, n_classes, n_shots - 1)
        Whether positions j and j + 1 are in different groups, from `saliency_order`.
    sample_weight : ndarray of shape (n_videos,)
        Weights of the videos, at least 0 and not all 0.

    Returns
    -------
    ndarray of shape (n_classes, n_shots - 1)
        Shares from 0 to 1; exactly 0 or 1 where all videos of positive weight agree.
    """
    # No sum overflows, and scaling by a power of two rounds nothing.
    weight = np.ldexp(sample_weight, -int(np.frexp(sample_weight.max())[1]))
    ordered = np.einsum("i,iej->ej", weight, separated)
    # The same kind of sum for the rest: a total that is rounded otherwise would make some shares of 1 slightly smaller.
    tied = np.einsum("i,iej->ej", weight, ~separated)
    return np.asarray(ordered / (ordered + tied))


def _shape_remedy(shape: tuple[int, ...], expected: tuple[int, ...], n_shots: int) -> str:
    """Say how to mend saliency of a wrong shape, by the kind of mistake."""
    n_videos, multiclass = expected[0], len(expected) == 3
    if len(shape) == len(expected) and sorted(shape) == sorted(expected):
        wanted = "one row per video, and one column per shot"
        if multiclass:
            wanted = "videos along the first axis, classes along the second, and shots along the third"
        return f"its axes seem to be in another order; put {wanted}, with np.transpose."
    if shape == (n_videos,):
        return "it has one value per video; pass one for each shot of each video, in the order of the shots in X."
    if shape == (n_shots,):
        return (
            "it has the shots of one video; pass a row for each video, or a single video as X[None] with "
            "saliency[None]."
        )
    if multiclass and shape == (n_videos, n_shots):
        return (
            "it does not tell the classes apart; pass the saliency of each shot for each class, in the order of "
            f"classes_. If it is the same for all, pass np.repeat(saliency[:, None], {expected[1]}, axis=1)."
        )
    if not multiclass and len(shape) == 3 and (shape[0], shape[2]) == expected:
        return (
            "for two classes pass the saliency of each shot for classes_[1] alone; where the second axis holds the "
            "two classes this is saliency[:, 1]."
            if shape[1] == 2
            else "for two classes pass the saliency of each shot for classes_[1] alone, without an axis for classes."
        )
    if len(shape) == len(expected):
        axes = ("videos", "classes", "shots") if multiclass else ("videos", "shots")
        wrong = [
            f"{given} {axis} where {wanted} belong"
            for axis, given, wanted in zip(axes, shape, expected, strict=True)
            if given != wanted
        ]
        return f"it has {' and '.join(wrong)}; pass the saliency of the same videos and shots as in X."
    per_class = ", one row per class" if multiclass else ""
    return f"pass one value for each shot of each video{per_class}."
