"""The columns of the paper's tables: what each method sees of a video, and what it is trained with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import Pipeline

from widemargin.events import AveragePooling, NearlyIsotonicSVC
from widemargin.experiments.events.bags import View
from widemargin.experiments.ranking.contenders import options

__all__ = [
    "FINE",
    "Choices",
    "Entrant",
    "choices_words",
    "configurations",
    "first_shots",
    "logistic_regression",
    "nearly_isotonic",
]

Loss = Literal["squared_hinge", "squared"]
Penalty = Literal["l2", "l1"]

_PREFIX = {"squared_hinge": "SVM", "squared": "LS"}


@dataclass(frozen=True)
class Choices:
    """The values among which cross-validation chooses.

    Parameters
    ----------
    isotonic_alphas : tuple of float
        Weights of the isotonic penalty, decreasing.
    alphas, l1_alphas : tuple of float
        Weights of the l2 and of the l1 penalty, decreasing.
    Cs : tuple of float
        Values of C of other learners, increasing.
    numbers_of_shots : tuple of int
        How many shots the mean of few is taken of, increasing.
    """

    # On these videos 0.1 orders the weights completely: a larger one changes nothing, as the sensitivity shows.
    isotonic_alphas: tuple[float, ...] = (1e-1, 1e-2, 1e-3)
    alphas: tuple[float, ...] = (1.0, 1e-1, 1e-2, 1e-3, 1e-4)
    # Above 0.03 no weight is left; below 0.001 the objective tells features apart by little but the number of steps.
    l1_alphas: tuple[float, ...] = (3e-2, 1e-2, 3e-3, 1e-3)
    Cs: tuple[float, ...] = (1.0, 1e1, 1e2, 1e3, 1e4, 1e5)
    numbers_of_shots: tuple[int, ...] = (1, 2, 3, 5, 8, 12, 20)

    def alphas_of(self, penalty: Penalty) -> tuple[float, ...]:
        """Return the weights of a penalty.

        Parameters
        ----------
        penalty : {"l2", "l1"}
            The penalty.

        Returns
        -------
        tuple of float
            Decreasing.
        """
        return self.alphas if penalty == "l2" else self.l1_alphas


FINE = Choices()
"""The values of the experiments as they are meant to run."""

TOLERANCE = 1e-3
"""Stationarity at which trainings of the nearly-isotonic SVM stop."""


@dataclass(frozen=True, eq=False)
class Entrant:
    """A method with everything that is tried for it.

    Parameters
    ----------
    key : str
        Start of the names of its columns in a results table.
    name : str
        What readers call it.
    sees : str
        What it sees of a video, in small print.
    view : View
        The same for `Trial.seen`.
    estimator : classifier
        What is cloned and trained.
    grid : mapping of str to sequence of float
        Values of at most two parameters, of which all combinations are tried.
    """

    key: str
    name: str
    sees: str
    view: View
    estimator: Any
    grid: Mapping[str, Sequence[float]]

    @property
    def shape(self) -> tuple[int, ...]:
        """Numbers of values of the parameters."""
        return tuple(len(values) for values in self.grid.values())

    @property
    def settings(self) -> tuple[dict[str, float], ...]:
        """All combinations, the last parameter changing fastest."""
        return options(**self.grid)


def configurations(loss: Loss, penalty: Penalty, choices: Choices) -> tuple[Entrant, ...]:
    """Return the seven columns of one half of Tables 1, 2 and 9.

    All are the same learner with the same loss and penalty, so that they differ in nothing but the shots that they see
    and in the isotonic penalty: a pooled video is a video of one shot.

    Parameters
    ----------
    loss : {"squared_hinge", "squared"}
        The loss.
    penalty : {"l2", "l1"}
        The penalty beside the isotonic one.
    choices : Choices
        What cross-validation chooses from.

    Returns
    -------
    tuple of Entrant
        Pooling first.
    """
    prefix = _PREFIX[loss]
    plain = NearlyIsotonicSVC(isotonic_alpha=0.0, loss=loss, penalty=penalty, tol=TOLERANCE)
    grid = {"alpha": choices.alphas_of(penalty)}
    start = f"{loss}_{penalty}"
    return (
        Entrant(f"{start}_average", f"{prefix}_A", "mean of the shots", "average", plain, grid),
        Entrant(f"{start}_maximum", f"{prefix}_M", "maximum of the shots", "maximum", plain, grid),
        Entrant(f"{start}_ordered", f"{prefix}_T", "shots by saliency", "saliency", plain, grid),
        nearly_isotonic(f"{start}_ni1", f"NI-{prefix}_1", loss, penalty, choices, norm=1),
        nearly_isotonic(f"{start}_ni1p", f"NI-{prefix}_1+", loss, penalty, choices, norm=1, nonnegative=True),
        nearly_isotonic(f"{start}_ni2", f"NI-{prefix}_2", loss, penalty, choices, norm=2),
        nearly_isotonic(f"{start}_ni2p", f"NI-{prefix}_2+", loss, penalty, choices, norm=2, nonnegative=True),
    )


def nearly_isotonic(
    key: str,
    name: str,
    loss: Loss,
    penalty: Penalty,
    choices: Choices,
    *,
    norm: Literal[1, 2],
    order: str = "nearly_isotonic",
    nonnegative: bool = False,
    view: View = "saliency",
    sees: str = "shots by saliency",
) -> Entrant:
    """Return a nearly-isotonic SVM, of which both penalties' weights are chosen.

    Parameters
    ----------
    key, name : str
        As in `Entrant`.
    loss : {"squared_hinge", "squared"}
        The loss.
    penalty : {"l2", "l1"}
        The penalty beside the isotonic one.
    choices : Choices
        What cross-validation chooses from.
    norm : {1, 2}
        Whether every feature is penalised along the shots, or the norms of the shots.
    order : str, default="nearly_isotonic"
        The isotonic penalty.
    nonnegative : bool, default=False
        Whether weights are at least 0.
    view, sees : str
        What it sees.

    Returns
    -------
    Entrant
        The method.
    """
    estimator = NearlyIsotonicSVC(
        loss=loss, penalty=penalty, norm=norm, order=order, nonnegative=nonnegative, tol=TOLERANCE
    )
    # The isotonic weight changes fastest: solutions that differ in it alone are close, which saves two thirds of the
    # steps of trainings that start from each other.
    grid = {"alpha": choices.alphas_of(penalty), "isotonic_alpha": choices.isotonic_alphas}
    return Entrant(key, name, sees, view, estimator, grid)


def first_shots(key: str, choices: Choices) -> Entrant:
    """Return the learner of SVM_A on the mean of the few most salient shots, whose number is chosen, too.

    Parameters
    ----------
    key : str
        As in `Entrant`.
    choices : Choices
        What cross-validation chooses from.

    Returns
    -------
    Entrant
        The method.
    """
    learner = NearlyIsotonicSVC(isotonic_alpha=0.0, n_shots=1, tol=TOLERANCE)
    estimator = Pipeline([("pool", AveragePooling()), ("svm", learner)])
    grid = {"pool__n_first": choices.numbers_of_shots, "svm__alpha": choices.alphas}
    return Entrant(key, "SVM_A of few", "mean of the most salient shots", "saliency", estimator, grid)


def logistic_regression(key: str, view: View, sees: str, choices: Choices) -> Entrant:
    """Return what a user would try first: scikit-learn's logistic regression on one row of features a video.

    Parameters
    ----------
    key : str
        As in `Entrant`.
    view, sees : str
        What it sees.
    choices : Choices
        What cross-validation chooses from.

    Returns
    -------
    Entrant
        The method.
    """
    return Entrant(
        key, "logistic regression", sees, view, LogisticRegression(max_iter=2000), {"C": choices.Cs}
    )


def choices_words(choices: Choices, *, others: str = "") -> str:
    """Say for a protocol what cross-validation chooses from.

    Parameters
    ----------
    choices : Choices
        The values.
    others : str, default=""
        Learners that have C, joined by "and"; leave it empty if there is none.

    Returns
    -------
    str
        Parameters and values.
    """
    text = (
        f"isotonic_alpha {_listed(choices.isotonic_alphas)}; alpha {_listed(choices.alphas)} for l2, "
        f"{_listed(choices.l1_alphas)} for l1"
    )
    return text + (f"; C of {others} {_listed(choices.Cs)}" if others else "")


def _listed(values: Sequence[float]) -> str:
    return ", ".join(f"{value:g}" for value in values)
