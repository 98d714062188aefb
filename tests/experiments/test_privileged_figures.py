"""The words around the figures of experiments with privileged information say what is to be seen."""

import numpy as np
import pytest

from widemargin.experiments.accuracy import AccuracyStudy
from widemargin.experiments.privileged_comparison import METHODS, describe_agreement
from widemargin.experiments.privileged_figures import (
    describe_means,
    draw_differences,
    draw_gain_against_difficulty,
    draw_gain_against_privileged_advantage,
)


def study_of(repeats):
    """Two tasks on which Margin Transfer loses, a little and more; the numbers of their repeats are given."""
    rows = [
        {"task": task, "svm_accuracy": 0.8, "svm_plus_accuracy": 0.8}
        | {"margin_transfer_accuracy": 0.8 - loss, "reference_accuracy": 0.7 - loss}
        for (task, loss), count in zip({"easy": 0.01, "hard": 0.03}.items(), repeats, strict=True)
        for _ in range(count)
    ]
    return AccuracyStudy.from_rows(rows, METHODS)


@pytest.mark.parametrize(
    ("repeats", "sentence"),
    [
        ((2, 2), "lines are standard errors of the paired difference."),
        ((2, 1), "lines are standard errors of the paired difference, of tasks with more than one repeat."),
        ((1, 1), "one repeat has no standard errors."),
    ],
)
def test_the_caption_promises_error_bars_only_if_there_are_any(repeats, sentence):
    drawing = draw_differences(study_of(repeats), "margin_transfer", "svm")
    assert drawing.caption.endswith(f"in percentage points; {sentence}")


def test_no_loss_is_called_a_gain():
    study = study_of((1, 1))
    differences = draw_differences(study, "margin_transfer", "svm").alt
    assert differences.endswith("Differences go from −3.00 points (hard) to −1.00 points (easy).")
    advantage = draw_gain_against_privileged_advantage(study, "margin_transfer").alt
    assert (
        "Differences to the SVM: SVM on X* from −13.00 to −11.00 points, Margin Transfer from −3.00"
        in advantage
    )
    assert (
        "differences of Margin Transfer to it from −3.00"
        in draw_gain_against_difficulty(study, "margin_transfer").alt
    )


def test_coefficients_have_a_true_minus_and_may_be_unknown():
    rows = [{"tau": -0.041, "tau_within_class": float("nan")}, {"tau": np.nan, "tau_within_class": np.nan}]
    assert "with Kendall's tau −0.04 over all training images, and – within a class" in describe_agreement(
        rows
    )
    matrices = {"left": np.array([[np.nan, -0.2]]), "right": np.array([[np.nan]])}
    assert describe_means(matrices) == "left −0.20, right unknown"
