"""Figure 3 of the paper on Margin Transfer: agreement of people and of classifiers, for every pair of classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from matplotlib.figure import Figure

from widemargin.experiments.experiment import Drawing, Row
from widemargin.experiments.privileged_figures import describe_means, tau_matrices
from widemargin.plots import TauMatrixDisplay

__all__ = ["draw_human_agreement"]

TITLES = {
    "tau_human_privileged": "people and X*",
    "tau": "X and X*",
    "tau_human_decision": "people and X",
}


def draw_human_agreement(rows: Sequence[Row], pairs: Mapping[str, tuple[str, ...]]) -> list[Drawing]:
    """Draw the paper's three matrices, and the same within classes, where the labels alone make nothing agree.

    Parameters
    ----------
    rows : sequence of Row
        Rows with the column ``task`` and the coefficients of agreement.
    pairs : mapping of str to tuple of (str, str)
        The two classes of every task.

    Returns
    -------
    list of Drawing
        Two figures, with means over repeats in every cell.
    """
    return [
        _draw(
            rows,
            pairs,
            TITLES,
            "tau",
            "Do people and classifiers agree on which images are easy?",
            "over both classes, as in Figure 3 of the paper, where agreeing on the label alone makes tau large",
        ),
        _draw(
            rows,
            pairs,
            {f"{column}_within_class": title for column, title in TITLES.items()},
            "tau-within-class",
            "Do people and classifiers agree within a class?",
            "within each class, where only agreement on easiness counts",
        ),
    ]


def _draw(
    rows: Sequence[Row],
    pairs: Mapping[str, tuple[str, ...]],
    titles: Mapping[str, str],
    name: str,
    heading: str,
    place: str,
) -> Drawing:
    matrices, classes = tau_matrices(rows, pairs, titles)
    side = 0.4 * len(classes) + 0.8
    figure = Figure(figsize=(3 * side + 1.2, side + 0.4), layout="constrained")
    TauMatrixDisplay(matrices, classes).plot(list(figure.subplots(1, 3)))
    return Drawing(
        name=name,
        title=heading,
        caption=(
            f"Kendall's tau {place}, for every pair of classes, on the training images: between people's scores and "
            "the decision values of the SVM on X* (left), the SVMs on X and X* (middle), people's scores and the SVM "
            "on X (right)."
        ),
        alt=f"Three symmetric heat maps of Kendall's tau for every pair of classes; means: {describe_means(matrices)}.",
        figure=figure,
    )
