"""What the paper on Margin Transfer prints about bounding boxes, beside what we find.

Tables 2 and 3 and section 4.2 of V. Sharmanska, N. Quadrianto and C. H. Lampert, "Learning to transfer privileged
information", arXiv:1410.0389, 2014.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from widemargin.experiments.accuracy import AccuracyStudy
from widemargin.experiments.printed_tables import PrintedLine, compare_printed_lead, lines_of, read_printed
from widemargin.experiments.summary import Claim, Comparison, compare_with_paper

__all__ = ["compare_with_boxes", "printed_group"]

TABLES = {"snakes": "Table 2 (snakes)", "balls": "Table 3 (balls)"}

LEADS = (
    ("margin_transfer", "svm", "Margin Transfer is above the SVM"),
    ("svm_plus", "svm", "SVM+ is above the SVM"),
    ("svm_plus", "margin_transfer", "SVM+ is above Margin Transfer"),
    ("reference", "svm", "The SVM on the box is above the SVM on the image"),
)


@cache
def _printed() -> tuple[PrintedLine, ...]:
    return read_printed("bounding_boxes_printed.csv")


def printed_group(group: str) -> list[PrintedLine]:
    """Return the printed lines of a group of classes.

    Parameters
    ----------
    group : str
        Name of the group.

    Returns
    -------
    list of PrintedLine
        The 17 lines of ``snakes``, the 6 of ``balls``, and all 23 for any other group, which has no table of its own.
    """
    return [line for line in _printed() if line.group == group] or list(_printed())


def compare_with_boxes(study: AccuracyStudy, group: str) -> list[Comparison]:
    """Put the results of a group beside the paper's.

    Parameters
    ----------
    study : AccuracyStudy
        Our accuracies on the classes of the group.
    group : str
        Its name.

    Returns
    -------
    list of Comparison
        One line a claim.
    """
    printed = printed_group(group)
    source = TABLES.get(group, "Tables 2 and 3")
    comparable = {line.task for line in lines_of(study, printed)} == {line.task for line in printed}
    prefix = f"{group}: "
    lines = [
        compare_printed_lead(study, printed, first, second, prefix + statement, source, comparable=comparable)
        for first, second, statement in LEADS
    ]
    return [*lines, _compare_profit(study, printed, source, prefix, comparable)]


def _compare_profit(
    study: AccuracyStudy, printed: Sequence[PrintedLine], source: str, prefix: str, comparable: bool
) -> Comparison:
    """Count the tasks on which the SVM alone is not the best."""
    profit = sum("svm" not in line.best for line in printed)
    competitors = [method.key for method in study.competitors]
    ours = sum(
        max(means) > svm
        for svm, *means in zip(*(study.means(key) for key in ("svm", *competitors)), strict=True)
    )
    claim = Claim(
        f"{prefix}A method with privileged information is above the SVM",
        source,
        f"{profit} of {len(printed)}",
        profit,
    )
    return compare_with_paper(
        claim,
        f"{ours} of {len(study.tasks)}",
        value=ours if comparable else None,
        decimals=0,
        sentence=(
            "Not tested: the better of two methods is above a third that is as good on two tasks of three by chance. "
            "The paper's text says all cases but one in the two tables; they show two."
        ),
    )
