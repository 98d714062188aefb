"""Pictures as bags of CENTRIST words: against one patch at a time, and what users may do and may not."""

import pickle
import warnings

import numpy as np
import pytest
from PIL import Image
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from experiments.ranking_files import write_scenes
from reference import centrist as reference
from widemargin.datasets import load_scene_pictures
from widemargin.features import Centrist, PictureError


def textures(n_pictures=6, shape=(90, 110), seed=0):
    """Pictures with stripes of different width and direction, in noise."""
    rng = np.random.default_rng(seed)
    pictures = []
    for k in range(n_pictures):
        stripes = np.indices(shape)[k % 2] // (2 + k // 2) % 2 * 100
        pictures.append((stripes + rng.integers(0, 100, size=shape)).astype(np.uint8))
    return pictures


@pytest.mark.parametrize(
    ("shape", "patch_size", "step"), [((90, 110), 16, 8), ((75, 41), 8, 4), ((64, 64), 8, 8)]
)
def test_features_are_those_of_one_patch_at_a_time(shape, patch_size, step):
    pictures = textures(4, shape)
    centrist = Centrist(n_words=6, patch_size=patch_size, step=step, random_state=0).fit(pictures)
    features = centrist.transform(pictures)
    for picture, row in zip(pictures, features, strict=True):
        expected = []
        for shrunk, n_blocks in ((1, 4), (2, 2), (4, 1)):
            codes = reference.census_transform(
                np.asarray(Image.fromarray(picture).reduce(shrunk)).astype(int)
            )
            words = {
                place: int(centrist.codebook_.assign(counts[None].astype(np.uint16))[0])
                for place, counts in reference.patches(codes, patch_size, step).items()
            }
            expected.append(reference.window_shares(words, codes.shape, patch_size, n_blocks, 6))
        np.testing.assert_allclose(row.reshape(31, 6), np.concatenate(expected), atol=1e-15)


def test_default_layout_is_31_windows_of_50_words():
    pictures = textures(3, (200, 200))
    features = Centrist(random_state=0).fit_transform(pictures)
    assert features.shape == (3, 1550)
    np.testing.assert_allclose(features.reshape(3, 31, 50).sum(axis=2), 1)


def test_features_separate_textures(tmp_path):
    write_scenes(tmp_path)
    scenes = load_scene_pictures(tmp_path)
    model = make_pipeline(Centrist(n_words=10, random_state=0), LogisticRegression())
    model.fit(scenes.train_files, scenes.indoor[scenes.y_train])
    assert model.score(scenes.test_files, scenes.indoor[scenes.y_test]) == 1.0


def test_files_and_arrays_are_the_same(tmp_path):
    pictures = textures()
    files = []
    for k, picture in enumerate(pictures):
        files.append(tmp_path / f"{k}.png")
        Image.fromarray(picture).save(files[-1])
    from_arrays = Centrist(n_words=5, random_state=0).fit(pictures)
    from_files = Centrist(n_words=5, random_state=0).fit([str(file) for file in files])
    np.testing.assert_array_equal(from_arrays.transform(pictures), from_files.transform(files))
    np.testing.assert_array_equal(from_arrays.transform(np.array(pictures)), from_files.transform(files))


def test_processes_do_not_change_results():
    pictures = textures(5)
    one = Centrist(n_words=5, random_state=0).fit(pictures)
    two = Centrist(n_words=5, random_state=0, n_jobs=2).fit(pictures)
    np.testing.assert_array_equal(one.codebook_.table, two.codebook_.table)
    np.testing.assert_array_equal(one.transform(pictures), two.transform(pictures))


def test_pictures_do_not_influence_each_other():
    pictures = textures()
    centrist = Centrist(n_words=5, random_state=0).fit(pictures)
    together = centrist.transform(pictures)
    np.testing.assert_array_equal(centrist.transform(pictures[::-1]), together[::-1])
    np.testing.assert_array_equal(centrist.transform(pictures[2:3]), together[2:3])


