"""Put claims about which of two methods is better beside our results, with the test that answers them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from widemargin.experiments.accuracy import AccuracyStudy
from widemargin.experiments.summary import (
    Answer,
    Claim,
    Comparison,
    answer_by_test,
    compare_with_paper,
    p_text,
    signed,
)

__all__ = ["compare_lead", "compare_means", "describe_test", "p_of_lead"]


def p_of_lead(study: AccuracyStudy, first: str, second: str, lead: int) -> float:
    """Test over the tasks whether one method is better than another, as a count of tasks says.

    Parameters
    ----------
    study : AccuracyStudy
        Our accuracies.
    first, second : str
        Keys of the methods.
    lead : int
        Tasks that speak for the first method minus tasks that speak for the second.

    Returns
    -------
    float
        P-value of the paired test, NaN if the means lean to another side than the count, or the count to none.
    """
    test = study.over_tasks(first, second)
    return test.p_value if test.mean_difference * lead > 0 else float("nan")


def describe_test(p_value: float) -> str:
    """Say what a test found.

    Parameters
    ----------
    p_value : float
        As `p_of_lead` returns it.

    Returns
    -------
    str
        A part of a sentence.
    """
    if np.isnan(p_value):
        return "the number of tasks and the mean accuracy do not lean to the same side"
    return f"{p_text(p_value)}, " + ("significant" if p_value <= 0.05 else "not significant")


def compare_lead(
    study: AccuracyStudy,
    first: str,
    second: str,
    claim: Claim,
    *,
    leads_in_paper: bool = True,
    comparable: bool,
    remark: str = "",
) -> Comparison:
    """Compare on how many tasks one method is above another; the tendency agrees if the same one is above on most.

    Parameters
    ----------
    study : AccuracyStudy
        Our accuracies.
    first, second : str
        Keys of the methods.
    claim : Claim
        The number of tasks in the paper.
    leads_in_paper : bool, default=True
        Whether the first method is above the second on most tasks there.
    comparable : bool
        Whether the tasks are the paper's, so that the numbers can be subtracted.
    remark : str, default=""
        A further sentence.

    Returns
    -------
    Comparison
        The line of the report's table.
    """
    above, equal, below = study.record(first, second)
    p_value = p_of_lead(study, first, second, above - below)
    return compare_with_paper(
        claim,
        f"{above} of {len(study.tasks)}",
        value=above if comparable else None,
        answer=answer_by_test((above > below) == leads_in_paper, p_value),
        decimals=0,
        sentence=f"Above on {above}, equal on {equal}, below on {below}: {describe_test(p_value)}. {remark}".rstrip(),
    )


def compare_means(
    study: AccuracyStudy,
    claims: Mapping[str, Claim],
    *,
    comparable: bool,
    level_within: float | None,
    no_level: str,
) -> list[Comparison]:
    """Compare mean accuracies: the baseline by its level, others by the side of the baseline they are on.

    Parameters
    ----------
    study : AccuracyStudy
        Our accuracies; the first method is the baseline.
    claims : mapping of str to Claim
        The printed mean of every method, the baseline included, by its key.
    comparable : bool
        Whether the tasks are the paper's, so that the numbers can be subtracted.
    level_within : float or None
        Levels of the baseline that differ by at most so many points count as equal. None if they cannot be compared.
    no_level : str
        Why they cannot.

    Returns
    -------
    list of Comparison
        One line a method.
    """
    baseline = study.methods[0]
    lines = []
    for key, claim in claims.items():
        mean = float(study.means(key).mean())
        answer: Answer = "no answer"
        sentence = no_level
        if key == baseline.key and level_within is not None:
            answer = "agrees" if abs(mean - (claim.value or 0.0)) <= level_within else "disagrees"
            sentence = f"The same data, other draws: levels within {level_within:g} point of each other count as equal."
        if key != baseline.key:
            test = study.over_tasks(key, baseline.key)
            theirs = (claim.value or 0.0) - (claims[baseline.key].value or 0.0)
            answer = answer_by_test(test.mean_difference * theirs > 0, test.p_value)
            sentence = (
                f"Against the {baseline.name} {signed(test.mean_difference)} points here "
                f"({describe_test(test.p_value)}), {signed(theirs)} in the paper."
            )
        value = mean if comparable else None
        lines.append(compare_with_paper(claim, f"{mean:.2f}", value=value, answer=answer, sentence=sentence))
    return lines
