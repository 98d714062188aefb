"""The answer on a user's own data, from hand-made folds: verdicts, the words about them, and the table."""

import numpy as np
import pytest

from widemargin.experiments.own_data import choose_method
from widemargin.experiments.own_data_answer import COLLAPSED, HELPS, HURTS, TOO_FEW, UNCLEAR, Answers
from widemargin.experiments.own_data_figure import draw_differences_by_fold
from widemargin.experiments.own_data_methods import FOLD_COLUMNS, METHODS, Choices
from widemargin.experiments.own_data_summary import OuterFolds, SampleCounts, summarise_folds

CHOICES = Choices(n_inner_folds=2, grid=(0.1, 10.0))


def hand_made_rows(gains, n_folds=20, wiggle=0.01, **changes):
    """Folds on which the SVM scores 0.7 and each method `gains` more, up and down by `wiggle`."""
    rows = []
    for fold in range(n_folds):
        row = dict.fromkeys(FOLD_COLUMNS, 0) | {f"{method.key}_score": 0.7 for method in METHODS}
        row |= {
            "most_frequent_score": 0.5,
            "svm_where_privileged_score": 0.7,
            "n_train": 80,
            "n_test": 20,
        } | changes
        for key, gain in gains.items():
            row[f"{key}_score"] += gain + wiggle * (-1) ** fold
        rows.append(row)
    return rows


def summary_of(rows, share=0.5, n_repeats=4):
    return summarise_folds(rows, CHOICES, SampleCounts("a", share, 100, 100), OuterFolds(5, n_repeats))


def table_row(summary, name):
    (table,) = summary.tables
    (row,) = [row for row in table.rows if row[0].text == name]
    return [cell.text for cell in row[1:]]


def verdicts(rows):
    return [answer.verdict for answer in Answers.from_rows(rows).competitors]


@pytest.mark.parametrize(
    ("margin_transfer", "svm_plus", "expected", "start", "best"),
    [
        (0.03, 0.02, [HELPS, HELPS], "Yes, it helps: Margin Transfer is better", "margin_transfer"),
        (-0.03, 0.02, [HURTS, HELPS], "Yes, it helps: SVM+ is better", "svm_plus"),
        (0.001, 0.02, [UNCLEAR, HELPS], "Yes, it helps: SVM+ is better", "svm_plus"),
        (
            0.001,
            0.0,
            [UNCLEAR, UNCLEAR],
            "No clear difference: against a plain SVM, Margin Transfer +0.1",
            "svm",
        ),
        (
            0.001,
            -0.02,
            [UNCLEAR, HURTS],
            "No clear gain, and SVM+ hurts: Margin Transfer makes no clear difference",
            "svm",
        ),
        (-0.03, -0.02, [HURTS, HURTS], "No, it hurts: SVM+ is worse", "svm"),
    ],
)
def test_verdicts(margin_transfer, svm_plus, expected, start, best):
    rows = hand_made_rows({"margin_transfer": margin_transfer, "svm_plus": svm_plus})
    assert verdicts(rows) == expected
    assert Answers.from_rows(rows).sentence("accuracy").startswith(start)
    assert choose_method({"folds": rows}).key == best


def test_the_sentence_says_by_how_much_and_how_sure():
    # Differences of 1 and 3 points in turn: mean 2, s^2 = 20/19, factor 1/20 + 20/80; t_19 at 0.9875 is 2.4334.
    half = 2.4334 * np.sqrt(20 / 19 * 0.3)
    rows = hand_made_rows({"svm_plus": 0.02, "margin_transfer": 0.0})
    sentence = Answers.from_rows(rows).sentence("accuracy")
    assert (
        f"SVM+ is better than a plain SVM by 2.0 points of accuracy (interval +{2 - half:.1f} to +{2 + half:.1f})."
        in sentence
    )
    assert sentence.endswith("Intervals: 95 % for both methods together.")


