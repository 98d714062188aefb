"""From people's rankings of images to margins.

Section 6 of Sharmanska, Quadrianto and Lampert, "Learning to transfer privileged information",
arXiv:1410.0389, 2014: :func:`aggregate_easiness` turns many people's partial rankings into one score an
image, :func:`easiness_to_margins` turns scores into the margins that a Margin Transfer classifier takes.
"""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.linalg import cho_factor, cho_solve
from sklearn.exceptions import ConvergenceWarning

__all__ = ["EasinessScores", "aggregate_easiness", "easiness_to_margins"]

FloatArray = npt.NDArray[np.float64]
# The items of a ranking by their indices: tied groups, the easiest first.
Groups = tuple[tuple[int, ...], ...]


class _Choices(NamedTuple):
    """A ranking as the steps of choosing the easiest of what is left."""

    items: npt.NDArray[np.intp]  # indices, easiest first
    sizes: npt.NDArray[np.intp]  # number of items picked in each step
    starts: npt.NDArray[np.intp]  # position of each step's first item in `items`
    available: npt.NDArray[np.bool_]  # (n_steps, n_items): still on the table
    n_people: int  # how many people gave this ranking


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
        rankings does not matter. Memory grows with the square of the number of items.

    Raises
    ------
    ValueError
        If there is no ranking, a ranking or a group is empty, an item comes twice in one ranking or is
        missing in `items`, `items` repeats an item, or a parameter is outside its range.
    TypeError
        If a ranking is a string or an item is not hashable.

    Warns
    -----
    ConvergenceWarning
        If `max_iter` steps did not reach `tol`.

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
    for name, value in (("alpha", alpha), ("tol", tol)):
        if not (np.isfinite(value) and value > 0):
            raise ValueError(f"{name} must be a positive number, got {value!r}.")
    if max_iter < 1:
        raise ValueError(f"max_iter must be at least 1, got {max_iter!r}.")
    alpha = float(alpha)
    names, ranked = _index_rankings(rankings, items)
    # Sorted, so that sums come out the same to the last bit whatever the order of the rankings.
    distinct = [_choices(groups, n_people) for groups, n_people in sorted(Counter(ranked).items())]

    scores = np.zeros(len(names))
    objective, gradient, hessian = _penalised_loss(scores, distinct, alpha)
    n_iter = 0
    while (error_bound := float(np.linalg.norm(gradient) / alpha)) > tol and n_iter < max_iter:
        step = -cho_solve(cho_factor(hessian), gradient)
        slope = float(gradient @ step)
        scores, (objective, gradient, hessian) = _line_search(scores, step, slope, objective, distinct, alpha)
        n_iter += 1

    converged = error_bound <= tol
    if not converged:
        warnings.warn(
            f"easiness scores are known to {error_bound:.1e} only after {n_iter} Newton steps, tol is "
            f"{tol:.1e}: raise max_iter, tol or alpha.",
            ConvergenceWarning,
            stacklevel=2,
        )
    n_rankings = np.zeros(len(names), dtype=np.int64)
    for ranking in distinct:
        n_rankings[ranking.items] += ranking.n_people
    return EasinessScores(tuple(names), scores, n_rankings, objective, error_bound, n_iter, converged)


