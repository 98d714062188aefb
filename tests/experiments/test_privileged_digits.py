"""The first experiment: its split, a tiny run of it, its verdicts and its comparison with the paper."""

import numpy as np
import pytest

from experiments.toy_experiment import Recorder
from widemargin.experiments import EXPERIMENTS, Settings, run_experiment
from widemargin.experiments.accuracy import AccuracyStudy
from widemargin.experiments.privileged_claims import compare_with_animals
from widemargin.experiments.privileged_comparison import METHODS, draw_split, privileged_verdict
from widemargin.experiments.privileged_digits import DigitsProtocol, digits_experiment

TINY = DigitsProtocol(
    pairs=((3, 8), (1, 7)), multiclass=False, n_train=6, n_test=20, grid=(0.1, 10.0), n_folds=2
)


def study(tasks):
    """Accuracies (SVM, Margin Transfer, SVM+, reference) of each task; tuples of repeats or single numbers."""
    keys = [method.key for method in METHODS]
    rows = [
        {"task": task, "repeat": 0}
        | {f"{key}_accuracy": value for key, value in zip(keys, values, strict=True)}
        for task, values in tasks.items()
    ]
    return AccuracyStudy.from_rows(rows, METHODS)


def many(transfer, plus, n_tasks=12):
    """Tasks on which the two methods differ from the SVM by about the given amounts."""
    wiggle = np.linspace(0.9, 1.1, n_tasks)
    return study({f"t{k}": (0.8, 0.8 + transfer * w, 0.8 + plus * w, 0.95) for k, w in enumerate(wiggle)})


def test_a_split_is_balanced_disjoint_and_fixed_by_its_seed():
    y = np.repeat([0, 1, 2], [30, 12, 25])
    train, test = draw_split(y, [0, 1], 10, 8, seed=3)
    assert np.bincount(y[train]).tolist() == [10, 10]
    assert np.bincount(y[test]).tolist() == [8, 2]  # class 1 has only two samples left
    assert not set(train) & set(test)
    again = draw_split(y, [0, 1], 10, 8, seed=3)
    np.testing.assert_array_equal(train, again[0])
    np.testing.assert_array_equal(test, again[1])
    assert set(draw_split(y, [0, 1], 10, 8, seed=4)[0]) != set(train)


def test_a_tiny_run_from_end_to_end(tmp_path):
    outcome = run_experiment(digits_experiment(TINY), Settings(repeats=2), tmp_path, observer=Recorder())
    record = outcome.record
    assert record.status == "complete", record.message
    lines = (tmp_path / "privileged-digits/pairs.csv").read_text().splitlines()
    assert lines[0].startswith("task,repeat,svm_accuracy,margin_transfer_accuracy,svm_plus_accuracy,")
    assert [line.split(",")[:2] for line in lines[1:]] == [
        ["3 versus 8", "0"],
        ["3 versus 8", "1"],
        ["1 versus 7", "0"],
        ["1 versus 7", "1"],
    ]
    table = record.summary.tables[0]
    assert [column.title for column in table.columns[1:]] == [method.name for method in METHODS]
    assert not any(row[4].best for row in table.rows)
    assert [figure.svg for figure in record.figures] == [
        "figures/difference-margin-transfer-svm.svg",
        "figures/difference-svm-plus-svm.svg",
        "figures/difference-margin-transfer-svm-plus.svg",
        "figures/gain-margin-transfer.svg",
        "figures/tau.svg",
    ]


def test_ten_digits_at_once(tmp_path):
    protocol = DigitsProtocol(pairs=(), n_train=4, n_test=10, grid=(1.0,), n_folds=2)
    outcome = run_experiment(digits_experiment(protocol), Settings(), tmp_path, observer=Recorder())
    assert outcome.record.status == "complete", outcome.record.message
    assert outcome.record.summary.tables[0].rows[0][0].text == "all 10 digits"
    # 40 coarse images teach far more than guessing, which is right in one of ten.
    line = (tmp_path / "privileged-digits/multiclass.csv").read_text().splitlines()[1]
    assert min(float(value) for value in line.split(",")[2:6]) > 0.4


def test_the_published_protocol():
    experiment = {e.name: e for e in EXPERIMENTS}["privileged-digits"]
    units = experiment.units(Settings(repeats=2))
    assert len(units) == len(set(units)) == 2 * (45 + 1)
    assert units[0].table == "multiclass"
    assert experiment.repeats.full == 20
    assert experiment.repeats.default >= 6  # with fewer, a paired Wilcoxon test cannot reach 95 %
    assert "0.001, 0.01, 0.1, 1, 10, 100, 1000" in experiment.protocol(Settings())["parameters"]