def test_wilcoxon_alone_is_no_verdict():
    """Twenty small gains out of twenty: the signed-rank test takes them for independent."""
    rows = hand_made_rows({"svm_plus": 0.02, "margin_transfer": 0.0}, wiggle=0.018)
    answer = Answers.from_rows(rows).competitors[1]
    assert answer.wilcoxon_p_value < 0.01
    assert answer.verdict == UNCLEAR


@pytest.mark.parametrize("wiggle", [0.01, 0.0145, 0.0155, 0.0165, 0.03])
def test_the_interval_that_is_shown_is_the_one_that_decides(wiggle):
    """With a wiggle of 0.0165 the interval of one method by itself would leave out zero."""
    rows = hand_made_rows({"svm_plus": 0.02, "margin_transfer": 0.0}, wiggle=wiggle)
    answer = Answers.from_rows(rows).competitors[1]
    assert (answer.verdict == HELPS) == (answer.interval.low > 0) == (answer.p_value <= 0.05)


def test_six_folds_are_too_few():
    rows = hand_made_rows({"svm_plus": 0.2, "margin_transfer": 0.2}, n_folds=6)
    assert verdicts(rows) == [TOO_FEW, TOO_FEW]
    assert summary_of(rows).verdict.startswith("Too few folds for a verdict: against a plain SVM, ")
    assert verdicts(hand_made_rows({"svm_plus": 0.2, "margin_transfer": 0.2}, n_folds=7)) == [HELPS, HELPS]


def test_the_test_that_blocks_is_named_with_its_p_value():
    """Five folds: the interval is sure of a loss of 40 points, and Wilcoxon's test cannot be."""
    rows = hand_made_rows({"svm_plus": -0.4, "margin_transfer": 0.0}, n_folds=5)
    summary = summary_of(rows, n_repeats=1)
    assert table_row(summary, "SVM+")[-1] == TOO_FEW
    first = summary.findings[0]
    assert "the corrected p-value of Wilcoxon's test cannot be below 0.12, whatever the scores" in first
    assert first.endswith("Run it again with --repeats 2 or more: finished folds are kept.")
    assert (
        "SVM+: the interval leaves out zero (p < 0.001), but Wilcoxon's test does not confirm it (p = 0.12)."
        in summary.findings
    )


@pytest.mark.parametrize(
    ("gain", "wiggle", "expected"),
    [
        (
            0.02,
            0.01,
            "SVM+: the interval leaves out zero (p = 0.0042), and Wilcoxon's test agrees (p < 0.001).",
        ),
        (0.02, 0.0165, "SVM+: the interval contains zero (p = 0.088), and so there is no clear difference."),
        (
            0.0,
            0.01,
            "SVM+: the interval contains zero (p = 1), and Wilcoxon's test finds no difference either (p = 1).",
        ),
    ],
)
def test_every_interval_has_a_sentence_about_both_tests(gain, wiggle, expected):
    findings = summary_of(hand_made_rows({"svm_plus": gain}, wiggle=wiggle)).findings
    assert any(finding.startswith(expected) for finding in findings), findings


def test_an_interrupted_run_is_told_to_go_on():
    """Two folds with the same gain are no certainty."""
    summary = summary_of(hand_made_rows({"svm_plus": 0.07}, n_folds=2, wiggle=0.0, n_test=15))
    assert table_row(summary, "SVM+") == ["77.0", "+7.0", "–", TOO_FEW]
    assert "SVM+ +7.0 points of accuracy (too few folds for an interval)" in summary.verdict
    assert "Intervals:" not in summary.verdict
    assert summary.findings[0].startswith("2 folds are too few for a verdict")
    assert summary.findings[0].endswith("Run the same command again: it computes the folds that are left.")
    text = " ".join(summary.findings)
    assert "--repeats" not in text
    assert "hardly" not in text
    assert "p < 0.001" not in text
    assert "whether there is something to transfer cannot be told yet" in text