def test_few_descriptors_are_kept():
    # Each of the 6 pictures gives 4 of its patches, rounded up: the code book has exactly one word for each.
    centrist = Centrist(n_words=24, max_descriptors=24, random_state=0).fit(textures())
    assert centrist.objective_ == pytest.approx(0, abs=1e-9)
    with pytest.raises(ValueError, match="max_descriptors must be at least n_words = 25, got 24"):
        Centrist(n_words=25, max_descriptors=24).fit(textures())


def test_brightness_does_not_matter():
    pictures = textures()
    centrist = Centrist(n_words=5, random_state=0).fit(pictures)
    darker = [picture - picture.min() for picture in pictures]
    brighter = [picture + 50 for picture in darker]
    np.testing.assert_array_equal(centrist.transform(darker), centrist.transform(brighter))


def test_small_and_flat_pictures():
    centrist = Centrist(n_words=5, random_state=0).fit([*textures(), np.zeros((80, 80), np.uint8)])
    flat = centrist.transform([np.full((80, 80), 9, np.uint8)])
    assert set(flat.ravel()) == {0.0, 1.0}
    with pytest.warns(UserWarning, match="2 of 3 pictures are too small for one patch.*at least 18 pixels"):
        features = centrist.transform(
            [np.zeros((1, 1), np.uint8), np.zeros((500, 3), np.uint8), textures()[0]]
        )
    assert not features[:2].any()
    assert features[2].any()
    # One patch of the picture as it is, and none of the smaller ones.
    smallest = centrist.transform([np.zeros((18, 18), np.uint8)]).reshape(31, 5)
    assert np.flatnonzero(smallest.any(axis=1)).tolist() == [10, 20]


def test_too_few_patches_for_the_words():
    with pytest.raises(
        ValueError, match="n_words is 50, but 1 patches of 16 pixels were found in 2 pictures"
    ):
        Centrist().fit([np.zeros((18, 18), np.uint8), np.zeros((5, 5), np.uint8)])


def test_a_damaged_file_is_named(tmp_path):
    file = tmp_path / "broken.png"
    Image.fromarray(textures(1)[0]).save(file)
    file.write_bytes(file.read_bytes()[:2000])
    with pytest.raises(PictureError, match=r"broken\.png cannot be read"):
        Centrist(n_words=2).fit([*textures(), file])


@pytest.mark.parametrize(
    ("parameters", "kind", "complaint"),
    [
        ({"n_words": 0}, ValueError, "n_words must be at least 1"),
        ({"n_words": 2.0}, TypeError, "n_words must be an integer"),
        ({"patch_size": 0}, ValueError, "patch_size must be at least 1"),
        ({"step": 0}, ValueError, "step must be at least 1"),
        (
            {"patch_size": 17},
            ValueError,
            "patch_size must be a multiple of step = 8, got 17: take for instance 24",
        ),
        ({"n_jobs": 0}, ValueError, "n_jobs is 0"),
    ],
)
def test_parameters_are_checked(parameters, kind, complaint):
    with pytest.raises(kind, match=complaint):
        Centrist(**parameters).fit(textures())


@pytest.mark.parametrize(
    ("pictures", "kind", "complaint"),
    [
        ("picture.jpg", TypeError, r"got str: for a single picture pass \[picture\]"),
        (textures(1)[0], TypeError, "got a matrix"),
        (iter(textures()), TypeError, "must be a sequence"),
        ([], ValueError, "X has no picture"),
        ([np.zeros((40, 40))], TypeError, "type float64: expected is uint8"),
        ([3], TypeError, "path of a file or an array of pixels, got int"),
    ],
)
def test_pictures_are_checked(pictures, kind, complaint):
    with pytest.raises(kind, match=complaint):
        Centrist().fit(pictures)


def test_scikit_learn_conventions():
    pictures = textures()
    centrist = Centrist(n_words=5, random_state=0)
    with pytest.raises(NotFittedError):
        centrist.transform(pictures)
    assert centrist.fit(pictures) is centrist
    assert clone(centrist).get_params() == centrist.get_params()
    names = centrist.get_feature_names_out()
    assert (len(names), names[0], names[-1]) == (155, "centrist0", "centrist154")
    assert centrist.converged_
    assert centrist.n_iter_ >= 2
    loaded = pickle.loads(pickle.dumps(centrist))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.testing.assert_array_equal(loaded.transform(pictures), centrist.transform(pictures))
