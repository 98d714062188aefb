"""How often folds are drawn, and that every experiment that says so does so."""

import pytest

from experiments.benchmark_files import write_bounding_boxes, write_human_scores
from widemargin.experiments.awa10 import AwaProtocol
from widemargin.experiments.bounding_boxes import bounding_boxes_experiment
from widemargin.experiments.experiment import Settings, Unit
from widemargin.experiments.fold_draws import FULL_REPEATS, RULE, fold_draws, times
from widemargin.experiments.human_scores import human_scores_experiment
from widemargin.experiments.webqueries import WebQueriesProtocol
from widemargin.experiments.webqueries_tasks import MULTICLASS, PAIRS


@pytest.mark.parametrize(("repeats", "draws"), [(1, 1), (19, 1), (20, 5), (21, 5)])
def test_folds_are_drawn_as_often_as_in_the_paper_with_as_many_repeats(repeats, draws):
    assert fold_draws(repeats, most=5) == draws
    settings = Settings(repeats=repeats)
    pair = AwaProtocol().selection(Unit("pairs", "cat versus dog", 0), settings, seed=0)
    assert pair.n_fold_repeats == draws
    all_classes = AwaProtocol().selection(Unit("multiclass", "all 10 classes", 0), settings, seed=0)
    assert all_classes.n_fold_repeats == 1
    assert WebQueriesProtocol().selection(PAIRS, repeats, seed=0).n_fold_repeats == draws
    assert WebQueriesProtocol().selection(MULTICLASS, repeats, seed=0).n_fold_repeats == 1


@pytest.mark.parametrize(
    ("experiment", "write"),
    [
        (bounding_boxes_experiment(), write_bounding_boxes),
        (human_scores_experiment(), write_human_scores),
    ],
)
def test_protocols_say_how_often_folds_are_drawn(tmp_path, experiment, write):
    write(tmp_path)
    for repeats, words in ((19, "drawn once (the paper"), (20, "drawn 5 times (the paper")):
        assert words in experiment.protocol(Settings(repeats=repeats, data=tmp_path))["folds"]


def test_the_rule_in_words():
    assert f"a run of {FULL_REPEATS} repeats or more" in RULE
    assert [times(1), times(2)] == ["once", "2 times"]
