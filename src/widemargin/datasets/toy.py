"""Toy problems of which the answer is known."""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
import numpy.typing as npt
from sklearn.utils import check_random_state

from widemargin.validation import check_choice, check_integer, check_number

__all__ = ["make_privileged_classification", "make_ring_classification"]

FloatArray = npt.NDArray[np.float64]
PrivilegedKind = Literal["distance", "clean", "relevant", "random"]


def make_privileged_classification(
    n_samples: int = 100,
    n_features: int = 20,
    n_privileged_features: int | None = None,
    *,
    n_informative: int | None = None,
    noise: float = 1.0,
    privileged: PrivilegedKind = "distance",
    class_sep: float = 0.0,
    random_state: int | np.random.RandomState | None = None,
) -> tuple[FloatArray, npt.NDArray[np.int64], FloatArray]:
    r"""Generate a binary problem whose privileged features are known to help, or known not to.

    A clean point :math:`z \sim N(0, I)` has the label of its side of a random plane through the origin,
    :math:`y = [\langle w, z \rangle > 0]` with :math:`\|w\| = 1`, and is moved by `class_sep` away from the plane
    to its own side. Only :math:`x = z + \text{noise} \cdot \varepsilon` with :math:`\varepsilon \sim N(0, I)` is
    observed. `privileged` chooses what the teacher shows of it, after the settings of [1]_ and [2]_:

    - ``"distance"``: the signed distance :math:`\langle w, z \rangle` of the clean point to the plane, that is
      the easiness of the sample itself; one feature.
    - ``"clean"``: the clean features :math:`z`; by default all of them.
    - ``"relevant"``: the observed features on which the plane depends, the others left out; by default all
      `n_informative` of them. The lesson is which features to look at.
    - ``"random"``: Gaussian noise that is independent of everything else; by default `n_features` features.
      A control: whatever a method gains here it does not owe to the privileged features.

    One `random_state` gives the same `X` and `y` with every kind of privileged features, so that the kinds
    can be compared on the same samples.

    Parameters
    ----------
    n_samples : int, default=100
        Number of samples, at least 1. Labels are drawn, hence balanced only on average.
    n_features : int, default=20
        Number of observed features, at least 1.
    n_privileged_features : int, default=None
        Number of privileged features, at least 1: the first ones of the kind, informative ones first. At most
        1, `n_features` and `n_informative` for "distance", "clean" and "relevant". None takes the default
        of the kind.
    n_informative : int, default=None
        Number of features on which the plane depends, in [1, `n_features`]; their places are random. None
        takes one in five, at least one.
    noise : float, default=1.0
        Standard deviation of the noise on each observed feature, at least 0.
    privileged : {"distance", "clean", "relevant", "random"}, default="distance"
        Kind of the privileged features.
    class_sep : float, default=0.0
        Clean points keep at least this distance from the plane, at least 0.
    random_state : int, RandomState instance or None, default=None
        Seed of all draws.

    Returns
    -------
    X : ndarray of shape (n_samples, n_features)
        Observed features.
    y : ndarray of int of shape (n_samples,)
        Labels 0 and 1.
    X_privileged : ndarray of shape (n_samples, n_privileged_features)
        Privileged features.

    Raises
    ------
    TypeError
        If a number of samples or features is not an integer, or `noise` or `class_sep` is not a number.
    ValueError
        If a parameter is outside its range.

    References
    ----------
    .. [1] V. Vapnik and A. Vashist, "A new learning paradigm: learning using privileged information", Neural
       Networks 22, 2009.
    .. [2] D. Lopez-Paz, L. Bottou, B. Schölkopf and V. Vapnik, "Unifying distillation and privileged
       information", ICLR 2016, section 5.

    Examples
    --------
    >>> from widemargin.datasets.toy import make_privileged_classification
    >>> X, y, X_privileged = make_privileged_classification(50, 10, noise=2.0, random_state=0)
    >>> X.shape, y.shape, X_privileged.shape
    ((50, 10), (50,), (50, 1))
    >>> bool(((X_privileged[:, 0] > 0) == y).all())
    True
    """
    n_samples = check_integer("n_samples", n_samples, at_least=1)
    n_features = check_integer("n_features", n_features, at_least=1)
    noise = check_number("noise", noise, at_least=0)
    class_sep = check_number("class_sep", class_sep, at_least=0)
    check_choice("privileged", privileged, get_args(PrivilegedKind))
    if n_informative is None:
        n_informative = max(1, n_features // 5)
    n_informative = check_integer("n_informative", n_informative, at_least=1)
    if n_informative > n_features:
        raise ValueError(
            f"n_informative must lie in [1, n_features = {n_features}], got {n_informative}: "
            "raise n_features, or use None for one in five."
        )
    n_shown = _n_privileged(privileged, n_privileged_features, n_features, n_informative)

    rng = check_random_state(random_state)
    informative_first = rng.permutation(n_features)
    informative = informative_first[:n_informative]
    normal = np.zeros(n_features)
    normal[informative] = rng.normal(size=n_informative)
    normal /= np.linalg.norm(normal)
    clean = rng.normal(size=(n_samples, n_features))
    distance = clean @ normal
    side = np.where(distance > 0, 1.0, -1.0)
    clean += np.outer(class_sep * side, normal)
    observed = clean + noise * rng.normal(size=clean.shape)

    if privileged == "distance":
        shown = (distance + class_sep * side)[:, None]
    elif privileged == "clean":
        shown = clean.take(informative_first[:n_shown], axis=1)
    elif privileged == "relevant":
        shown = observed.take(informative[:n_shown], axis=1)
    else:
        shown = rng.normal(size=(n_samples, n_shown))
    return observed, (side > 0).astype(np.int64), shown


def make_ring_classification(
    n_per_class: int = 200,
    *,
    random_state: int | np.random.RandomState | None = None,
) -> tuple[FloatArray, npt.NDArray[np.int64]]:
    r"""Generate positives in a disc and negatives in a ring around it, the two overlapping.

    Points are drawn in polar coordinates, as for Figure 4 of [1]_. All angles are uniform in :math:`[0, 2\pi]`. The
    radius of a positive is uniform in [0, 1.5], so that positives are densest in the centre; the radius of a negative
    is normal with mean 2 and standard deviation 0.4. One negative in ten lies among the positives: no classifier
    reaches a true positive rate of 1 at a low false positive rate, and where it errs is a choice.

    Parameters
    ----------
    n_per_class : int, default=200
        Number of positives, and of negatives, at least 1.
    random_state : int, RandomState instance or None, default=None
        Seed of all draws.

    Returns
    -------
    X : ndarray of shape (2 * n_per_class, 2)
        Points in the plane, positives first.
    y : ndarray of int of shape (2 * n_per_class,)
        Labels 1 and 0.

    Raises
    ------
    TypeError
        If `n_per_class` is not an integer.
    ValueError
        If `n_per_class` is not positive.

    References
    ----------
    .. [1] S. Paisitkriangkrai, C. Shen and A. van den Hengel, "Pedestrian detection with spatially pooled features
       and structured ensemble learning", IEEE Transactions on Pattern Analysis and Machine Intelligence 38(6), 2016.

    Examples
    --------
    >>> import numpy as np
    >>> from widemargin.datasets import make_ring_classification
    >>> X, y = make_ring_classification(100, random_state=0)
    >>> radius = np.linalg.norm(X, axis=1)
    >>> X.shape, bool(radius[y == 1].max() <= 1.5)
    ((200, 2), True)
    """
    n_per_class = check_integer("n_per_class", n_per_class, at_least=1)
    rng = check_random_state(random_state)
    radius = np.concatenate([rng.uniform(0, 1.5, size=n_per_class), rng.normal(2, 0.4, size=n_per_class)])
    angle = rng.uniform(0, 2 * np.pi, size=2 * n_per_class)
    X = radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    return X, np.repeat(np.array([1, 0]), n_per_class)


def _n_privileged(kind: PrivilegedKind, asked: int | None, n_features: int, n_informative: int) -> int:
    """Return the number of privileged features, checked against what the kind has."""
    largest: dict[PrivilegedKind, float] = {
        "distance": 1,
        "clean": n_features,
        "relevant": n_informative,
        "random": np.inf,
    }
    if asked is None:
        return n_features if kind == "random" else int(largest[kind])
    asked = check_integer("n_privileged_features", asked, at_least=1)
    if asked > largest[kind]:
        raise ValueError(
            f"n_privileged_features must lie in [1, {largest[kind]}] for privileged={kind!r}, got {asked}: "
            "None takes the default of the kind."
        )
    return asked
