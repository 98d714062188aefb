"""The data of the ranking experiments, on generated files: how they are divided, and what happens without them."""

import numpy as np
import pytest

from experiments.ranking_files import write_cbcl_faces, write_scenes, write_usps
from widemargin.datasets import MissingDatasetError
from widemargin.experiments import Settings
from widemargin.experiments.ranking.problems import Digits, Faces, Scenes, Usps, problems_at_hand

USPS = Usps(train_size=20)
FACES = Faces(n_others=30)
SCENES = Scenes(n_words=4)


@pytest.fixture
def settings(tmp_path):
    write_usps(tmp_path)
    write_cbcl_faces(tmp_path)
    write_scenes(tmp_path)
    return Settings(data=tmp_path)


@pytest.mark.parametrize(
    ("problem", "n_train", "n_test"),
    [(USPS, 20, 40), (FACES, 25, 25), (SCENES, 16, 16), (Digits(), 898, 899)],
)
def test_a_split_is_fixed_by_its_seed_and_keeps_the_shares_of_classes(settings, problem, n_train, n_test):
    first, again, other = (problem.draw(settings, seed) for seed in (1, 1, 2))
    assert (len(first.y_train), len(first.y_test)) == (n_train, n_test)
    assert set(first.y_train.tolist()) == {0, 1}
    assert first.y_train.mean() == pytest.approx(first.y_test.mean(), abs=1 / n_train)
    np.testing.assert_array_equal(first.X_train, again.X_train)
    np.testing.assert_array_equal(first.X_test, again.X_test)
    assert other.X_train.shape != first.X_train.shape or not np.array_equal(first.X_train, other.X_train)
    assert first.X_train.shape[1] == first.X_test.shape[1]


def test_components_are_those_of_the_training_half(settings):
    split = FACES.draw(settings, 0)
    np.testing.assert_allclose(split.X_train.mean(axis=0), 0, atol=1e-12)
    assert np.abs(split.X_test.mean(axis=0)).max() > 1e-3
    covariance = np.cov(split.X_train.T)
    np.testing.assert_allclose(covariance - np.diag(np.diag(covariance)), 0, atol=1e-12)


def test_copies_of_faces_are_left_out(tmp_path):
    images = np.arange(20 * 361).reshape(20, 19, 19) % 251
    write_cbcl_faces(tmp_path, {"train_faces": np.repeat(images, 2, axis=0).astype(np.uint8)})
    assert "all 20 faces" in FACES.describe(Settings(data=tmp_path))


def test_what_is_missing_is_left_out_and_said(tmp_path):
    write_usps(tmp_path)
    found, said = problems_at_hand((SCENES, USPS), Settings(data=tmp_path))
    assert found == (USPS,)
    assert said["scenes"] == "left out, since the data folder does not have it"
    assert "60 images" in said["USPS"]


def test_without_any_data_the_error_is_that_of_the_first(tmp_path):
    with pytest.raises(MissingDatasetError, match="scenes15"):
        problems_at_hand((SCENES, USPS), Settings(data=tmp_path))
