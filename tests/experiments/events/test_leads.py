"""Claims that columns are above others: differences, tests and their correction, by hand."""

import numpy as np
import pytest

from widemargin.experiments.accuracy import AccuracyStudy, Method
from widemargin.experiments.events.leads import Lead, compare_leads, lead_sentence, leads_table
from widemargin.experiments.events.printed import printed
from widemargin.experiments.events.tuning import MEAN_AP

METHODS = [Method(key, key.upper(), "shots") for key in ("a", "b", "c")]
UP = Lead("A is above B", ("a",), ("b",), "Table 1")
DOWN = Lead("B is above A and C", ("b",), ("a", "c"), "Table 1")
PAPER = {"Table 1": {"one": {"a": 3.0, "b": 1.0, "c": 2.0}, "two": {"a": 5.0, "b": 6.0, "c": 4.0}}}


def study_of(scores):
    """Make a study of scores in percent: task -> rows of (a, b, c), one a repeat."""
    rows = [
        {
            "task": task,
            "repeat": repeat,
            **{f"{key}_map": value / 100 for key, value in zip("abc", row, strict=True)},
        }
        for task, own in scores.items()
        for repeat, row in enumerate(own)
    ]
    return AccuracyStudy.from_rows(rows, METHODS, MEAN_AP)


@pytest.fixture
def study():
    # A is above B by 1, 2, ..., 8 points on one task, by 11, ..., 18 on the other; C is always 20.
    return study_of(
        {
            "exact": [(10 + k, 10, 20) for k in range(1, 9)],
            "small": [(20 + k, 10, 20) for k in range(1, 9)],
        }
    )


def test_differences_are_averaged_repeat_by_repeat(study):
    up, down = compare_leads(study, [UP, DOWN], ["exact", "small"], "both", PAPER)
    # Repeat by repeat (1 + 11) / 2, ..., (8 + 18) / 2: mean 9.5, deviation of 1, ..., 8 is sqrt(6), error sqrt(6 / 8).
    assert up.ours == f"+9.5 ± {np.sqrt(6 / 8):.1f}"
    assert up.paper == "+2.0, −1.0"
    assert down.paper == "−1.5, +1.5"
    assert "exact +4.5 ± 0.9; small +14.5 ± 0.9" in up.sentence


def test_claims_are_answered_by_corrected_tests(study):
    up, down = compare_leads(study, [UP, DOWN], ["exact", "small"], "both", PAPER)
    # Eight differences of one sign: p = 2 / 256, and twice that for the smaller of two.
    assert "p = 0.016" in up.sentence
    assert up.answer == "agrees"
    assert down.answer == "disagrees"
    many = compare_leads(study, [UP] * 8, ["exact", "small"], "both", PAPER)
    assert {line.answer for line in many} == {"not clear"}


def test_unfinished_tasks_count_with_the_repeats_that_all_have():
    study = study_of({"exact": [(12, 10, 20), (14, 10, 20)], "small": [(16, 10, 20)]})
    (line,) = compare_leads(study, [UP], ["exact", "small", "not there"], "all", PAPER)
    assert line.ours == "+4.0"
    assert "one repeat, which nothing can be tested with" in line.sentence
    assert line.answer == "not clear"


def test_a_claim_without_printed_numbers_is_claimed(study):
    (line,) = compare_leads(study, [UP], ["exact"], "exact", {"Table 1": {"one": {"a": 3.0}}})
    assert line.paper == "claimed"


def test_the_table_marks_what_stands_when_corrected_in_its_column(study):
    table = leads_table(study, [UP, DOWN], "statements", "Statements")
    assert [column.title for column in table.columns] == ["statement", "exact", "small"]
    assert [[cell.mark for cell in row[1:]] for row in table.rows] == [["gain", "gain"], ["loss", "loss"]]
    assert table.rows[0][1].text == "+4.5 ± 0.9"
    crowded = leads_table(study, [UP] * 8, "statements", "Statements")
    assert {cell.mark for row in crowded.rows for cell in row} == {""}


def test_a_statement_in_words(study):
    assert lead_sentence(study, UP, ["exact"], "exact order") == (
        "A is above B: this holds, +4.5 ± 0.9 points over exact order (p = 0.0078 over 8 repeats)."
    )
    assert "the opposite holds" in lead_sentence(study, DOWN, ["exact"], "exact order")
    single = study_of({"exact": [(12, 10, 20)]})
    assert lead_sentence(single, UP, ["exact"], "exact order") == (
        "A is above B: not clear, +2.0 points over exact order (one repeat)."
    )


def test_printed_tables_are_whole():
    shapes = {"Table 1": 14, "Table 2": 14, "Table 5": 4, "Table 6": 6, "Table 9": 14}
    for table, n_keys in shapes.items():
        assert list(printed(table)) == ["MED14", "MED13", "CCVsub"]
        assert {len(values) for values in printed(table).values()} == {n_keys}
    assert printed("Table 1")["MED14"]["squared_hinge_l2_ni2"] == 34.4
    assert printed("Table 2")["CCVsub"]["squared_l1_ni2p"] == 74.3
    # The paper's Table 5 starts with the numbers of its Table 1.
    for data, values in printed("Table 5").items():
        assert values["nearly_isotonic"] == printed("Table 1")[data]["squared_hinge_l2_ni2"]
