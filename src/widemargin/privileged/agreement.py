"""Whether people and classifiers find the same samples easy.

Section 6 and Figure 3 of Sharmanska, Quadrianto and Lampert, "Learning to transfer privileged information",
arXiv:1410.0389, 2014, and beside their coefficient one that the labels alone cannot raise.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from widemargin.metrics import kendall_tau
from widemargin.metrics.inputs import real_array
from widemargin.validation import check_labels

__all__ = [
    "EasinessAgreement",
    "EasinessAgreementMatrix",
    "easiness_agreement",
    "easiness_agreement_matrix",
]

FloatArray = npt.NDArray[np.float64]
SourcePair = tuple[str, str]
_SOURCES = ("decision", "privileged_decision", "human_scores")


@dataclass(frozen=True, eq=False)
class EasinessAgreement:
    """Kendall's tau between every two sources of easiness on one binary task.

    Keys are pairs of the sources "decision", "privileged_decision" and "human_scores", in this order.

    Parameters
    ----------
    overall : dict of tuple of (str, str) to float
        Tau over all samples of the signed values, as in the paper. The labels alone make it large.
    within_class : dict of tuple of (str, str) to float
        Mean of the classes' coefficients in `per_class`, weighted by their numbers of pairs of samples.
    per_class : dict of tuple of (str, str) to dict of label to float
        Tau of the easiness among the samples of each class.
    n_samples : dict of label to int
        Number of samples of each class, the negative class first.
    """

    overall: dict[SourcePair, float]
    within_class: dict[SourcePair, float]
    per_class: dict[SourcePair, dict[Hashable, float]]
    n_samples: dict[Hashable, int]


@dataclass(frozen=True, eq=False)
class EasinessAgreementMatrix:
    """Agreement of two sources of easiness for every pair of classes, as in Figure 3 of the paper.

    Parameters
    ----------
    classes : tuple of labels
        Classes of the rows and columns.
    between : tuple of (str, str)
        The two sources.
    overall : ndarray of shape (n_classes, n_classes)
        Symmetric: tau over all samples of the task; NaN on the diagonal and for tasks that were not given.
    within_class : ndarray of shape (n_classes, n_classes)
        Symmetric: tau within the two classes of the task, which the labels alone cannot raise.
    """

    classes: tuple[Hashable, ...]
    between: SourcePair
    overall: FloatArray
    within_class: FloatArray


def easiness_agreement(
    y: npt.ArrayLike,
    *,
    decision: npt.ArrayLike | None = None,
    privileged_decision: npt.ArrayLike | None = None,
    human_scores: npt.ArrayLike | None = None,
    pos_label: Hashable | None = None,
) -> EasinessAgreement:
    r"""Measure how far people and classifiers agree on which samples are easy, by Kendall's tau-b.

    With labels :math:`y_i = \pm 1`, decision values :math:`f_i` and human scores :math:`e_i \ge 0`, `overall` is
    the paper's coefficient: tau over all samples between :math:`f_i`, :math:`f^*_i` and :math:`e_i y_i`. Pairs
    of samples of unlike class dominate it: they agree as soon as both sources get the labels right, so with
    two balanced classes random scores already reach about 0.5. Easiness itself lives within a class, where
    tau compares :math:`y_i f_i`, :math:`y_i f^*_i` and :math:`e_i`. The sign is the same for all samples of a
    class and cancels in tau, but it gives the coefficient its meaning in both: positive if samples far on the
    right side of one plane are far on the right side of the other, or easy for people. Scores that tell
    nothing but the class give 0 on average, or NaN if they are constant.

    Parameters
    ----------
    y : array-like of shape (n_samples,)
        Labels of two classes.
    decision : array-like of shape (n_samples,), default=None
        Decision values in the original space, positive for the positive class. Out-of-sample values are
        the better evidence; the paper takes those of the training samples.
    privileged_decision : array-like of shape (n_samples,), default=None
        Decision values in the privileged space.
    human_scores : array-like of shape (n_samples,), default=None
        Easiness for people, not negative: a negative score times the label would count for the other class.
    pos_label : label, default=None
        The positive class. None takes the last label in sorted order, like scikit-learn's classifiers.

    Returns
    -------
    EasinessAgreement
        Coefficients for every two of the sources given.

    Raises
    ------
    ValueError
        If fewer than two sources are given, lengths differ, a value is masked, not finite or no number, a
        human score is negative, `y` mixes types or does not have two classes, or `pos_label` is not one of
        them.

    References
    ----------
    .. [1] V. Sharmanska, N. Quadrianto and C. H. Lampert, "Learning to transfer privileged information",
       arXiv:1410.0389, 2014, section 6.

    Examples
    --------
    >>> from widemargin.privileged.agreement import easiness_agreement
    >>> y = ["rat", "rat", "rat", "seal", "seal", "seal"]
    >>> result = easiness_agreement(y, decision=[-3, -2, -1, 1, 2, 3], human_scores=[9, 5, 7, 7, 5, 9])
    >>> {key: round(tau, 2) for key, tau in result.overall.items()}
    {('decision', 'human_scores'): 0.73}
    >>> {key: round(tau, 2) for key, tau in result.within_class.items()}
    {('decision', 'human_scores'): 0.33}
    """
    labels, sign = _signed_labels(y, pos_label)
    given = dict(zip(_SOURCES, (decision, privileged_decision, human_scores), strict=True))
    sources = {name: _values(array, sign.size, name) for name, array in given.items() if array is not None}
    if len(sources) < 2:
        raise ValueError(
            f"got {len(sources)} of decision, privileged_decision and human_scores: pass at least two to compare."
        )
    if human_scores is not None:
        if sources["human_scores"].min() < 0:
            raise ValueError(
                f"human_scores must not be negative, got {sources['human_scores'].min()}: pass "
                "easiness_to_margins(human_scores), which keeps their order."
            )
        sources["human_scores"] = sources["human_scores"] * sign

    overall, within, per_class = {}, {}, {}
    members = [sign < 0, sign > 0]
    n_pairs = np.array([member.sum() * (member.sum() - 1) / 2 for member in members])
    for pair in combinations(sources, 2):
        first, second = sources[pair[0]], sources[pair[1]]
        overall[pair] = kendall_tau(first, second)
        taus = np.array([kendall_tau(first[member], second[member]) for member in members])
        per_class[pair] = dict(zip(labels, taus.tolist(), strict=True))
        known = np.isfinite(taus)
        within[pair] = float(np.average(taus[known], weights=n_pairs[known])) if known.any() else float("nan")
    n_samples = {label: int(member.sum()) for label, member in zip(labels, members, strict=True)}
    return EasinessAgreement(overall, within, per_class, n_samples)


def easiness_agreement_matrix(
    agreements: Mapping[tuple[Hashable, Hashable], EasinessAgreement],
    between: SourcePair = ("decision", "privileged_decision"),
    *,
    classes: Sequence[Hashable] | None = None,
) -> EasinessAgreementMatrix:
    """Arrange the agreement on many binary tasks as a symmetric matrix over the classes.

    Parameters
    ----------
    agreements : mapping of tuple of (label, label) to EasinessAgreement
        For every binary task its two classes, in either order, and what :func:`easiness_agreement` returned.
    between : tuple of (str, str), default=("decision", "privileged_decision")
        The two sources to compare, in either order.
    classes : sequence of labels, default=None
        Order of the rows and columns. None takes the order in which `agreements` mentions them.

    Returns
    -------
    EasinessAgreementMatrix
        The overall and the within-class coefficients.

    Raises
    ------
    TypeError
        If `agreements` does not map pairs of labels to agreements, or `classes` is a string.
    ValueError
        If a task has two equal classes, comes in both orders, has a class that `classes` lacks, or was not
        given both sources; if `classes` repeats a class, or `between` is not two different sources.

    Examples
    --------
    >>> from widemargin.privileged.agreement import easiness_agreement, easiness_agreement_matrix
    >>> task = easiness_agreement([0, 0, 1, 1], decision=[-2, -1, 1, 2], privileged_decision=[-1, -2, 1, 3])
    >>> easiness_agreement_matrix({("cat", "dog"): task}).within_class
    array([[nan,  0.],
           [ 0., nan]])
    """
    between = _source_pair(between)
    _check_tasks(agreements)
    names = list(dict.fromkeys(label for task in agreements for label in task))
    names = names if classes is None else _distinct(classes)
    place = {name: k for k, name in enumerate(names)}
    overall = np.full((len(names), len(names)), np.nan)
    within = overall.copy()
    for (first, second), agreement in agreements.items():
        task = f"task ({first!r}, {second!r})"
        if first == second or (second, first) in agreements:
            raise ValueError(f"{task} has equal classes or comes in both orders: pass every pair once.")
        if first not in place or second not in place:
            raise ValueError(f"classes lacks a class of {task}: add it.")
        pair = between if between in agreement.overall else between[::-1]
        if pair not in agreement.overall:
            raise ValueError(
                f"{task} was not given both {between[0]!r} and {between[1]!r}: choose between from "
                f"{', '.join(map(repr, agreement.overall))}."
            )
        row, column = place[first], place[second]
        overall[row, column] = overall[column, row] = agreement.overall[pair]
        within[row, column] = within[column, row] = agreement.within_class[pair]
    return EasinessAgreementMatrix(tuple(names), between, overall, within)


def _source_pair(between: Any) -> SourcePair:
    pair = tuple(between) if isinstance(between, tuple | list) else ()
    if len(pair) != 2 or pair[0] == pair[1] or not all(source in _SOURCES for source in pair):
        raise ValueError(
            f"between must be two of {', '.join(map(repr, _SOURCES))}, got {between!r}: pass a pair such as "
            f"{_SOURCES[:2]}."
        )
    return pair


def _check_tasks(agreements: Any) -> None:
    if not isinstance(agreements, Mapping):
        raise TypeError(f"agreements must be a mapping, got {type(agreements).__name__}: pass a dict.")
    for task, agreement in agreements.items():
        pair = isinstance(task, tuple) and len(task) == 2
        if not (pair and isinstance(agreement, EasinessAgreement)):
            raise TypeError(
                f"agreements must map pairs of classes to results of easiness_agreement, got the key {task!r} with "
                f"a value of type {type(agreement).__name__}: use keys such as ('cat', 'dog')."
            )


def _distinct(classes: Any) -> list[Hashable]:
    if isinstance(classes, str | bytes) or not isinstance(classes, Iterable):
        raise TypeError(
            f"classes must be a sequence of labels, got {classes!r}: pass a list with every label."
        )
    names = list(classes)
    for k, name in enumerate(names):
        if name in names[:k]:
            raise ValueError(f"classes has {name!r} twice: list every class once.")
    return names


def _signed_labels(y: Any, pos_label: Hashable | None) -> tuple[list[Hashable], FloatArray]:
    """Negative and positive label, and -1 or 1 a sample."""
    if np.ma.is_masked(y):
        raise ValueError("y has masked labels: drop their samples from every array.")
    array = np.asarray(y)
    if array.ndim != 1:
        raise ValueError(f"y must be one-dimensional, got shape {array.shape}.")
    if not isinstance(y, np.ndarray) and array.dtype.kind in "US":
        # NumPy turns [1, "a"] into ["1", "a"], objects keep their types.
        array = np.array(list(y), dtype=object)
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        bad = np.flatnonzero(~np.isfinite(array))[0]
        raise ValueError(f"y must be finite, got {array[bad]} at index {bad}: leave out that sample.")
    classes, codes = check_labels(array)
    labels = classes.tolist()
    if len(labels) != 2:
        raise ValueError(
            f"y must have two classes, got {len(labels)}: compare one pair of classes at a time."
        )
    sign = np.where(codes == 1, 1.0, -1.0)
    if pos_label is not None:
        if pos_label not in labels:
            raise ValueError(f"pos_label must be one of {labels}, got {pos_label!r}.")
        if pos_label == labels[0]:
            return labels[::-1], -sign
    return labels, sign


def _values(values: npt.ArrayLike, n_samples: int, name: str) -> FloatArray:
    array = real_array(name, values)
    if array.shape != (n_samples,):
        raise ValueError(
            f"{name} has shape {array.shape}, y has {n_samples} labels: pass one value a sample."
        )
    if not np.isfinite(array).all():
        bad = np.flatnonzero(~np.isfinite(array))[0]
        raise ValueError(f"{name} must be finite, got {array[bad]} at index {bad}: leave out that sample.")
    return array
