"""The figures of the experiments on untrimmed videos: what is drawn where, and what the texts beside them say."""

import numpy as np
import pytest

from widemargin.experiments import PARTS, Settings
from widemargin.experiments.accuracy import AccuracyStudy, Method
from widemargin.experiments.events.tuning import MEAN_AP
from widemargin.experiments.video_events.evidence import COUNTS, METHODS
from widemargin.experiments.video_events.figures import draw_evidence, draw_scores, draw_votes, points_of


def evidence_row(event, repeat, votes, right, returned):
    keys = [f"{key}_of_{count}" for key in METHODS if key != "chance" for count in COUNTS]
    return (
        {"task": event, "repeat": repeat, "right_chance": 0.25}
        | dict(zip(("better", "similar", "worse"), votes, strict=True))
        | {f"right_{key}": right for key in keys}
        | {f"returned_{key}": returned for key in keys}
    )


ROWS = [evidence_row("cat", 0, (1, 2, 3), 0.9, 0.2), evidence_row("cat", 1, (0, 4, 2), 0.7, 0.4)]


def test_points_have_the_error_of_their_repeats():
    rows = [{"task": "t", "a_map": 0.4, "b_map": 0.5}, {"task": "t", "a_map": 0.6, "b_map": 0.5}]
    study = AccuracyStudy.from_rows(rows, [Method("a", "A", ""), Method("b", "B", "")], MEAN_AP)
    assert points_of(study, "t") == {"A": pytest.approx((50, 10)), "B": pytest.approx((50, 0))}
    alone = AccuracyStudy.from_rows(rows[:1], study.methods, MEAN_AP)
    assert np.isnan(points_of(alone, "t")["A"][1])


def test_scores_of_two_panels():
    panels = {
        "few": {"l2": {"A": (50.0, 1.0), "B": (60.0, 2.0)}, "l1": {"A": (40.0, np.nan)}},
        "all": {"": {"B": (70.0, np.nan)}},
    }
    drawing = draw_scores(panels, "Title", "%")
    few, every = drawing.figure.axes
    assert [label.get_text() for label in few.get_yticklabels()] == ["A", "B"]
    assert [bars.lines[0].get_xdata().tolist() for bars in few.containers] == [[50, 60], [40]]
    # The first method is on top, and series of a method stand apart.
    assert few.yaxis_inverted()
    assert few.containers[0].lines[0].get_ydata()[0] != few.containers[1].lines[0].get_ydata()[0]
    assert every.containers[0].lines[0].get_xdata().tolist() == [70]
    assert [text.get_text() for text in drawing.figure.legends[0].get_texts()] == ["l2", "l1"]
    assert drawing.alt == "Points in percent. few, l2: A 50.0, B 60.0; few, l1: A 40.0; all: B 70.0."


def test_one_series_without_a_name_needs_no_legend():
    drawing = draw_scores({"all": {"": {"A": (70.0, 1.0)}}}, "Title", "%")
    assert drawing.figure.legends == []


def test_evidence_by_the_length_that_is_shown():
    drawing = draw_evidence(ROWS)
    (ax,) = drawing.figure.axes
    first, *_, chance = ax.lines
    assert first.get_xdata() == pytest.approx([30] * len(COUNTS))
    assert first.get_ydata() == pytest.approx([80] * len(COUNTS))
    assert chance.get_ydata() == pytest.approx([25, 25])
    assert [text.get_text() for text in ax.get_legend().get_texts()] == list(METHODS.values())
    assert "NI-SVM_2: 1 80.0 (30.0), 2 80.0 (30.0)" in drawing.alt
    assert "shots at random: 25.0." in drawing.alt


def test_votes_are_summed_over_the_repeats():
    drawing = draw_votes([*ROWS, evidence_row("dog", 0, (6, 0, 0), 1, 0.2)])
    (ax,) = drawing.figure.axes
    widths = [[bar.get_width() for bar in bars] for bars in ax.containers]
    assert widths == [[1, 6], [6, 0], [5, 0]]
    assert "cat 1 better, 6 similar, 5 worse; dog 6 better, 0 similar, 0 worse" in drawing.alt
    # No number where there is no bar.
    assert "0" not in [text.get_text() for text in ax.texts]


@pytest.mark.parametrize("name", ["event-videos", "fights"])
def test_nothing_is_drawn_of_no_rows(name):
    (experiment,) = (own for own in PARTS["events"] if own.name == name)
    assert experiment.draw({table.name: [] for table in experiment.tables}, Settings()) == []
