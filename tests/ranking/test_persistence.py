"""Saving, pickling and cloning the classifiers for ranking, and files of trees that were changed."""

import io
import json
import pickle
import warnings
import zipfile

import joblib
import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix
from sklearn.base import clone
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

from widemargin.persistence import ModelFileError, load_model, save_model, trust
from widemargin.ranking import (
    AdaBoostTreesClassifier,
    AsymBoostClassifier,
    CostSensitiveBoostClassifier,
    KomoriEguchiBoostClassifier,
    PartialAUCBoostingClassifier,
    PartialAUCSVC,
)

BOOSTED = {
    "trees": PartialAUCBoostingClassifier(n_estimators=6),
    "confidence": PartialAUCBoostingClassifier(
        n_estimators=6, leaves="confidence", early_stopping=True, random_state=0
    ),
    "linear": PartialAUCBoostingClassifier(n_estimators=4, estimator="linear", random_state=0),
    "ada": AdaBoostTreesClassifier(n_estimators=6, leaves="real"),
    "fisher": AdaBoostTreesClassifier(n_estimators=6, lda_post_processing=True),
    "asym": AsymBoostClassifier(n_estimators=6),
    "cost_sensitive": CostSensitiveBoostClassifier(n_estimators=6),
    "komori_eguchi": KomoriEguchiBoostClassifier(n_estimators=6),
}
OF_TREES = [name for name in BOOSTED if name != "linear"]
ESTIMATORS = BOOSTED | {"svc": PartialAUCSVC((0, 0.3)), "svc_rbf": PartialAUCSVC((0, 0.3), kernel="rbf")}
NAMES = ["length", "width", "größe", "d"]


def samples(n_classes=2):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(90, 4))
    score = X[:, 0] + X[:, 1] * X[:, 2] + 0.5 * rng.normal(size=90)
    return X, np.array(["ja", "nein, nie", "ü"])[np.argsort(np.argsort(score)) * n_classes // 90]


def fitted(name):
    X, y = samples()
    return clone(ESTIMATORS[name]).fit(X, y), X


def by_file(model, folder):
    save_model(model, folder / "model.skops")
    return load_model(folder / "model.skops").model


def by_pickle(model, folder):
    return pickle.loads(pickle.dumps(model))


def by_joblib(model, folder):
    joblib.dump(model, folder / "model.joblib")
    return joblib.load(folder / "model.joblib")


@pytest.mark.parametrize("way", [by_file, by_pickle, by_joblib])
@pytest.mark.parametrize("name", ESTIMATORS)
def test_every_classifier_survives(tmp_path, name, way):
    model, X = fitted(name)
    loaded = way(model, tmp_path)
    assert type(loaded) is type(model)
    np.testing.assert_array_equal(loaded.decision_function(X), model.decision_function(X))
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))
    np.testing.assert_array_equal(loaded.classes_, model.classes_)
    if name not in BOOSTED:
        return
    stages = zip(loaded.staged_decision_function(X), model.staged_decision_function(X), strict=True)
    for ours, theirs in stages:
        np.testing.assert_array_equal(ours, theirs)
    np.testing.assert_array_equal(loaded.estimator_weights_, model.estimator_weights_)
    assert len(loaded.estimators_) == len(model.estimators_)
    if name in OF_TREES:
        np.testing.assert_array_equal(loaded.feature_importances_, model.feature_importances_)
        for ours, theirs in zip(loaded.estimators_, model.estimators_, strict=True):
            assert type(ours) is type(theirs)
            for key, value in vars(theirs).items():
                np.testing.assert_array_equal(getattr(ours, key), value)


@pytest.mark.parametrize("name", ESTIMATORS)
def test_a_clone_of_a_fitted_classifier_learns_the_same(name):
    model, X = fitted(name)
    copy = clone(model)
    assert not hasattr(copy, "classes_")
    assert not hasattr(copy, "estimators_")
    np.testing.assert_array_equal(
        copy.fit(*samples()).decision_function(X), model.decision_function(X), strict=True
    )


def test_the_number_of_parts_of_a_file_does_not_grow_with_the_trees(tmp_path):
    counts = set()
    for n_estimators in (2, 8):
        model = AdaBoostTreesClassifier(n_estimators=n_estimators).fit(*samples())
        save_model(model, tmp_path / "model.skops")
        with zipfile.ZipFile(tmp_path / "model.skops") as archive:
            counts.add(len(archive.namelist()))
    assert len(counts) == 1


def test_training_goes_on_from_a_loaded_ensemble(tmp_path):
    model, X = fitted("trees")
    loaded = by_file(model, tmp_path)
    for each in (model, loaded):
        each.set_params(n_estimators=9, warm_start=True).fit(*samples())
    assert len(loaded.estimators_) == 9
    np.testing.assert_array_equal(loaded.decision_function(X), model.decision_function(X))


@pytest.mark.parametrize("name", ["trees", "svc_rbf"])
def test_pipelines_and_names_of_columns(tmp_path, name):
    X, y = samples()
    model = make_pipeline(StandardScaler(), clone(ESTIMATORS[name])).fit(X, y)
    save_model(model, tmp_path / "model.skops", feature_names=NAMES)
    frame = pd.DataFrame(X, columns=NAMES)[NAMES[::-1]]
    np.testing.assert_array_equal(load_model(tmp_path / "model.skops").predict(frame), model.predict(X))