def test_equal_differences_have_no_interval():
    summary = summary_of(hand_made_rows({"svm_plus": 0.1}, wiggle=0.0))
    assert table_row(summary, "Margin Transfer") == ["70.0", "0.0", "–", UNCLEAR]
    assert (
        "Margin Transfer makes no clear difference: 0.0 points of accuracy (the same on every fold)"
        in summary.verdict
    )
    assert table_row(summary, "SVM+")[1:] == ["+10.0", "–", HELPS]


@pytest.mark.parametrize("n_folds", [2, 20])
def test_a_collapse_is_in_the_verdict_and_has_no_number(n_folds):
    rows = hand_made_rows({"svm_plus": -0.4}, n_folds=n_folds, svm_plus_collapsed=1)
    summary = summary_of(rows)
    assert table_row(summary, "SVM+") == ["–", "–", "–", COLLAPSED]
    assert "SVM+ learned nothing here: its optimum is w = 0." in summary.verdict
    assert "−40" not in str(summary)
    assert any(f"SVM+ collapsed in {n_folds} of {n_folds} folds" in finding for finding in summary.findings)


def test_the_figure_has_no_mean_of_a_collapse_and_no_line_without_an_interval():
    rows = hand_made_rows({"svm_plus": -0.4}, svm_plus_collapsed=1)
    drawing = draw_differences_by_fold(rows, "accuracy")
    assert drawing.alt.endswith("SVM+ learned nothing: its optimum is w = 0.")
    (ax,) = drawing.figure.axes
    assert [label.get_text() for label in ax.get_yticklabels()] == [
        "Margin Transfer",
        "SVM+\n(learned nothing)",
    ]
    # Zero, and the mean of Margin Transfer, which is as good on every fold.
    assert len(ax.lines) == 2


def test_a_rare_collapse_keeps_its_number():
    rows = hand_made_rows({"svm_plus": -0.4})
    rows[0]["svm_plus_collapsed"] = 1
    assert verdicts(rows)[1] == HURTS
    assert "SVM+ collapsed in 1 of 20 folds" in " ".join(summary_of(rows).findings)


def test_a_clear_loss_stands_at_the_start():
    rows = hand_made_rows({"svm_plus": -0.4})
    assert summary_of(rows).verdict.startswith("No clear gain, and SVM+ hurts: ")


def test_an_answer_of_one_label_is_called_so():
    rows = hand_made_rows({}, most_frequent_score=0.7, svm_one_answer=1, margin_transfer_one_answer=0)
    rows[0]["margin_transfer_one_answer"] = 1
    text = " ".join(summary_of(rows, share=0.9).findings)
    assert "The same label for all test samples of a fold: plain SVM on 20 of 20 folds." in text
    assert "can hardly tell" not in text


@pytest.mark.parametrize(
    ("rows", "share", "expected"),
    [
        ({"gains": {"svm_plus": -0.02}}, 0.5, "No method has a higher mean score than the plain SVM"),
        ({"gains": {}, "svm_plus_collapsed": 1}, 0.5, "SVM+ collapsed in 20 of 20 folds"),
        ({"gains": {}, "n_missed_tolerance": 2}, 0.5, "40 fits stopped before they reached"),
        (
            {"gains": {}, "n_test": 8},
            0.5,
            "Each fold tests about 8 samples, so that one sample more or less",
        ),
        ({"gains": {"reference": -0.02}}, 0.5, "so there may be little to transfer"),
        ({"gains": {"reference": 0.05}}, 0.5, "so there is something to transfer"),
        ({"gains": {}}, 0.9, "90 % of the labels are 'a'"),
        ({"gains": {}, "most_frequent_score": 0.7}, 0.5, "no method is clearly better than that"),
    ],
)
def test_findings(rows, share, expected):
    findings = summary_of(hand_made_rows(**rows), share).findings
    assert any(expected in finding for finding in findings), findings


def test_one_fold_has_no_interval():
    summary = summary_of(hand_made_rows({"svm_plus": 0.1}, n_folds=1))
    assert "too few folds for an interval" in summary.verdict
    assert "inf" not in str(summary)
