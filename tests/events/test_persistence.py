"""Models of shots that are saved: the same predictions from a file, with saliency, in three dimensions or two."""

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC

from widemargin.events import AveragePooling, MaxPooling, NearlyIsotonicSVC, NearlyIsotonicSVCCV
from widemargin.persistence import load_model, save_model


def videos(n_classes):
    rng = np.random.default_rng(n_classes)
    X = rng.normal(size=(40, 5, 3))
    y = np.arange(40) % n_classes
    X[np.arange(40), y % 5] += 1.0
    saliency = rng.random((40, 5)) if n_classes == 2 else rng.random((40, n_classes, 5))
    return X, np.array(["b", "a", "c"])[y], saliency


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize(
    "model",
    [
        NearlyIsotonicSVC(),
        NearlyIsotonicSVC(norm=1, tie_tolerance=0.2, n_shots=5),
        NearlyIsotonicSVCCV([0.0, 0.1], [0.1, 1.0], cv=2, scoring="accuracy"),
    ],
    ids=["svc", "ties", "cv"],
)
def test_a_saved_model_gives_the_same_scores_and_labels(tmp_path, model, n_classes):
    X, y, saliency = videos(n_classes)
    model.fit(X, y, saliency=saliency)
    save_model(model, tmp_path / "model.skops")
    saved = load_model(tmp_path / "model.skops")
    np.testing.assert_array_equal(
        saved.decision_function(X, saliency=saliency), model.decision_function(X, saliency=saliency)
    )
    flat = X.reshape(40, -1)
    np.testing.assert_array_equal(saved.predict(flat, saliency=saliency), model.predict(X, saliency=saliency))


def test_a_saved_model_says_when_the_saliency_is_missing(tmp_path):
    X, y, saliency = videos(2)
    save_model(NearlyIsotonicSVC().fit(X, y, saliency=saliency), tmp_path / "model.skops")
    with pytest.warns(UserWarning, match="fit had a saliency"):
        load_model(tmp_path / "model.skops").predict(X)


@pytest.mark.parametrize("pooling", [AveragePooling(), MaxPooling()], ids=["average", "max"])
def test_pooling_is_saved_with_what_follows_it(tmp_path, pooling):
    X, y, _ = videos(2)
    model = make_pipeline(pooling, LinearSVC(random_state=0)).fit(X, y)
    save_model(model, tmp_path / "model.skops")
    saved = load_model(tmp_path / "model.skops")
    np.testing.assert_array_equal(saved.decision_function(X), model.decision_function(X))
