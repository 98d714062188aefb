"""The ranking experiments from end to end on small data, and what they compare with the paper."""

import numpy as np
import pytest

from experiments.ranking_files import protein_pairs_arrays, write_protein_pairs, write_usps
from experiments.toy_experiment import Recorder
from widemargin.datasets import MissingDatasetError
from widemargin.experiments import EXPERIMENTS, Settings, run_experiment
from widemargin.experiments.accuracy import AccuracyStudy, Method
from widemargin.experiments.experiment import Repeats
from widemargin.experiments.ranking import gradient_boosting
from widemargin.experiments.ranking.boosters import BoostersProtocol, boosters_experiment
from widemargin.experiments.ranking.contenders import PARTIAL_AUC
from widemargin.experiments.ranking.problems import Digits, Split, Usps
from widemargin.experiments.ranking.proteins import ProteinsProtocol, proteins_experiment
from widemargin.experiments.ranking.rows import RowsProtocol, rows_experiment
from widemargin.experiments.ranking.table_four import scaled
from widemargin.experiments.ranking.toy import ToyProtocol, toy_experiment
from widemargin.experiments.ranking.vision import VisionProtocol, vision_experiment
from widemargin.experiments.ranking.vision_claims import (
    OURS,
    RIVALS,
    beside_table_five,
    claims_of_table_five,
    printed_lines,
)

TINY_TOY = ToyProtocol(n_train=60, n_validation=60, n_test=200)
TINY_DIGITS = VisionProtocol((Digits(train_size=120),), n_trees=(2, 4), nu=(1.0, 0.1))
TINY_BOOSTERS = BoostersProtocol(
    (Digits(train_size=150),),
    ((0.0, 0.1), (0.1, 0.3)),
    n_trees=4,
    max_depth=(3,),
    nu=(0.1, 1.0),
    learning_rate=(0.5,),
)


@pytest.fixture(autouse=True)
def few_settings(monkeypatch):
    """Leave the gradient boosters two settings, and LightGBM out: not everyone has it."""
    original = gradient_boosting._contenders

    def fewer(n_trees, lightgbm, histogram):
        return original(n_trees, lightgbm[:2], histogram[:2])

    monkeypatch.setattr(gradient_boosting, "_contenders", fewer)
    monkeypatch.setattr(gradient_boosting, "_lightgbm", lambda n_trees: None)


def finish(experiment, settings, folder):
    """Run an experiment whole, and return its record and the lines of its table."""
    record = run_experiment(experiment, settings, folder, observer=Recorder()).record
    assert record.status == "complete", record.message
    return record, (folder / record.name / "pauc.csv").read_text().splitlines()


def test_the_toy_figure(tmp_path):
    record, lines = finish(toy_experiment(TINY_TOY), Settings(), tmp_path)
    assert len(lines) == 2
    table = record.summary.tables[0]
    assert [column.title for column in table.columns[1:]] == [
        "AdaBoost",
        "CS-AdaBoost",
        "AsymBoost",
        "pAUCEnsT",
        "HistGradientBoosting",
    ]
    # Scores without information have 10 % in this range; the gradient booster has only its slowest rates here.
    assert all(float(cell.text.split()[0]) > 50 for cell in table.rows[0][1:5])
    assert [figure.svg for figure in record.figures] == ["figures/boundaries.svg"]
    assert [line.statement for line in record.summary.comparisons] == [
        "pAUCEnsT is above AdaBoost",
        "pAUCEnsT is above CS-AdaBoost",
        "pAUCEnsT is above AsymBoost",
    ]


def test_the_weight_of_the_risk_is_translated_from_a_sum_to_a_mean():
    (contender,) = (c for c in ToyProtocol().contenders if c.key == "partial_auc")
    nu = [choice["nu"] for choice in contender.grid]
    assert len(nu) == 11
    assert (nu[0], nu[-1]) == (pytest.approx(200 * 40 * 1e-5), pytest.approx(200 * 40 * 1e-3))


def test_digits_without_data(tmp_path):
    record, lines = finish(vision_experiment(TINY_DIGITS), Settings(repeats=2), tmp_path)
    assert record.name == "ranking-digits"
    assert [row[0].text for row in record.summary.tables[0].rows] == ["digits, 2 trees", "digits, 4 trees"]
    assert "lightgbm_0_0.1_4_pauc" in lines[0]
    assert "LightGBM" not in [column.title for column in record.summary.tables[0].columns]
    # The data are not the paper's: no table beside ours, and its three differences stand in each claim.
    assert [table.name for table in record.summary.tables] == ["pauc", "choices"]
    (line,) = [c for c in record.summary.comparisons if "above AdaBoost" in c.statement]
    assert line.difference == ""
    assert record.summary.verdict.startswith("With 4 trees: pAUCEnsT is ")


def test_images_run_with_the_data_that_are_there(tmp_path):
    write_usps(tmp_path / "data")
    protocol = VisionProtocol((Usps(train_size=30),), needs_data=True, n_trees=(2, 3), nu=(1.0,))
    settings = Settings(data=tmp_path / "data")
    record, _ = finish(vision_experiment(protocol), settings, tmp_path / "out")
    assert record.name == "ranking-images"
    with pytest.raises(MissingDatasetError):
        vision_experiment(protocol).protocol(Settings(data=tmp_path / "nowhere"))