@pytest.mark.parametrize(
    ("transfer", "plus", "start"),
    [
        (
            0.02,
            0.01,
            "Yes, for Margin Transfer and SVM+: better than the plain SVM in the mean over 12 tasks",
        ),
        (0.02, -0.01, "Yes, for Margin Transfer: better than the plain SVM"),
        (-0.02, -0.01, "No, the baseline wins: Margin Transfer and SVM+ lost accuracy against the plain SVM"),
        (0.0, 0.0, "No clear benefit: "),
    ],
)
def test_the_verdict_says_who_wins(transfer, plus, start):
    assert privileged_verdict(many(transfer, plus)).startswith(start)


def test_the_verdict_names_losers_beside_winners_and_the_baseline_when_it_leads():
    assert "SVM+, however, lost accuracy." in privileged_verdict(many(0.02, -0.01))
    text = privileged_verdict(many(-0.02, -0.01))
    assert "(Margin Transfer −2.00 points, SVM+ −1.00 points)" in text
    assert "SVM is best on 12 of 12 tasks" in text
    assert "SVM, Margin Transfer and SVM+ are each best on 12 of 12 tasks" in privileged_verdict(
        many(0.0, 0.0)
    )


def test_the_comparison_with_the_paper_on_hand_made_results():
    pairs = study(
        {
            "a": (0.80, 0.83, 0.82, 0.90),  # hard, gain 3
            "b": (0.95, 0.96, 0.94, 0.98),  # easy, gain 1
            "c": (0.96, 0.95, 0.96, 0.99),  # easy, gain -1
        }
    )
    lines = {line.statement: line for line in compare_with_animals(pairs, None)}
    most = lines["Tasks on which Margin Transfer is best"]
    assert (most.ours, most.difference, most.answer) == ("2 of 3", "", "not clear")
    above = lines["Margin Transfer is above the SVM"]
    # The smallest p-value of three tasks is 0.25.
    assert (above.paper, above.ours, above.answer) == ("32 of 45", "2 of 3", "not clear")
    assert "Above on 2, equal on 0, below on 1: p = 0.75, not significant." in above.sentence
    assert "Table 1 shows 31 and a tie" in above.sentence
    hard = lines["Margin Transfer gains more where accuracy is below 90 %"]
    assert (hard.ours, hard.answer) == ("+3.00 below, 0.00 above", "not clear")
    mean = lines["Mean accuracy of Margin Transfer, %"]
    assert (mean.ours, mean.difference, mean.answer) == ("91.33", "", "not clear")
    assert (
        "Against the SVM +1.00 points here (p = 0.75, not significant), +0.35 in the paper" in mean.sentence
    )
    assert lines["Mean accuracy of the SVM, %"].answer == "no answer"


def test_a_claim_is_borne_out_or_refuted_by_a_significant_lead_only():
    for transfer, answer in ((0.02, "agrees"), (-0.02, "disagrees"), (0.0, "not clear")):
        pairs = many(transfer, 0.01)
        lines = {line.statement: line for line in compare_with_animals(pairs, None)}
        assert lines["Margin Transfer is above the SVM"].answer == answer
        assert lines["Tasks on which Margin Transfer is best"].answer == (
            "agrees" if transfer > 0 else "disagrees"
        )
        assert lines["Mean accuracy of Margin Transfer, %"].answer == answer
        assert lines["SVM+ is above the SVM"].answer == "agrees"


def test_a_count_that_the_mean_contradicts_is_not_clear():
    gains = np.r_[np.full(11, 0.001), -0.2]
    pairs = study({f"t{k}": (0.8, 0.8 + gain, 0.8, 0.9) for k, gain in enumerate(gains)})
    line = {line.statement: line for line in compare_with_animals(pairs, None)}[
        "Margin Transfer is above the SVM"
    ]
    assert (line.ours, line.answer) == ("11 of 12", "not clear")
    assert "do not lean to the same side" in line.sentence


def test_gains_on_hard_tasks_are_compared_by_a_rank_test():
    tasks = {f"hard {k}": (0.8, 0.82 + k / 1000, 0.8, 0.9) for k in range(6)}
    tasks |= {f"easy {k}": (0.95, 0.951 + k / 1000, 0.95, 0.99) for k in range(6)}
    (line,) = [line for line in compare_with_animals(study(tasks), None) if "below 90 %" in line.statement]
    assert line.answer == "agrees"
    assert "p = 0.0022, significant" in line.sentence  # 2 of the 924 orders of two groups of six


def test_without_hard_tasks_the_claim_about_them_has_no_answer():
    (line,) = [
        line
        for line in compare_with_animals(study({"a": (0.95, 0.96, 0.95, 1.0)}), None)
        if "below 90 %" in line.statement
    ]
    assert line.answer == "no answer"
    assert "All tasks here are at or above 90 %" in line.sentence