def easiness_to_margins(
    scores: npt.ArrayLike,
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
    scores : array-like of shape (n_samples,)
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
        If a score is not finite or outside `score_range`, or a range is not increasing.

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
    scores = np.asarray(scores, dtype=np.float64)
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
        low, high = scores.min(), scores.max()
        if low == high:
            return np.full(scores.shape, (low_margin + high_margin) / 2)
    else:
        low, high = _increasing(score_range, "score_range")
        outside = (scores < low) | (scores > high)
        if outside.any():
            raise ValueError(
                f"scores must lie in score_range {score_range!r}, got {scores[outside][0]!r} at index "
                f"{np.flatnonzero(outside)[0]}: widen score_range, or use None to take it from the scores."
            )
    share = (scores - low) / (high - low)
    return low_margin * (1 - share) + high_margin * share


def _index_rankings(
    rankings: Iterable[Sequence[Any]], items: Sequence[Hashable] | None
) -> tuple[list[Hashable], list[Groups]]:
    """Items in order, and every ranking as sorted groups of their indices."""
    place: dict[Hashable, int] = {}
    for item in items if items is not None else ():
        if place.setdefault(item, len(place)) != len(place) - 1:
            raise ValueError(f"items has {item!r} twice: list every item once.")
    ranked = []
    for number, ranking in enumerate(rankings):
        if isinstance(ranking, str):
            raise TypeError(f"rankings[{number}] is the string {ranking!r}: pass a sequence of items.")
        groups = []
        for entry in ranking:
            members = list(entry) if isinstance(entry, (list, set, frozenset, np.ndarray)) else [entry]
            if not members:
                raise ValueError(f"rankings[{number}] has an empty group: drop it.")
            if items is None:
                for item in members:
                    place.setdefault(item, len(place))
            for item in members:
                if item not in place:
                    raise ValueError(f"rankings[{number}] has {item!r}, which is not in items: add it there.")
            groups.append(tuple(sorted(place[item] for item in members)))
        seen = Counter(i for group in groups for i in group)
        if not seen:
            raise ValueError(f"rankings[{number}] is empty: drop it.")
        index, count = seen.most_common(1)[0]
        if count > 1:
            raise ValueError(
                f"rankings[{number}] has {list(place)[index]!r} {count} times: rank an item once."
            )
        ranked.append(tuple(groups))
    if not ranked:
        raise ValueError("rankings is empty: pass at least one ranking.")
    return list(place), ranked


def _choices(groups: Groups, n_people: int) -> _Choices:
    sizes = np.array([len(group) for group in groups])
    starts = np.cumsum(sizes) - sizes
    items = np.array([i for group in groups for i in group])
    return _Choices(items, sizes, starts, np.arange(items.size) >= starts[:, None], n_people)


def _penalised_loss(
    scores: FloatArray, rankings: Sequence[_Choices], alpha: float
) -> tuple[float, FloatArray, FloatArray]:
    """Objective, gradient and Hessian of :func:`aggregate_easiness`."""
    objective = alpha / 2 * float(scores @ scores)
    gradient = alpha * scores
    hessian = np.diag(np.full(scores.size, alpha))
    for members, sizes, starts, available, n_people in rankings:
        utility = scores[members]
        log_total = np.logaddexp.accumulate(utility[::-1])[::-1][starts]
        # Probability of each item in each step, 0 for those that are off the table.
        chosen = np.exp(np.where(available, utility - log_total[:, None], -np.inf))
        expected = sizes @ chosen
        objective += n_people * float(sizes @ log_total - scores[members].sum())
        gradient[members] += n_people * (expected - 1)
        hessian[np.ix_(members, members)] += n_people * (
            np.diag(expected) - chosen.T @ (sizes[:, None] * chosen)
        )
    return objective, gradient, hessian


def _line_search(
    scores: FloatArray,
    step: FloatArray,
    slope: float,
    objective: float,
    rankings: Sequence[_Choices],
    alpha: float,
) -> tuple[FloatArray, tuple[float, FloatArray, FloatArray]]:
    """Halve the Newton step until the objective falls by a part of what its slope promises."""
    length = 1.0
    while True:
        trial = _penalised_loss(scores + length * step, rankings, alpha)
        # Close to the minimum the fall is below rounding: accept what does not rise beyond it.
        rounding = 1e-12 * max(1.0, abs(objective))
        if trial[0] <= objective + 1e-4 * length * slope + rounding:
            return scores + length * step, trial
        length /= 2


def _increasing(bounds: tuple[float, float], name: str) -> tuple[float, float]:
    low, high = bounds
    if not (np.isfinite(low) and np.isfinite(high) and low < high):
        raise ValueError(f"{name} must be two finite increasing numbers, got {bounds!r}.")
    return float(low), float(high)