def test_one_classifier_a_class(tmp_path):
    X, y = samples(3)
    model = OneVsRestClassifier(clone(BOOSTED["trees"])).fit(X, y)
    loaded = by_file(model, tmp_path)
    np.testing.assert_array_equal(loaded.decision_function(X), model.decision_function(X))


def test_missing_values_go_to_models_that_take_them(tmp_path):
    X, y = samples()
    X[::3, 0] = np.nan
    model = clone(BOOSTED["trees"]).fit(X, y)
    save_model(model, tmp_path / "model.skops")
    np.testing.assert_array_equal(load_model(tmp_path / "model.skops").predict(X), model.predict(X))
    save_model(fitted("svc")[0], tmp_path / "model.skops")
    with pytest.raises(ValueError, match="contains NaN"):
        load_model(tmp_path / "model.skops").predict(X)


def test_sparse_support_vectors_survive(tmp_path):
    X, y = samples()
    X = csr_matrix(np.maximum(X, 0))
    model = PartialAUCSVC((0, 0.3), kernel="rbf").fit(X, y)
    np.testing.assert_array_equal(by_file(model, tmp_path).decision_function(X), model.decision_function(X))


@pytest.mark.parametrize(
    ("model", "said"),
    [
        (
            PartialAUCBoostingClassifier(
                n_estimators=2, estimator=DecisionTreeClassifier(max_depth=1), random_state=0
            ),
            "DecisionTreeClassifier.*estimator='linear'",
        ),
        (
            AdaBoostTreesClassifier(n_estimators=2, random_state=np.random.RandomState(0)),
            "RandomState.*an int as random_state",
        ),
        (PartialAUCSVC((0, 0.3), kernel=lambda X, Y: X @ Y.T), "lambda"),
    ],
)
def test_what_could_not_be_loaded_is_not_saved(tmp_path, model, said):
    with pytest.raises(ModelFileError, match=said):
        save_model(model.fit(*samples()), tmp_path / "model.skops")
    assert list(tmp_path.iterdir()) == []


def test_a_model_of_too_many_parts_is_not_saved(tmp_path, monkeypatch):
    monkeypatch.setattr(trust, "_MOST_PARTS", 5)
    with pytest.raises(ModelFileError, match=r"because it has .* parts, more than the 5 .* smaller one"):
        save_model(fitted("trees")[0], tmp_path / "model.skops")


def changed(path, name, change):
    """Save a model of trees and apply `change` to the array that its ensemble or its sum has under a name."""
    save_model(fitted("trees")[0], path)
    with zipfile.ZipFile(path) as archive:
        parts = {part: archive.read(part) for part in archive.namelist()}
    (total,) = (
        node["content"]["content"]
        for node in trust._nodes(json.loads(parts["schema.json"]))
        if node["__class__"] == "WeightedSum"
    )
    file = (total | total["learners"]["content"]["content"])[name]["file"]
    array = np.load(io.BytesIO(parts[file]))
    content = io.BytesIO()
    np.save(content, change(array))
    with zipfile.ZipFile(path, "w") as archive:
        for part, data in parts.items():
            archive.writestr(part, content.getvalue() if part == file else data)
    return path


def test_the_changed_file_is_the_same_if_nothing_changes(tmp_path):
    model, X = fitted("trees")
    loaded = load_model(changed(tmp_path / "model.skops", "left", lambda left: left))
    np.testing.assert_array_equal(loaded.decision_function(X), model.decision_function(X))


def put(at, value):
    def change(array):
        array = array.copy()
        array[at] = value
        return array

    return change


ROOT, LEAF = 0, 2  # The first tree has a split at its root, and a leaf at its third node.


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("feature", put(ROOT, 4)),
        ("feature", put(ROOT, 2**31 - 1)),
        ("left", put(ROOT, 0)),
        ("left", put(ROOT, -1)),
        ("right", put(ROOT, 10**6)),
        ("right", put(1, 1)),
        ("leaf", put(LEAF, -1)),
        ("leaf", put(LEAF, 10**6)),
        ("feature", put(LEAF, 0)),
        ("roots", put(1, 10**9)),
        ("roots", put(1, -5)),
        ("roots", put(-1, 0)),
        ("roots", put(0, 1)),
        ("roots", lambda roots: roots[:-1]),
        ("roots", lambda roots: roots[:0]),
        ("left", lambda left: left[:-1]),
        ("value", lambda value: np.append(value, 0.0)),
        ("feature", lambda feature: feature.astype(np.int64)),
        ("bin", lambda codes: codes.astype(np.int32)),
        ("threshold", lambda threshold: threshold[:, None]),
        ("value", put(LEAF, np.nan)),
        ("weights", put(0, np.inf)),
        ("weights", lambda weights: weights[:-1]),
    ],
)
def test_trees_that_were_changed_are_refused(tmp_path, name, change):
    path = changed(tmp_path / "model.skops", name, change)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="invalid value encountered in multiply")
        with pytest.raises(ModelFileError, match="is damaged, or was changed"):
            load_model(path)
