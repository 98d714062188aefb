"""The experiments on the nearly-isotonic SVM from end to end on a few small videos."""

import csv

import numpy as np
import pytest

from experiments.toy_experiment import Recorder
from widemargin.experiments import PARTS, Settings, run_experiment
from widemargin.experiments.events.bags import ORDERS, DetectionVideos, RecognitionVideos
from widemargin.experiments.events.detection import DetectionProtocol, detection_experiment
from widemargin.experiments.events.methods import Choices
from widemargin.experiments.events.penalties import PenaltiesProtocol, penalties_experiment
from widemargin.experiments.events.ranking_svm import RankingSVMProtocol, ranking_svm_experiment
from widemargin.experiments.events.recognition import RecognitionProtocol, recognition_experiment
from widemargin.experiments.events.sensitivity import SensitivityProtocol, sensitivity_experiment
from widemargin.experiments.experiment import Unit

VIDEOS = DetectionVideos(6, 18, n_test=32, n_shots=4, n_features=5)
CHOICES = Choices((0.1,), (0.1,), (0.03,), (1.0, 10.0))

DETECTION = detection_experiment(DetectionProtocol(VIDEOS, n_events=1, few=4, choices=CHOICES, n_folds=2))
PENALTIES = penalties_experiment(
    PenaltiesProtocol(VIDEOS, n_events=2, orders=("exact order", "small noise"), choices=CHOICES, n_folds=2)
)
RANKING_SVM = ranking_svm_experiment(RankingSVMProtocol(VIDEOS, ("small noise",), CHOICES, n_folds=2))
RECOGNITION = recognition_experiment(
    RecognitionProtocol(
        RecognitionVideos(3, n_train=4, n_test=6, n_shots=4, n_features=5), CHOICES, n_folds=2
    )
)
SENSITIVITY = sensitivity_experiment(
    SensitivityProtocol(VIDEOS, values=(1e-2, 1.0), fixed=(1.0,), n_starts=3, at=(1e-2, 1e-2))
)
TITLES = ["SVM_A", "SVM_M", "SVM_T", "NI-SVM_1", "NI-SVM_1+", "NI-SVM_2", "NI-SVM_2+"]


def finish(experiment, folder, repeats=2):
    """Run an experiment whole, and return its summary, tables by name, and record."""
    record = run_experiment(experiment, Settings(repeats=repeats), folder, observer=Recorder()).record
    assert record.status == "complete", record.message
    return record.summary, {table.name: table for table in record.summary.tables}, record


def titles(table):
    return [column.title for column in table.columns[1:]]


@pytest.fixture(scope="module")
def detection(tmp_path_factory):
    """The longest of the experiments, interrupted after one repeat."""
    folder = tmp_path_factory.mktemp("detection")
    finish(DETECTION, folder, repeats=1)
    return (*finish(DETECTION, folder), folder)


def test_detection(detection):
    summary, tables, record, _ = detection
    for name, start in (("squared_hinge_l2", "SVM"), ("squared_l1", "LS")):
        assert titles(tables[name]) == [title.replace("SVM", start) for title in TITLES]
        assert [row[0].text for row in tables[name].rows] == list(ORDERS)
    assert [cell.text for cell in tables["squared_hinge_l2"].totals[-3]] == [
        "Table 1, MED14", "27.2", "24.5", "30.1", "32.2", "30.4", "34.4", "31.0",
    ]  # fmt: skip
    others = ["SVM_T", "NI-SVM_2", "SVM_A of few", "logistic regression", "logistic regression"]
    assert titles(tables["beyond"])[1:] == others
    assert [row[0].text for row in tables["few_positives"].rows] == [
        "small noise, 4 positives",
        "small noise, 6 positives",
    ]
    assert len(summary.comparisons) == 10
    # Two repeats cannot make anything significant.
    assert {line.answer for line in summary.comparisons} == {"not clear"}
    assert all(line.difference == "" for line in summary.comparisons)
    assert "Of 10 claims of the paper 0 hold here" in summary.verdict
    assert [figure.svg for figure in record.figures] == ["figures/orders.svg"]


def test_pooling_does_not_depend_on_the_order(detection):
    _, tables, _, _ = detection
    for column in (1, 2):
        assert len({row[column].text for row in tables["squared_hinge_l2"].rows}) == 1
    assert len({row[3].text for row in tables["squared_hinge_l2"].rows}) > 1


def test_a_unit_gives_the_same_row_on_its_own(detection):
    (unit,) = (u for u in DETECTION.units(Settings(repeats=2)) if u == Unit("map", "medium noise", 1))
    row = DETECTION.run(unit, Settings(repeats=2))
    lines = (detection[-1] / DETECTION.name / "map.csv").read_text().splitlines()
    values = next(csv.DictReader([lines[0], *(line for line in lines if line.startswith("medium noise,1,"))]))
    assert {name: str(value) for name, value in row.items()} == {name: values[name] for name in row}


