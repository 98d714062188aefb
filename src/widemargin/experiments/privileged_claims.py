"""What the paper on Margin Transfer prints about animals, beside what we find on the same or other data.

The numbers are those of Tables 1 and 6 and section 4.1 of V. Sharmanska, N. Quadrianto and C. H. Lampert,
"Learning to transfer privileged information", arXiv:1410.0389, 2014. On other data the numbers themselves need
not agree; what can agree is the tendency that a sentence of the paper claims.
"""

from __future__ import annotations

import numpy as np
from scipy.stats import mannwhitneyu

from widemargin.experiments.accuracy import AccuracyStudy
from widemargin.experiments.claims import compare_lead, compare_means, describe_test, p_of_lead
from widemargin.experiments.summary import Claim, Comparison, answer_by_test, compare_with_paper, signed

__all__ = ["compare_with_animals"]

TABLE = "Table 1 (animals)"
TEXT = "section 4.1 (animals)"

WINS = {
    "svm": Claim("Tasks on which the SVM is best", TABLE, "9 of 45", 9),
    "margin_transfer": Claim("Tasks on which Margin Transfer is best", TABLE, "27 of 45", 27),
    "svm_plus": Claim("Tasks on which SVM+ is best", TABLE, "9 of 45", 9),
}
MEANS = {
    "svm": Claim("Mean accuracy of the SVM, %", TABLE, "82.53", 82.53),
    "margin_transfer": Claim("Mean accuracy of Margin Transfer, %", TABLE, "82.88", 82.88),
    "svm_plus": Claim("Mean accuracy of SVM+, %", TABLE, "82.61", 82.61),
    "reference": Claim("Mean accuracy of the SVM on X*, %", TABLE, "88.03", 88.03),
}
ABOVE = {
    ("margin_transfer", "svm"): Claim("Margin Transfer is above the SVM", TEXT, "32 of 45", 32),
    ("svm_plus", "svm"): Claim("SVM+ is above the SVM", TEXT, "27 of 45", 27),
    ("margin_transfer", "svm_plus"): Claim("Margin Transfer is above SVM+", TABLE, "32 of 45", 32),
    ("reference", "svm"): Claim("The SVM on X* is above the SVM on X", TABLE, "45 of 45", 45),
}
HARD = Claim(
    "Margin Transfer gains more where accuracy is below 90 %",
    TEXT,
    "claimed",
)
MULTICLASS = {
    "svm": Claim("Ten classes: accuracy of the SVM, %", "Table 6 (animals)", "45.41", 45.41),
    "margin_transfer": Claim(
        "Ten classes: accuracy of Margin Transfer, %", "Table 6 (animals)", "46.44", 46.44
    ),
    "svm_plus": Claim("Ten classes: accuracy of SVM+, %", "Table 6 (animals)", "42.07", 42.07),
    "reference": Claim("Ten classes: accuracy of the SVM on X*, %", "Table 6 (animals)", "56.18", 56.18),
}
N_PAIRS = 45
NO_LEVEL = "Other data: the level says how hard the tasks are, nothing about the method."
UNKNOWN_SIZE = "The paper does not say how many images it trained on, and the level depends on that."
SAME_LEVEL_WITHIN = 1.0  # percentage points


def compare_with_animals(
    pairs: AccuracyStudy | None, multiclass: AccuracyStudy | None, *, same_data: bool = False
) -> tuple[Comparison, ...]:
    """Put results beside the paper's results on animals.

    Parameters
    ----------
    pairs : AccuracyStudy or None
        Results on pairs of classes, if there are any.
    multiclass : AccuracyStudy or None
        Results on all classes at once, if there are any.
    same_data : bool, default=False
        Whether ours are results on the paper's data, so that numbers can be subtracted, and the level of the
        baseline on pairs can agree, too.

    Returns
    -------
    tuple of Comparison
        One line a claim.
    """
    lines: list[Comparison] = []
    if pairs is not None:
        comparable = same_data and len(pairs.tasks) == N_PAIRS
        lines += _compare_counts(pairs, comparable)
        lines.append(_compare_hard_tasks(pairs))
        lines += compare_means(
            pairs,
            MEANS,
            comparable=comparable,
            level_within=SAME_LEVEL_WITHIN if comparable else None,
            no_level=NO_LEVEL,
        )
    if multiclass is not None:
        no_level = UNKNOWN_SIZE if same_data else NO_LEVEL
        lines += compare_means(
            multiclass, MULTICLASS, comparable=same_data, level_within=None, no_level=no_level
        )
    return tuple(lines)


def _compare_counts(study: AccuracyStudy, comparable: bool) -> list[Comparison]:
    """Compare numbers of tasks; the tendency agrees if the same side has the majority, and by a significant margin."""
    n_tasks = len(study.tasks)
    names = {method.key: method.name for method in study.methods}
    wins = {key: study.wins(key) for key in WINS}
    lines = []
    for key, claim in WINS.items():
        rival = max((other for other in wins if other != key), key=wins.__getitem__)
        leads = wins[key] > wins[rival]
        p_value = p_of_lead(study, key, rival, wins[key] - wins[rival])
        place = "the most" if leads else "not the most"
        expected = "the most" if key == "margin_transfer" else "not the most"
        lines.append(
            compare_with_paper(
                claim,
                f"{wins[key]} of {n_tasks}",
                value=wins[key] if comparable else None,
                answer=answer_by_test(leads == (key == "margin_transfer"), p_value),
                decimals=0,
                sentence=(
                    f"{place.capitalize()} of the three methods here; {expected} in the paper. Against "
                    f"{names[rival]} {describe_test(p_value)}."
                ),
            )
        )
    for (first, second), claim in ABOVE.items():
        remark = ""
        if (first, second) == ("margin_transfer", "svm"):
            remark = "The paper's text says 32; its Table 1 shows 31 and a tie."
        lines.append(compare_lead(study, first, second, claim, comparable=comparable, remark=remark))
    return lines


def _compare_hard_tasks(study: AccuracyStudy) -> Comparison:
    """Compare the gain on tasks below 90 % accuracy with the gain above."""
    gain = np.round(study.means("margin_transfer") - study.means("svm"), 9)
    hard = study.means("svm") < 90
    if hard.all() or not hard.any():
        side = "below" if hard.all() else "at or above"
        return compare_with_paper(
            HARD, "no answer", sentence=f"All tasks here are {side} 90 %, so there is nothing to compare."
        )
    below, above = float(np.mean(gain[hard])), float(np.mean(gain[~hard]))
    p_value = float(mannwhitneyu(gain[hard], gain[~hard]).pvalue)
    sentence = (
        f"Here the mean difference is {signed(below)} points on the {int(hard.sum())} tasks below 90 % and "
        f"{signed(above)} on the {int((~hard).sum())} others (rank-sum test of the two groups of tasks: "
        f"{describe_test(p_value)}). In the paper's own Table 1 it is +0.30 below and +0.65 above, the opposite of "
        "its sentence."
    )
    return compare_with_paper(
        HARD,
        f"{signed(below)} below, {signed(above)} above",
        answer=answer_by_test(below > above, p_value),
        sentence=sentence,
    )
