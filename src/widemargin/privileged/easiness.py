"""From people's rankings of images to margins.

Section 6 of Sharmanska, Quadrianto and Lampert, "Learning to transfer privileged information",
arXiv:1410.0389, 2014: :func:`aggregate_easiness` turns many people's partial rankings into one score an
image, :func:`easiness_to_margins` turns scores into the margins that a Margin Transfer classifier takes.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.exceptions import ConvergenceWarning

from widemargin.metrics.inputs import real_array
from widemargin.privileged._plackett_luce import Ranking, minimise
from widemargin.validation import check_integer, check_number

__all__ = ["EasinessScores", "aggregate_easiness", "easiness_to_margins"]

FloatArray = npt.NDArray[np.float64]
# The items of a ranking by their indices: tied groups, the easiest first.
Groups = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, eq=False)
class EasinessScores:
    """Easiness of every item, with the certificate of how exactly it was found.

    Parameters
    ----------
    items : tuple of hashable
        The items.
    scores : ndarray of shape (n_items,)
        Easiness of each item: log-odds, greater is easier, 0 is average.
    n_rankings : ndarray of int of shape (n_items,)
        Number of rankings each item appears in. An item in none has the score 0, for want of evidence.
    objective : float
        Value of the minimised objective at `scores`.
    error_bound : float
        The Euclidean distance of `scores` from the exact minimiser is at most this.
    n_iter : int
        Newton steps taken.
    converged : bool
        Whether `error_bound` reached the tolerance.
    """

    items: tuple[Hashable, ...]
    scores: FloatArray
    n_rankings: npt.NDArray[np.int64]
    objective: float
    error_bound: float
    n_iter: int
    converged: bool

    def as_dict(self) -> dict[Hashable, float]:
        """Return the scores by item.

        Returns
        -------
        dict of hashable to float
            The score of every item.
        """
        return dict(zip(self.items, self.scores.tolist(), strict=True))


def aggregate_easiness(
    rankings: Iterable[Sequence[Any]],
    *,
    items: Sequence[Hashable] | None = None,
    alpha: float = 1e-3,
    tol: float = 1e-6,
    max_iter: int = 100,
) -> EasinessScores:
    r"""Merge people's rankings of overlapping sets of images into one easiness score an image.

    Solves, over one score :math:`s_i` an item, the strictly convex problem

    .. math:: \min_s\ \sum_{r} \sum_{g} \Big( |G_{rg}| \log \sum_{j \in R_{rg}} e^{s_j}
              - \sum_{i \in G_{rg}} s_i \Big) + \frac{\alpha}{2} \|s\|^2 ,

    where person `r` picks the group :math:`G_{rg}` in step `g` out of the items :math:`R_{rg}` that are still
    on the table. This is the Plackett-Luce model [1]_, [2]_ of choosing the easiest first, then the easiest
    of the rest, and so on, which is how the study of [4]_ asked its participants. Several items picked at
    once are handled as Breslow does tied survival times [3]_: each was picked out of the same set, so ties
    draw scores together. The losses are summed over steps and rankings.

    The penalty is a Gaussian prior with variance ``1 / alpha``. It keeps the score of an item that is always
    (or never) picked first finite, and makes sets of items that no ranking links comparable: within each
    linked set the scores sum to zero, so an average image of one set equals an average image of another.
    Score each class apart, or together: unlinked sets do not influence each other.

    Parameters
    ----------
    rankings : iterable of sequences
        One sequence a ranking, from easiest to hardest. An entry is an item, or a list, set or frozenset of
        items picked at once. Tuples and strings are items. Rankings may cover different items; one with a
        single entry carries no information.
    items : sequence of hashable, default=None
        Items to score, which sets the order of the result and may include items that nobody ranked. None
        takes all ranked items in the order in which `rankings` mentions them.
    alpha : float, default=0.001
        Weight of the penalty, positive. A small one recovers the order whenever all rankings agree with one:
        for 57 images in windows of 5 that share one image, 0.001 puts all neighbours in order, 0.1 only 77 %.
        On noisy rankings the two were equally good (Kendall's tau with the truth within 0.006).
    tol : float, default=1e-6
        The scores are this close to the exact minimiser, in Euclidean distance, positive.
    max_iter : int, default=100
        Largest number of Newton steps, at least 1.

    Returns
    -------
    EasinessScores
        Items, scores and certificate: the objective is strongly convex with modulus `alpha`, hence the
        distance to the minimiser is at most the gradient's norm divided by `alpha`. The order of the
        rankings does not matter. Memory and each Newton step's work grow with the square of the number of
        items and of every ranking's length; a factorisation adds the cube of the number of items.

    Raises
    ------
    ValueError
        If there is no ranking, a ranking or a group is empty, an item comes twice in one ranking or is
        missing in `items`, `items` repeats an item, an item is a missing value such as NaN, or a parameter is
        outside its range; also an `alpha` so small beside the rankings that double precision loses it.
    TypeError
        If `rankings`, a ranking or `items` is not a sequence (a string, a mapping; a set has no order), an item
        is not hashable, or a parameter is not a number.

    Warns
    -----
    ConvergenceWarning
        If `max_iter` steps, or the accuracy of floating point, did not reach `tol`.

    References
    ----------
    .. [1] R. L. Plackett, "The analysis of permutations", Applied Statistics 24, 1975.
    .. [2] D. R. Hunter, "MM algorithms for generalized Bradley-Terry models", Annals of Statistics 32, 2004.
    .. [3] N. Breslow, "Covariance analysis of censored survival data", Biometrics 30, 1974.
    .. [4] V. Sharmanska, N. Quadrianto and C. H. Lampert, "Learning to transfer privileged information",
       arXiv:1410.0389, 2014, section 6.

    Examples
    --------
    >>> from widemargin.privileged.easiness import aggregate_easiness, easiness_to_margins
    >>> rankings = [["clear", "small", "hidden"], ["clear", ["small", "dark"], "hidden"], ["small", "hidden"]]
    >>> easiness = aggregate_easiness(rankings)
    >>> sorted(easiness.items, key=easiness.as_dict().get, reverse=True)
    ['clear', 'small', 'dark', 'hidden']
    >>> easiness_to_margins(easiness.scores).round(2)
    array([2., 1., 0., 1.])
    """
    alpha = check_number("alpha", alpha, above=0)
    tol = check_number("tol", tol, above=0)
    max_iter = check_integer("max_iter", max_iter, at_least=1)
    names, ranked = _index_rankings(rankings, items)
    # Sorted, so that sums come out the same to the last bit whatever the order of the rankings.
    distinct = [Ranking.from_groups(groups, n_people) for groups, n_people in sorted(Counter(ranked).items())]
    scores, objective, error_bound, n_iter = minimise(
        distinct, len(names), alpha=alpha, tol=tol, max_iter=max_iter
    )
    converged = error_bound <= tol
    if not converged:
        remedy = (
            "raise max_iter, tol or alpha" if n_iter == max_iter else "it is rounding, raise tol or alpha"
        )
        warnings.warn(
            f"easiness scores are known to {error_bound:.1e} only after {n_iter} Newton steps, tol is "
            f"{tol:.1e}: {remedy}.",
            ConvergenceWarning,
            stacklevel=2,
        )
    n_rankings = np.zeros(len(names), dtype=np.int64)
    for ranking in distinct:
        n_rankings[ranking.items] += ranking.n_people
    return EasinessScores(tuple(names), scores, n_rankings, objective, error_bound, n_iter, converged)


def easiness_to_margins(
    scores: npt.ArrayLike | EasinessScores,
    *,
    score_range: tuple[float, float] | None = None,
    feature_range: tuple[float, float] = (0.0, 2.0),
) -> FloatArray:
    """Map easiness scores linearly to margins, so that hard samples ask for small margins.

    With the default range, margins below 1 mark samples harder and above 1 samples easier than an ordinary
    SVM, whose margins are all 1, would take them (section 6 of [1]_). The margins are not floored here:
    `MarginTransferSVC` raises given margins to its `epsilon`, as it does with learned ones.

    Parameters
    ----------
    scores : array-like of shape (n_samples,) or EasinessScores
        Easiness, greater is easier; finite.
    score_range : tuple of (float, float), default=None
        Scores that map to the ends of `feature_range`, such as ``(1, 16)`` for ranks among 16 images. None
        takes the smallest and largest score; scores that are all equal then map to the middle.
    feature_range : tuple of (float, float), default=(0, 2)
        Margins of the hardest and of the easiest sample, increasing and not negative.

    Returns
    -------
    ndarray of shape (n_samples,)
        The margins.

    Raises
    ------
    ValueError
        If a score is masked, not finite or outside `score_range`, or a range is not two increasing numbers.

    References
    ----------
    .. [1] V. Sharmanska, N. Quadrianto and C. H. Lampert, "Learning to transfer privileged information",
       arXiv:1410.0389, 2014.

    Examples
    --------
    >>> from widemargin.privileged.easiness import easiness_to_margins
    >>> easiness_to_margins([1, 8.5, 16], score_range=(1, 16))
    array([0., 1., 2.])
    """
    if isinstance(scores, EasinessScores):
        scores = scores.scores
    scores = real_array("scores", scores)
    if scores.ndim != 1 or scores.size == 0 or not np.isfinite(scores).all():
        raise ValueError(
            f"scores must be at least one finite number a sample in one dimension, got shape {scores.shape} "
            f"with {np.count_nonzero(~np.isfinite(scores))} that are not finite: score every sample."
        )
    low_margin, high_margin = _increasing(feature_range, "feature_range")
    if low_margin < 0:
        raise ValueError(
            f"feature_range must not be negative, got {feature_range!r}: margins are at least 0."
        )
    if score_range is None:
        low, high = float(scores.min()), float(scores.max())
        if low == high:
            return np.full(scores.shape, low_margin / 2 + high_margin / 2)
    else:
        low, high = _increasing(score_range, "score_range")
        outside = (scores < low) | (scores > high)
        if outside.any():
            raise ValueError(
                f"scores must lie in score_range {score_range!r}, got {scores[outside][0]!r} at index "
                f"{np.flatnonzero(outside)[0]}: widen score_range, or use None to take it from the scores."
            )
    # In a unit that is a power of two, exact, in which differences of the largest numbers are finite.
    exponent = -int(np.frexp(max(abs(low), abs(high)))[1])
    unit_low, unit_high = np.ldexp(low, exponent), np.ldexp(high, exponent)
    share = (np.ldexp(scores, exponent) - unit_low) / (unit_high - unit_low)
    return low_margin * (1 - share) + high_margin * share


def _index_rankings(
    rankings: Iterable[Sequence[Any]], items: Sequence[Hashable] | None
) -> tuple[list[Hashable], list[Groups]]:
    """Items in order, and every ranking as sorted groups of their indices."""
    if isinstance(rankings, str | bytes | Mapping) or not _iterates(rankings):
        raise TypeError(f"rankings must be a sequence of rankings, got {rankings!r}: pass a list of lists.")
    place: dict[Hashable, int] = {}
    if items is not None:
        for item in _ordered("items", items):
            _check_item("items", item)
            if item in place:
                raise ValueError(f"items has {item!r} twice: list every item once.")
            place[item] = len(place)
    ranked = []
    for number, ranking in enumerate(rankings):
        name = f"rankings[{number}]"
        groups = _groups(name, ranking)
        members = [item for group in groups for item in group]
        if items is None:
            for item in members:
                place.setdefault(item, len(place))
        for item, count in Counter(members).items():
            if item not in place:
                raise ValueError(f"{name} has {item!r}, which is not in items: add it there.")
            if count > 1:
                raise ValueError(f"{name} has {item!r} {count} times: rank an item once.")
        ranked.append(tuple(tuple(sorted(place[item] for item in group)) for group in groups))
    if not ranked:
        raise ValueError("rankings is empty: pass at least one ranking.")
    return list(place), ranked


def _groups(name: str, ranking: Any) -> list[list[Hashable]]:
    """Items picked in each step, with one in most of them."""
    groups = []
    for entry in _ordered(name, ranking):
        tied = isinstance(entry, list | set | frozenset | np.ndarray) and _iterates(entry)
        group = list(entry) if tied else [entry]
        if not group:
            raise ValueError(f"{name} has an empty group: drop it.")
        for item in group:
            _check_item(name, item)
        groups.append(group)
    if not groups:
        raise ValueError(f"{name} is empty: drop it.")
    return groups


def _ordered(name: str, values: Any) -> Iterable[Any]:
    if isinstance(values, str | bytes | set | frozenset | Mapping) or not _iterates(values):
        raise TypeError(f"{name} must be an ordered sequence of items, got {values!r}: pass a list of them.")
    return values


def _iterates(values: Any) -> bool:
    return isinstance(values, Iterable) and not (isinstance(values, np.ndarray) and values.ndim == 0)


def _check_item(name: str, item: Any) -> None:
    if _is_missing(item):
        raise ValueError(f"{name} has {item!r}, a missing value and no item: leave out what was not ranked.")
    try:
        hash(item)
    except TypeError as error:
        raise TypeError(
            f"{name} has the item {item!r}, which is unhashable: name items by strings, numbers or tuples of them."
        ) from error


def _is_missing(item: Any) -> bool:
    """NaN, NaT, NA and masked values: as items, each would differ from every other and from itself."""
    if isinstance(item, tuple):
        return any(map(_is_missing, item))
    if item is np.ma.masked or not isinstance(item, Hashable):
        return item is np.ma.masked
    try:
        return bool(item != item)
    except TypeError:  # NA of pandas is neither equal nor unequal
        return True


def _increasing(bounds: Any, name: str) -> tuple[float, float]:
    values = list(bounds) if _iterates(bounds) and not isinstance(bounds, str | bytes) else []
    numbers = [float(value) for value in values if isinstance(value, Real)]
    if not (len(values) == len(numbers) == 2 and np.isfinite(numbers).all() and numbers[0] < numbers[1]):
        raise ValueError(
            f"{name} must be two finite increasing numbers, got {bounds!r}: pass a tuple (low, high)."
        )
    return numbers[0], numbers[1]
