"""The examples run, show one figure each, and what they say about their numbers is true."""

import runpy
from pathlib import Path

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.fixture
def run_example(monkeypatch):
    """Run an example by its name, without a window, and return its variables."""
    shown = []
    before = matplotlib.get_backend()
    plt.close("all")
    plt.switch_backend("Agg")
    monkeypatch.setattr(plt, "show", lambda: shown.append(plt.get_fignums()))

    def run(name):
        variables = runpy.run_path(str(EXAMPLES / f"plot_{name}.py"))
        assert [len(figures) for figures in shown] == [1]
        return variables

    yield run
    plt.close("all")
    plt.switch_backend(before)


def test_every_example_is_tested_here():
    source = Path(__file__).read_text(encoding="utf-8")
    untested = [p.stem for p in EXAMPLES.glob("*.py") if f'"{p.stem.removeprefix("plot_")}")' not in source]
    assert untested == []


def test_pipeline_is_tuned_with_the_privileged_features_of_each_fold(run_example):
    example = run_example("pipeline")
    assert example["fitted"].privileged_coef_.shape == (1, 64)
    assert example["fitted"].dual_gap_ <= 1e-6 * example["fitted"].objective_
    assert example["search"].score(example["X_test"], example["y_test"]) > example["baseline"].score(
        example["X_test"], example["y_test"]
    )
    # A large privileged_alpha makes the slacks constant: C has no influence on the last row of SVM+.
    assert np.ptp(example["scores"][-1]) == pytest.approx(0, abs=1e-12)


def test_transferred_margins_follow_easiness_and_gain_nothing_once_tuned(run_example):
    example = run_example("transferred_margins")
    margins = example["transfer"].margins_
    assert margins.min() == example["transfer"].epsilon
    assert margins.max() > 1
    untuned, tuned, larger_C = (
        example["gain"][name] for name in ("both at C = 1", "both tuned", "SVM, C = 100 instead of 1")
    )
    assert untuned.mean_difference > 0
    assert untuned.p_value < 0.05
    # No gain is left: the text calls it a small part of its standard error.
    assert abs(tuned.mean_difference) < tuned.standard_error / 2
    assert tuned.p_value > 0.05
    # "Half of the gain" from C alone.
    assert 0.4 < larger_C.mean_difference / untuned.mean_difference < 0.6
    accuracy = {name: values.mean() for name, values in example["accuracy"].items()}
    assert accuracy["transfer"] - accuracy["transfer, tuned"] > accuracy["SVM"] - accuracy["SVM, tuned"]


def test_useless_privileged_information_is_noticed(run_example):
    example = run_example("useless_privileged_information")
    gain = example["gain"]
    assert gain["relevant"].mean_difference > 3 * gain["relevant"].standard_error
    for kind in ("distance", "random"):
        assert abs(gain[kind].mean_difference) < 2 * gain[kind].standard_error
    assert gain["labels"].mean_difference == pytest.approx(0, abs=0.002)
    assert example["collapsed"].collapsed_
    assert "w = 0" in str(example["caught"][0].message)


def test_human_easiness_is_recovered_and_helps(run_example):
    example = run_example("human_easiness")
    assert example["kendall_tau"](example["scores"], example["easiness"]) > 0.7
    assert example["test"].mean_difference > 0
    assert example["test"].p_value < 0.05
    # The last agreement is that of shuffled scores: large over all samples, nothing within the classes.
    assert example["overall"] > 0.2
    assert abs(example["within"]) < 0.1


def test_partial_auc_gains_by_larger_trees_and_by_the_range_with_small_ones(run_example):
    example = run_example("partial_auc")
    gain = example["gain"]
    for name in ("large trees instead of small", "large trees instead of gradient boosting"):
        assert gain[name].mean_difference > 3 * gain[name].standard_error
    # "About three hundredths", and "as much".
    for name in ("large trees instead of small", "range instead of AdaBoost, small trees"):
        assert gain[name].mean_difference == pytest.approx(0.033, abs=0.008)
        assert gain[name].p_value < 0.05
    for name in ("all rates", "AdaBoost, large trees"):
        assert gain[f"range instead of {name}"].mean_difference <= 0
        assert gain[f"range instead of {name}"].p_value > 0.05
    # "The 36 highest of some 720 negatives."
    assert (example["y"] == 0).sum() == pytest.approx(720, abs=5)


def test_nearly_isotonic_gains_by_features_and_loses_to_a_mean_of_few_shots(run_example):
    example = run_example("nearly_isotonic")
    gain = example["gain"]
    # "Gained nothing" and "added nothing".
    assert gain["sorting"].mean_difference < gain["sorting"].standard_error
    assert abs(gain["ordered norms"].mean_difference) < 0.01
    # "About seven hundredths", and "as much again".
    for name in ("ordered features", "non-negative weights"):
        assert gain[name].mean_difference == pytest.approx(0.07, abs=0.015)
        assert gain[name].p_value < 0.05
    # "By more than a tenth".
    assert gain["5 shots instead of weights"].mean_difference > 0.1
    assert gain["5 shots instead of weights"].p_value < 0.05
    # The weights "fall with the rank".
    norms = example["norms"]["ordered features, non-negative"].mean(axis=0)
    assert (np.diff(norms) < 0).all()