def test_boosters_without_data(tmp_path):
    record, lines = finish(boosters_experiment(TINY_BOOSTERS), Settings(repeats=2), tmp_path)
    tables = {table.name: table for table in record.summary.tables}
    assert [row[0].text for row in tables["pauc"].rows] == ["digits (0, 0.1)", "digits (0.1, 0.3)"]
    titles = [column.title for column in tables["pauc"].columns[1:]]
    assert titles[-3:] == ["AdaBoost (deep)", "pAUCEnsT (deep)", "pAUCEnsT (deep, AUC)"]
    assert all(row[-1].reference and not row[-2].reference for row in tables["pauc"].rows)
    methods = {row[0].text for row in tables["choices"].rows}
    assert "pAUCEnsT (deep)" in methods
    assert "fpr_range" not in lines[0]
    assert any("Does it help to train for the judged range?" in text for text in record.summary.findings)


def test_the_rows_of_table_four(tmp_path):
    write_usps(tmp_path / "data")
    protocol = RowsProtocol((Usps(train_size=40),), n_rounds=3)
    record, _ = finish(
        rows_experiment(protocol), Settings(repeats=2, data=tmp_path / "data"), tmp_path / "out"
    )
    table = record.summary.tables[0]
    assert [row[0].text for row in table.rows] == [
        "pAUCEnsT, linear",
        "pAUCEns, linear",
        "SVM pAUC, tight",
        "SVM pAUC, structural",
        "pAUCBoost, trees",
        "asymmetric SVM",
        "SVM AUC",
        "pAUCEnsT, trees",
        "pAUCEns, trees",
        "HistGradientBoosting",
    ]
    assert [row[1].text for row in table.rows[:3]] == ["56.76", "56.05", "52.95"]
    assert table.rows[7][1].text == "–"
    assert record.summary.comparisons[0].paper == "+0.71 (56.76 against 56.05)"
    assert record.summary.comparisons[0].difference == ""


def test_protein_pairs_from_end_to_end(tmp_path):
    write_protein_pairs(tmp_path / "data", protein_pairs_arrays(n_positives=60, n_negatives=180))
    protocol = ProteinsProtocol(train_share=0.5, n_rounds=2, n_folds=2)
    settings = Settings(data=tmp_path / "data")
    record, lines = finish(proteins_experiment(protocol), settings, tmp_path / "out")
    assert len(lines) == 2
    assert (
        "60 interacting pairs of proteins (positive) and 180 random ones, 90 features"
        in record.protocol["data"]
    )
    assert record.summary.comparisons[0].difference != ""
    # Ten of the features are shifted by a standard deviation: every method is above chance, 5 % in this range, the SVMs
    # far above; two trees are too few for more.
    found = {row[0].text: float(row[2].text) for row in record.summary.tables[0].rows}
    assert min(found.values()) > 8
    assert min(value for name, value in found.items() if "SVM" in name) > 40


def test_protein_pairs_that_are_missing_are_named(tmp_path):
    with pytest.raises(MissingDatasetError, match="dipsPosPair"):
        proteins_experiment().protocol(Settings(data=tmp_path))


def test_scaling_is_measured_on_the_training_samples():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 4)) * [1, 10, 100, 0] + 5
    split = Split(X[:20], np.zeros(20), X[20:], np.zeros(10))
    for each in (False, True):
        found = scaled(split, each_feature=each).X_train
        np.testing.assert_allclose(found.mean(axis=0), 0, atol=1e-12)
        # A constant feature stays zero, so that with each feature scaled only three of four have length.
        assert (found**2).sum(axis=1).mean() == pytest.approx(0.75 if each else 1.0)


def five(gains):
    """A study of the nine printed tasks in which ours gains as much as given over all others, in every repeat."""
    methods = [Method(key, key, "") for key in (*RIVALS, OURS)]
    rows = [
        {
            "task": line.task,
            **{f"{key}_pauc": 0.8 + k / 1000 for key in RIVALS},
            f"{OURS}_pauc": 0.8 + k / 1000 + gain,
        }
        for line, gain in zip(printed_lines(), gains, strict=True)
        for k in range(6)
    ]
    return AccuracyStudy.from_rows(rows, methods, PARTIAL_AUC)


def test_claims_of_table_five():
    found = {c.statement: c for c in claims_of_table_five(five(np.full(9, 0.02)), 100)}
    assert len(found) == 9
    line = found[f"{OURS} is above adaboost: scenes, 100 trees"]
    assert (line.paper, line.ours, line.difference, line.answer) == (
        "+2 (87 against 85)",
        "+2.00 ± 0.00",
        "0.00",
        "agrees",
    )
    answers = {c.answer for c in claims_of_table_five(five(np.full(9, -0.02)), 100)}
    assert answers == {"disagrees"}


def test_table_five_beside_ours():
    table = beside_table_five(five(np.full(9, 0.02)))
    assert [cell.text for cell in table.rows[0]][:3] == ["USPS, 10 trees", "87 ± 1", "80.25 ± 0.08"]
    assert [cell.text for cell in table.rows[0]][-2:] == ["88 ± 1", "82.25 ± 0.08"]
    # The printed table gives ours as the best of all rows, once beside another.
    assert [row[-2].best for row in table.rows] == [True] * 9
    assert table.rows[6][-4].best


def test_the_published_protocols():
    experiments = {experiment.name: experiment for experiment in EXPERIMENTS}
    assert {name for name, e in experiments.items() if name.startswith("ranking-") and not e.needs_data} == {
        "ranking-toy",
        "ranking-digits",
        "ranking-boosters",
    }
    assert experiments["ranking-toy"].repeats.full == 20
    assert experiments["ranking-images"].repeats == Repeats(quick=1, default=6, full=20)
    assert experiments["ranking-proteins"].repeats.full == 10
    settings = experiments["ranking-digits"].protocol(Settings())["settings"]
    assert "pAUCEnsT (4 settings): nu 1, 0.5, 0.2, 0.1" in settings
    assert "AsymBoost (11 settings): asymmetry 0.707, 0.758," in settings
