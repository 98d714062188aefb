"""Naive twins of the partial AUC's bound: every ordering, or every rank of every positive."""

from itertools import permutations

import numpy as np
from scipy.optimize import LinearConstraint, minimize


def value_by_orderings(positive_scores, negative_scores, start, stop, structural=False):
    """Maximum over all orders of the negatives and all places of the positives among them, ranks in whole numbers."""
    m, n = len(positive_scores), len(negative_scores)
    last = n if structural else stop
    best = -np.inf
    for order in permutations(negative_scores):
        total = 0.0
        for s in positive_scores:
            total += max(
                sum(order[j] - s for j in range(r)) + min(max(r - start, 0), stop - start)
                for r in range(last + 1)
            )
        best = max(best, total)
    return best / (m * (stop - start))


def value_by_ranks(scores, positive, start, stop, weight=None, structural=False):
    """Maximum over a list of ranks that holds every kink, in units of weight."""
    weight = np.ones(len(scores)) if weight is None else weight
    order = np.argsort(-scores[~positive])
    t, v = scores[~positive][order], weight[~positive][order]
    ends = np.concatenate([[0.0], np.cumsum(v)])
    area = np.concatenate([[0.0], np.cumsum(v * t)])
    last = ends[-1] if structural else stop
    ranks = np.unique(np.concatenate([ends[ends <= last], [start, stop]]))
    integral = np.interp(ranks, ends, area)
    loss = np.clip(ranks - start, 0.0, stop - start)
    gains = [np.max(integral - ranks * s + loss) for s in scores[positive]]
    return float(weight[positive] @ gains) / (weight[positive].sum() * (stop - start))


def all_cuts(positive, start, stop, structural=False):
    """Offset and vector of every ordering, for a handful of samples and ranks in whole numbers."""
    rows, columns = np.flatnonzero(positive), np.flatnonzero(~positive)
    m, n = rows.size, columns.size
    last = n if structural else stop
    scale = 1.0 / (m * (stop - start))
    places = np.stack(np.meshgrid(*[np.arange(last + 1)] * m, indexing="ij"), axis=-1).reshape(-1, m)
    cuts = {}
    for order in permutations(columns, last):
        for place in places:
            vector = np.zeros(m + n)
            vector[rows] = place * scale
            for j, column in enumerate(order):
                vector[column] = -scale * np.sum(place > j)
            offset = scale * float(np.clip(place - start, 0, stop - start).sum())
            cuts[tuple(np.round(vector / scale).astype(int)), round(offset / scale)] = (offset, vector)
    offsets, vectors = zip(*cuts.values(), strict=True)
    return np.array(offsets), np.array(vectors)


def worst_cut_by_ranks(scores, positive, start, stop, weight=None):
    """Offset and vector of a most violated ordering for the tight bound; negatives of equal score in any order."""
    weight = np.ones(len(scores)) if weight is None else weight
    negatives = np.flatnonzero(~positive)
    negatives = negatives[np.argsort(-scores[negatives], kind="stable")]
    ends = np.concatenate([[0.0], np.cumsum(weight[negatives])])
    area = np.concatenate([[0.0], np.cumsum((weight * scores)[negatives])])
    ranks = np.unique(np.concatenate([ends[ends <= stop], [start, stop]]))
    integral = np.interp(ranks, ends, area)
    scale = 1.0 / (weight[positive].sum() * (stop - start))
    offset, vector = 0.0, np.zeros(len(scores))
    for i in np.flatnonzero(positive):
        r = ranks[np.argmax(integral - ranks * scores[i] + np.clip(ranks - start, 0.0, stop - start))]
        offset += scale * weight[i] * np.clip(r - start, 0.0, stop - start)
        vector[i] = scale * weight[i] * r
        covered = np.clip(r - ends[:-1], 0.0, weight[negatives])
        vector[negatives] -= scale * weight[i] * covered
    return offset, vector


def minimise_over_weights(H, positive, start, stop, nu, weight=None):
    """Minimise 1/2 |w|^2 + nu R(H w) over w >= 0 by cuts, each model by a general solver; the value at its end."""
    offsets, rows = [], []
    w, slack = np.zeros(H.shape[1]), 0.0
    for _ in range(500):
        offset, vector = worst_cut_by_ranks(H @ w, positive, start, stop, weight)
        if offset - vector @ H @ w <= slack + 1e-9:
            return 0.5 * w @ w + nu * slack
        offsets.append(offset)
        rows.append(vector @ H)
        w, slack = minimise_model(np.array(offsets), np.array(rows), nu, w)
    raise AssertionError("500 cuts are not enough")


def minimise_model(offsets, rows, nu, w):
    """Minimise 1/2 |w|^2 + nu max(0, max_k offsets[k] - rows[k] @ w) over w >= 0, from a start."""
    solution = minimize(
        lambda z: 0.5 * z[:-1] @ z[:-1] + nu * z[-1],
        np.append(w, max(0.0, (offsets - rows @ w).max())),
        jac=lambda z: np.append(z[:-1], nu),
        bounds=[(0.0, None)] * (w.size + 1),
        constraints=LinearConstraint(np.column_stack([rows, np.ones(offsets.size)]), lb=offsets),
        method="SLSQP",
        options={"ftol": 1e-13, "maxiter": 500},
    )
    return solution.x[:-1], solution.x[-1]