@pytest.mark.parametrize("experiment", [DETECTION, PENALTIES, RANKING_SVM, RECOGNITION, SENSITIVITY])
def test_any_finished_unit_can_be_summarised(experiment):
    """As after Ctrl-C: one unit of any table must do for a report."""
    settings = Settings()
    units = experiment.units(settings)
    of_table = {unit.table: unit for unit in units}
    for unit in of_table.values():
        row = {"task": unit.task, "repeat": 0, **experiment.run(unit, settings), "seconds": 1.0}
        rows = {spec.name: [row] if spec.name == unit.table else [] for spec in experiment.tables}
        assert experiment.summarise(rows, settings).verdict
        assert isinstance(experiment.draw(rows, settings), list)


def test_penalties(tmp_path):
    summary, tables, _ = finish(PENALTIES, tmp_path, repeats=1)
    assert titles(tables["squared_penalties"]) == [
        "Nearly isotonic (5)",
        "Increments (7)",
        "Absolute (8)",
        "Total variation (9)",
    ]
    assert [cell.text for cell in tables["squared_penalties"].totals[-1]] == [
        "Table 5, CCVsub", "78.3", "73.8", "75.1", "76.7",
    ]  # fmt: skip
    assert len(summary.comparisons) == 6
    same = [text for text in summary.findings if text.startswith("Of the norms of the shots")]
    assert len(same) == 2
    # Equal penalties take equal steps: there is not even a difference by rounding.
    assert all("differ by 0 of the largest weight" in text for text in same)


def test_the_ranking_svm(tmp_path):
    summary, tables, _ = finish(RANKING_SVM, tmp_path)
    assert titles(tables["map"]) == ["RSVM", "SVM_A", "NI-SVM_2"]
    assert [cell.text for cell in tables["map"].totals[0]] == ["Table 6, MED14", "28.8", "–", "34.4"]
    assert [row[0].text for row in tables["times"].rows] == [
        "choosing values",
        "training",
        "scoring the test videos",
    ]
    assert tables["times"].totals[0][1].text == "52.8"
    assert [line.statement for line in summary.comparisons][1:] == [
        "NI-SVM_2 takes less time than the ranking SVM: training",
        "NI-SVM_2 takes less time than the ranking SVM: scoring the test videos",
    ]
    assert summary.comparisons[1].paper == "4.3, 4.6, 3.7 times"


def test_recognition(tmp_path):
    summary, tables, _ = finish(RECOGNITION, tmp_path, repeats=1)
    assert titles(tables["l2"]) == [*TITLES, "logistic regression"]
    assert titles(tables["l1"]) == TITLES
    assert [row[0].text for row in tables["l1"].rows] == list(ORDERS)
    assert tables["l2"].totals[-1][1].text == "81.6"
    assert len(summary.comparisons) == 8


def test_sensitivity(tmp_path):
    summary, tables, record = finish(SENSITIVITY, tmp_path)
    assert titles(tables["isotonic_alpha_at_1"]) == ["0.01", "1"]
    assert [row[0].text for row in tables["starts"].rows] == [
        "NI-SVM_1",
        "NI-SVM_1+",
        "NI-SVM_2",
        "NI-SVM_2+",
    ]
    assert [figure.svg for figure in record.figures] == ["figures/weights.svg", "figures/starts.svg"]
    # Convex: every start ends at the same objective, up to the tolerance of 0.1 %.
    excess = {row[0].text: float(row[6].text) for row in tables["starts"].rows}
    assert excess["NI-SVM_1+"] <= 0.2
    assert "3 random starts" in summary.findings[-1]
    assert summary.comparisons[1].statement == "The convex variants do not depend on the start"


def test_random_starts_differ():
    (unit,) = (u for u in SENSITIVITY.units(Settings()) if u == Unit("starts", "NI-SVM_2", 0))
    row = SENSITIVITY.run(unit, Settings())
    objectives = [row[f"random_{number}_objective"] for number in (1, 2, 3)]
    assert len(np.unique(objectives)) == 3


def test_the_part_needs_no_data():
    assert [experiment.name for experiment in PARTS["nearly-isotonic"]] == [
        "isotonic-detection",
        "isotonic-penalties",
        "isotonic-ranking-svm",
        "isotonic-recognition",
        "isotonic-sensitivity",
    ]
    assert not any(experiment.needs_data for experiment in PARTS["nearly-isotonic"])
    for experiment in PARTS["nearly-isotonic"]:
        assert experiment.repeats.default == 10
        assert all(experiment.protocol(Settings()).values())
