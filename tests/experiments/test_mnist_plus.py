"""Digits with descriptions: a small run on generated files, nested draws, and verdicts."""

from dataclasses import replace

import numpy as np
import pytest

from experiments.benchmark_files import write_mnist_plus
from experiments.toy_experiment import Recorder
from widemargin.datasets import DatasetError
from widemargin.experiments import EXPERIMENTS, Settings, run_experiment
from widemargin.experiments.mnist_plus import METHODS, MnistPlusProtocol, mnist_plus_experiment

TINY = MnistPlusProtocol(sizes=(8, 12), grid=(0.1, 10.0), n_folds=2)


@pytest.fixture
def settings(tmp_path):
    write_mnist_plus(tmp_path / "data/mnist_plus")
    return Settings(repeats=2, data=tmp_path / "data")


def test_a_small_run_from_end_to_end(tmp_path, settings):
    outcome = run_experiment(mnist_plus_experiment(TINY), settings, tmp_path / "out", observer=Recorder())
    record = outcome.record
    assert record.status == "complete", record.message
    (table,) = record.summary.tables
    assert [row[0].text for row in table.rows] == ["8 training images", "12 training images"]
    assert [column.title for column in table.columns[1:]] == [method.name for method in METHODS]
    assert [figure.svg for figure in record.figures] == [
        "figures/accuracy-curves.svg",
        "figures/gain-curves.svg",
    ]
    assert all("bands are one standard error" in figure.caption for figure in record.figures)
    assert record.summary.comparisons == ()
    assert record.protocol["data"].startswith("MNIST+: 24 training images with descriptions, 20 test images")


def test_one_repeat_promises_no_bands(tmp_path, settings):
    outcome = run_experiment(
        mnist_plus_experiment(TINY), replace(settings, repeats=1), tmp_path / "out", observer=Recorder()
    )
    captions = [figure.caption for figure in outcome.record.figures]
    assert all("one repeat has no standard errors." in caption for caption in captions)
    assert not any("bands" in caption for caption in captions)


def test_the_reference_is_tested_on_described_images_that_were_left_out(settings):
    experiment = mnist_plus_experiment(TINY)
    (unit,) = [u for u in experiment.units(settings) if u.repeat == 0 and u.task == "12 training images"]
    row = experiment.run(unit, settings)
    # The first score of the generated descriptions tells the digit.
    assert row["reference_poetic_accuracy"] == row["reference_holistic_accuracy"] == 1.0
    assert row["n_test"] == 20
    assert row == experiment.run(unit, settings)


def hand_made_rows(gain, n_repeats=12):
    """Rows in which the first method differs from the SVM by about `gain` at one of two sizes."""
    wiggle = np.linspace(0.9, 1.1, n_repeats)
    rows = []
    for size in (12, 8):
        for repeat in range(n_repeats):
            row = {f"{method.key}_accuracy": 0.8 for method in METHODS}
            row["margin_transfer_poetic_accuracy"] += gain * wiggle[repeat] * (size == 8)
            rows.append({"task": f"{size} training images", "repeat": repeat} | row)
    return {"learning_curve": rows}


@pytest.mark.parametrize(
    ("gain", "n_repeats", "start"),
    [
        (
            0.02,
            12,
            "Yes: significantly above the plain SVM is Margin Transfer, poetic with 8 training images (",
        ),
        (
            -0.02,
            12,
            "No, the baseline wins: significantly below the plain SVM is Margin Transfer, poetic with 8",
        ),
        (0.0, 12, "No clear benefit"),
        (0.02, 6, "No clear benefit"),  # p = 0.031, one of eight tests
    ],
)
def test_the_verdict_stands_when_corrected_for_the_number_of_tests(gain, n_repeats, start):
    summary = mnist_plus_experiment(TINY).summarise(hand_made_rows(gain, n_repeats), Settings())
    assert summary.verdict.startswith(start)
    assert [row[0].text for row in summary.tables[0].rows] == ["8 training images", "12 training images"]


def test_data_that_cannot_be_used_stop_the_run_before_it_starts(tmp_path, settings):
    too_large = mnist_plus_experiment(replace(TINY, sizes=(8, 24)))
    with pytest.raises(DatasetError, match="13 of each digit"):
        run_experiment(too_large, settings, tmp_path / "out", observer=Recorder())
    assert not (tmp_path / "out").exists()
    with pytest.raises(DatasetError, match="is missing"):
        mnist_plus_experiment(TINY).protocol(replace(settings, data=tmp_path))
    with pytest.raises(ValueError, match="needs benchmark data"):
        mnist_plus_experiment(TINY).protocol(Settings())


def test_the_published_protocol():
    experiment = {e.name: e for e in EXPERIMENTS}["mnist-plus"]
    assert experiment.needs_data
    units = experiment.units(Settings(repeats=1))
    assert sorted(unit.task for unit in units) == [f"{size} training images" for size in range(40, 91, 10)]
    assert experiment.repeats.default >= 6
