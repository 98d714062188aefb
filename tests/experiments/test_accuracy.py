"""Tables of accuracies, checked against hand-worked numbers."""

import pytest

from widemargin.experiments.accuracy import AccuracyStudy, Method, accuracy_table

METHODS = (
    Method("base", "Base", "X"),
    Method("lupi", "Lupi", "X and X*"),
    Method("oracle", "Oracle", "X*", reference=True),
)


def study(tasks):
    rows = [
        {"task": task, "repeat": k, "base_accuracy": base, "lupi_accuracy": lupi, "oracle_accuracy": 0.99}
        for task, pairs in tasks.items()
        for k, (base, lupi) in enumerate(pairs)
    ]
    return AccuracyStudy.from_rows(rows, METHODS)


def test_means_errors_wins_and_marks():
    # Six repeats, all in favour: p = 2 / 2^6 = 0.031. Differences of mixed sign are not significant.
    gains = [(0.80, 0.81 + 0.001 * k) for k in range(6)]
    mixed = [(0.90, 0.88), (0.90, 0.91)]
    table = accuracy_table(study({"up": gains, "mixed": mixed}), "t", "Title")
    up, down = table.rows
    assert [cell.text for cell in up] == ["up", "80.00 ± 0.00", "81.25 ± 0.08", "99.00 ± 0.00"]
    assert [cell.text for cell in down] == ["mixed", "90.00 ± 0.00", "89.50 ± 1.50", "99.00 ± 0.00"]
    assert [cell.best for cell in up] == [False, False, True, False]
    assert [cell.best for cell in down] == [False, True, False, False]
    assert [cell.mark for cell in up] == ["", "", "gain", ""]
    assert [cell.mark for cell in down] == ["", "", "", ""]
    assert [cell.reference for cell in up] == [False, False, False, True]
    mean, wins, significant = table.totals
    assert [cell.text for cell in mean] == ["mean over tasks", "85.00", "85.38", "99.00"]
    assert [cell.best for cell in mean] == [False, False, True, False]
    assert [cell.text for cell in wins][1:] == ["1", "1", "–"]
    assert [cell.text for cell in significant][1:] == ["–", "1 / 0", "–"]
    assert "2 to 6 repeats" in table.note


def test_a_significant_loss_is_marked_as_such():
    table = accuracy_table(study({"down": [(0.81 + 0.001 * k, 0.80) for k in range(6)]}), "t", "Title")
    assert table.rows[0][2].mark == "loss"
    assert table.totals == ()


def test_with_few_repeats_the_note_says_that_nothing_can_be_significant():
    rows = [(0.80, 0.81 + 0.001 * k) for k in range(6)]
    few = accuracy_table(study({"a": rows[:5]}), "t", "Title")
    enough = accuracy_table(study({"a": rows}), "t", "Title")
    assert few.rows[0][2].mark == ""
    assert "cannot reach 95 %" in few.note
    assert enough.rows[0][2].mark == "gain"
    assert "cannot reach 95 %" not in enough.note


def test_one_repeat_has_no_standard_error():
    table = accuracy_table(study({"a": [(0.8, 0.8)]}), "t", "Title")
    assert [cell.text for cell in table.rows[0]] == ["a", "80.00", "80.00", "99.00"]
    assert [cell.best for cell in table.rows[0]] == [False, True, True, False]
    assert table.note.startswith("Accuracy in percent of one repeat, which has no standard error. Bold: best")
    assert "±" not in table.note


def test_counts_and_the_sentence_about_a_gain():
    result = study({"a": [(0.8, 0.81)], "b": [(0.8, 0.82)], "c": [(0.8, 0.8)], "d": [(0.8, 0.79)]})
    assert result.record("lupi", "base") == (2, 1, 1)
    assert result.record("base", "lupi") == (1, 1, 2)
    assert result.wins("base") == 2
    assert result.wins("lupi") == 3
    sentence = result.describe_gain("lupi")
    assert "above the Base on 2 of 4 tasks, equal on 1 and below on 1" in sentence
    assert "with a mean gain of 0.50 points" in sentence
    assert "not significant" in sentence


def test_one_task_is_compared_over_its_repeats():
    result = study({"a": [(0.80, 0.81 + 0.001 * k) for k in range(6)]})
    assert result.over_tasks("lupi", "base").p_value == pytest.approx(2 / 2**6)
    assert "81.25 % against 80.00 % of the Base, a gain of 1.25 points" in result.describe_gain("lupi")


def test_a_loss_is_called_a_loss():
    one = study({"a": [(0.80, 0.79)]})
    assert "79.00 % against 80.00 % of the Base, a loss of 1.00 points" in one.describe_gain("lupi")
    several = study({"a": [(0.80, 0.79)], "b": [(0.80, 0.80)]})
    assert "with a mean loss of 0.50 points" in several.describe_gain("lupi")
    assert "with a mean difference of 0.00 points" in study(
        {"a": [(0.8, 0.8)], "b": [(0.8, 0.8)]}
    ).describe_gain("lupi")
