"""Who is ahead of whom, checked against hand-worked numbers."""

import pytest

from widemargin.experiments.ranking.competition import Judgement
from widemargin.experiments.ranking.contenders import Contender, options
from widemargin.experiments.ranking.results import (
    choices_table,
    describe_standings,
    join,
    standings,
    standings_table,
    study_of,
    times_table,
    winners_sentence,
)

JUDGED = Judgement((0.0, 0.1))
OURS = Contender("ours", "Ours", object(), options(nu=[0.1, 1.0], depth=[2]))
OTHER = Contender("other", "Other", object())
ABSENT = Contender("absent", "Absent", None)


def label(task, judgement):
    return task


def rows_of(tasks):
    """Rows of tasks with (ours, other) in percent for each repeat."""
    return [
        {
            "task": task,
            "repeat": k,
            "ours_0_0.1_pauc": ours / 100,
            "other_0_0.1_pauc": other / 100,
            "absent_0_0.1_pauc": float("nan"),
            "ours_0_0.1_choice": "nu 0.1, depth 2" if k else "nu 1, depth 2",
            "ours_0_0.1_fit_seconds": 1.0 + k,
            "other_0_0.1_fit_seconds": 2.0,
            "absent_0_0.1_fit_seconds": float("nan"),
        }
        for task, pairs in tasks.items()
        for k, (ours, other) in enumerate(pairs)
    ]


def study(tasks):
    return study_of(rows_of(tasks), [OTHER, OURS, ABSENT], [JUDGED], label)


THREE = {
    "up": [(91, 90), (92, 90), (93, 90)],  # 2 +- 0.58
    "same": [(90, 90), (91, 90), (89, 90)],  # 0 +- 0.58
    "down": [(88, 90), (89, 90), (87, 90)],  # -2 +- 0.58
}


def test_a_side_needs_more_than_one_standard_error():
    found = {standing.task: standing for standing in standings(study(THREE), "ours", "other")}
    assert {task: standing.side for task, standing in found.items()} == {
        "up": "ahead",
        "same": "level",
        "down": "behind",
    }
    assert found["up"].words == "+2.00 ± 0.58"
    assert found["up"].p_value == pytest.approx(0.25)  # the smallest of three pairs


def test_the_sentence_counts_and_lists_where_it_is_behind():
    assert describe_standings(study(THREE), "ours", "other") == (
        "Ours is ahead of Other by more than one standard error on 1 of 3 tasks, within one on 1 and behind by more on "
        "1 (down: −2.00 ± 0.58); mean difference 0.00 points."
    )


def test_one_task_and_one_repeat_have_sentences_of_their_own():
    one_task = study({"up": THREE["up"]})
    assert describe_standings(one_task, "ours", "other") == (
        "Ours is ahead of Other: +2.00 ± 0.58 points (mean ± standard error)."
    )
    one_repeat = study({"a": [(91, 90)], "b": [(89, 90)]})
    assert describe_standings(one_repeat, "ours", "other") == (
        "Ours is above Other on 1 of 2 tasks, equal on 0 and below on 1 (b: −1.00); mean difference 0.00 points (one "
        "repeat, which has no standard error)."
    )


def test_a_contender_that_is_not_installed_is_no_column():
    assert [method.name for method in study(THREE).methods] == ["Other", "Ours"]


def test_winners_share_a_place():
    assert winners_sentence(study(THREE)) == (
        "Highest partial AUC, of 3 tasks: Ours on 2 (up; same) and Other on 2 (same; down)."
    )
    assert winners_sentence(study({"up": THREE["up"]})) == "Highest partial AUC: Ours."


def test_the_table_of_standings():
    table = standings_table(study(THREE), "ours", ["other"], "t", "Title")
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["up", "+2.00 ± 0.58"],
        ["same", "0.00 ± 0.58"],
        ["down", "−2.00 ± 0.58"],
    ]
    assert [row[1].best for row in table.rows] == [True, False, False]
    assert [cell.text for cell in table.totals[0]] == ["ahead / level / behind", "1 / 1 / 1"]


def test_choices_are_counted_by_parameter():
    table = choices_table(rows_of(THREE), [OTHER, OURS, ABSENT], [JUDGED])
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["Ours", "nu", "0.1 (6), 1 (3)"],
        ["Ours", "depth", "2 (9)"],
    ]


def test_choices_at_the_ends_of_a_grid_are_marked():
    wide = Contender("ours", "Ours", object(), options(nu=[0.01, 0.1, 1.0], depth=[2]))
    table = choices_table(rows_of(THREE), [OTHER, wide], [JUDGED])
    assert [[cell.text for cell in row] for row in table.rows] == [
        ["Ours", "nu", "0.1 (6), 1* (3)"],
        ["Ours", "depth", "2 (9)"],
    ]


def test_one_repeat_tests_nothing():
    (standing,) = standings(study({"up": [(91, 90)]}), "ours", "other")
    assert standing.test_words == "one repeat, which nothing can be tested with"
    assert "p = " in standings(study(THREE), "ours", "other")[0].test_words


def test_times_are_medians():
    table = times_table(rows_of({"up": THREE["up"]}), [OURS, OTHER, ABSENT], [JUDGED], label)
    assert [cell.text for cell in table.rows[0]] == ["up", "2", "2", "–"]


def test_parts_of_a_sentence():
    assert [join(parts) for parts in (["a"], ["a", "b"], ["a", "b", "c"])] == ["a", "a and b", "a, b and c"]
