"""Photographs of animals: the printed table, a small run on generated files, and folds."""

from dataclasses import replace

import numpy as np
import pytest

from experiments.benchmark_files import write_awa10
from experiments.toy_experiment import Recorder
from widemargin.datasets import DatasetError
from widemargin.experiments import EXPERIMENTS, Settings, run_experiment
from widemargin.experiments.accuracy import AccuracyStudy
from widemargin.experiments.awa10 import AwaProtocol, awa10_experiment
from widemargin.experiments.awa10_printed import compare_pair_by_pair, describe_pairs, printed_pairs
from widemargin.experiments.privileged_claims import compare_with_animals
from widemargin.experiments.privileged_comparison import METHODS

TINY = AwaProtocol(
    pairs=(("chimpanzee", "giant panda"), ("giant panda", "persian cat")),
    n_train=6,
    n_train_multiclass=6,
    n_test=6,
    Cs=(1e1, 1e3),
    privileged_values=(0.1, 10.0),
    n_folds=2,
)


@pytest.fixture
def settings(tmp_path):
    write_awa10(tmp_path / "data")
    return Settings(repeats=2, data=tmp_path / "data")


def printed_as_ours():
    """The printed means as if they were our accuracies, one repeat."""
    rows = [
        {"task": pair.task, "repeat": 0} | {f"{key}_accuracy": mean / 100 for key, mean in pair.mean.items()}
        for pair in printed_pairs()
    ]
    return AccuracyStudy.from_rows(rows, METHODS)


def test_the_printed_table_has_the_counts_and_means_that_it_states():
    pairs = printed_pairs()
    assert len({frozenset(pair.task.split(" versus ")) for pair in pairs}) == 45
    assert len({name for pair in pairs for name in pair.task.split(" versus ")}) == 10
    for key, wins in {"svm": 9, "margin_transfer": 27, "svm_plus": 9}.items():
        assert sum(key in pair.best for pair in pairs) == wins
    assert sum(pair.significant == "margin_transfer" for pair in pairs) == 15
    means = {key: round(float(np.mean([pair.mean[key] for pair in pairs])), 2) for key in pairs[0].mean}
    assert means == {"svm": 82.53, "margin_transfer": 82.88, "svm_plus": 82.61, "reference": 88.03}
    assert all(0 < error < 1 for pair in pairs for error in pair.standard_error.values())


def test_the_paper_compared_with_itself():
    study = printed_as_ours()
    lines = {line.statement: line for line in compare_with_animals(study, None, same_data=True)}
    assert lines["Mean accuracy of the SVM, %"].answer == "agrees"
    transfer = lines["Margin Transfer is above the SVM"]
    assert transfer.ours == "31 of 45"
    assert transfer.sentence.startswith("Above on 31, equal on 1, below on 13")
    hard = lines["Margin Transfer gains more where accuracy is below 90 %"]
    assert (hard.ours, hard.answer) == ("+0.30 below, +0.65 above", "not clear")
    table = compare_pair_by_pair(study)
    for row in (*table.rows, *table.totals):
        for theirs, ours in zip(row[1::2], row[2::2], strict=True):
            assert theirs.text.partition(" ")[0] == ours.text
    assert "differs from the printed one by 0.00 points" in describe_pairs(study)
    assert "Kendall's tau +1.00" in describe_pairs(study)


def test_levels_are_compared_on_the_same_pairs_only():
    study = printed_as_ours()
    lower = {task: scores - 1.01 for task, scores in study.scores.items()}
    rows = [
        {"task": task, "repeat": 0}
        | {f"{m.key}_accuracy": value / 100 for m, value in zip(METHODS, scores[:, 0], strict=True)}
        for task, scores in lower.items()
    ]
    below = AccuracyStudy.from_rows(rows, METHODS)
    for same_data, answer, difference in ((True, "disagrees", "−1.01"), (False, "no answer", "")):
        lines = {line.statement: line for line in compare_with_animals(below, below, same_data=same_data)}
        level = lines["Mean accuracy of the SVM, %"]
        assert (level.answer, level.difference) == (answer, difference)
        assert lines["Ten classes: accuracy of the SVM, %"].answer == "no answer"


def test_a_small_run_from_end_to_end(tmp_path, settings):
    outcome = run_experiment(awa10_experiment(TINY), settings, tmp_path / "out", observer=Recorder())
    record = outcome.record
    assert record.status == "complete", record.message
    assert [table.name for table in record.summary.tables] == ["multiclass", "pairs", "beside_the_paper"]
    beside = record.summary.tables[2]
    assert beside.rows[0][0].text == "chimpanzee versus giant panda"
    assert beside.rows[0][1].text == "83.25 ± 0.53"
    assert len(beside.rows) == 2
    assert [figure.svg for figure in record.figures] == [
        "figures/difference-margin-transfer-svm.svg",
        "figures/difference-svm-plus-svm.svg",
        "figures/difference-margin-transfer-svm-plus.svg",
        "figures/gain-margin-transfer.svg",
        "figures/advantage-margin-transfer.svg",
        "figures/advantage-svm-plus.svg",
        "figures/tau.svg",
    ]
    assert any("Table 6" in line.source for line in record.summary.comparisons)
    assert "drawn once for pairs" in record.protocol["folds"]


def test_folds_are_drawn_five_times_for_pairs_of_a_full_run():
    full, fewer = Settings(repeats=20), Settings(repeats=19)
    multiclass, pair = awa10_experiment().units(fewer)[:2]
    protocol = AwaProtocol()
    assert protocol.selection(pair, full, 0).folds.get_n_splits() == 25
    assert protocol.selection(pair, fewer, 0).folds.get_n_splits() == 5
    assert protocol.selection(multiclass, full, 0).folds.get_n_splits() == 5


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"n_train": 14}, "has 14 images of chimpanzee: more than 14 are needed"),
        ({"n_train_multiclass": 14}, "has 14 images of chimpanzee: more than 14 are needed"),
        ({"pairs": (("chimpanzee", "seal"),)}, "has 0 images of seal"),
    ],
)
def test_too_few_images_stop_the_run_before_it_starts(settings, change, complaint):
    with pytest.raises(DatasetError, match=complaint):
        awa10_experiment(replace(TINY, **change)).protocol(settings)


def test_the_published_protocol():
    experiment = {e.name: e for e in EXPERIMENTS}["awa10"]
    assert experiment.needs_data
    assert experiment.repeats.full == 20
    units = experiment.units(Settings(repeats=1))
    assert units[0].table == "multiclass"
    assert [unit.task for unit in units[1:]] == [pair.task for pair in printed_pairs()]
