"""Detectors and recognizers in files: the same answers from a file, and nothing from one that was changed."""

import json
import zipfile

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from reference.described_videos import N_CONCEPTS, described_videos
from widemargin.events import EventDetector, EventRecognizer, NearlyIsotonicSVC
from widemargin.persistence import (
    ModelFileError,
    load_event_model,
    load_model,
    save_event_model,
    save_model,
)

EVENTS = np.arange(12) % 3
NAMES = np.array(["swim", "cook", "ride"])


def videos():
    return described_videos(np.random.default_rng(0), EVENTS, n_shots=3, n_extra=7)


def detector(**options):
    parameters = {
        "name": "swim",
        "description": "people swim <in> a pool",
        "concept_names": ["water", "pan", "horse", "stage"],
        "classifier": NearlyIsotonicSVC(),
    } | options
    return EventDetector(np.eye(N_CONCEPTS)[0], **parameters).fit(videos(), EVENTS == 0)


def recognizer():
    model = EventRecognizer(
        np.eye(N_CONCEPTS)[:3], NAMES, descriptions=["a", "b", "c"], classifier=NearlyIsotonicSVC()
    )
    return model.fit(videos(), NAMES[EVENTS])


@pytest.mark.parametrize(
    "make",
    [
        detector,
        lambda: detector(fusion="average"),
        lambda: detector(features=["flow"], n_shots=6),
        recognizer,
    ],
    ids=["detector", "averaged", "one kind", "recognizer"],
)
def test_a_saved_model_gives_the_same_scores_and_evidence(tmp_path, make):
    model = make()
    save_event_model(model, tmp_path / "m.skops")
    loaded = load_event_model(tmp_path / "m.skops")
    assert type(loaded) is type(model)
    assert loaded.n_shots_ == model.n_shots_
    assert list(loaded.get_params()) == list(model.get_params())
    np.testing.assert_array_equal(loaded.decision_function(videos()), model.decision_function(videos()))
    assert loaded.recount(videos()[0]) == model.recount(videos()[0])
    np.testing.assert_array_equal(loaded.predict(videos()), model.predict(videos()))


def test_names_and_baseline_are_kept(tmp_path):
    model = detector()
    save_event_model(model, tmp_path / "m.skops")
    loaded = load_event_model(tmp_path / "m.skops")
    assert (loaded.name, loaded.description) == ("swim", "people swim <in> a pool")
    assert list(loaded.concept_names) == ["water", "pan", "horse", "stage"]
    assert loaded.recount_baseline(videos()[0]) == model.recount_baseline(videos()[0])


def test_each_kind_of_model_has_its_own_functions(tmp_path):
    save_event_model(detector(), tmp_path / "event.skops")
    with pytest.raises(ModelFileError, match="holds a model of events in videos: use load_event_model"):
        load_model(tmp_path / "event.skops")
    save_model(NearlyIsotonicSVC().fit(np.eye(4), [0, 1, 0, 1]), tmp_path / "table.skops")
    with pytest.raises(ModelFileError, match="holds a classifier of tables: use load_model"):
        load_event_model(tmp_path / "table.skops")
    with pytest.raises(TypeError, match="save other classifiers with save_model"):
        save_event_model(NearlyIsotonicSVC(), tmp_path / "m.skops")
    with pytest.raises(NotFittedError):
        save_event_model(EventDetector([1.0]), tmp_path / "m.skops")


def changed(source, target, change):
    """Copy an archive with its tree of nodes changed."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "schema.json":
                schema = json.loads(data)
                change(schema["content"]["content"])
                data = json.dumps(schema)
            new.writestr(name, data)


@pytest.mark.parametrize(
    ("attribute", "content"),
    [
        ("n_shots_", "1000000000"),
        ("n_shots_", "4"),
        ("name", "7"),
        ("fusion", '"sum"'),
        ("normalize", '"no"'),
    ],
)
def test_a_changed_model_is_refused(tmp_path, attribute, content):
    save_event_model(detector(), tmp_path / "m.skops")

    def change(attributes):
        attributes[attribute]["content"] = content

    changed(tmp_path / "m.skops", tmp_path / "changed.skops", change)
    with pytest.raises(ModelFileError, match="is damaged, or was changed"):
        load_event_model(tmp_path / "changed.skops")


def test_a_foreign_or_truncated_file_is_refused(tmp_path):
    path = tmp_path / "m.skops"
    path.write_bytes(b"nothing of ours")
    with pytest.raises(ModelFileError, match="is not a model that widemargin saved"):
        load_event_model(path)
    save_event_model(recognizer(), path)
    data = path.read_bytes()
    for length in range(0, len(data), len(data) // 20):
        path.write_bytes(data[:length])
        with pytest.raises(ModelFileError):
            load_event_model(path)
    with pytest.raises(ModelFileError):
        load_event_model(tmp_path / "missing.skops")
