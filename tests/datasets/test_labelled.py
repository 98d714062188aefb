"""Images in one file with features in two spaces: what is read, and what is said about files that are not so."""

import numpy as np
import pytest

from experiments.benchmark_files import (
    BOXED,
    SCORED,
    labelled_arrays,
    write_bounding_boxes,
    write_human_scores,
)
from widemargin.datasets import (
    DatasetError,
    MissingDatasetError,
    load_bounding_boxes,
    load_human_scores,
)

READERS = [(write_bounding_boxes, load_bounding_boxes), (write_human_scores, load_human_scores)]


def test_the_arrays_of_images_with_boxes(tmp_path):
    write_bounding_boxes(tmp_path)
    images = load_bounding_boxes(str(tmp_path))
    arrays = labelled_arrays(5, 16)
    np.testing.assert_array_equal(images.X, arrays["X"])
    np.testing.assert_array_equal(images.X_privileged, arrays["X_privileged"])
    np.testing.assert_array_equal(images.y, arrays["y"])
    assert images.y.dtype == np.int64
    assert images.class_names == BOXED
    assert images.groups == ("snakes", "snakes", "snakes", "balls", "balls")


def test_the_arrays_of_images_with_scores(tmp_path):
    easiness = np.arange(48.0)
    easiness[5] = np.nan
    write_human_scores(tmp_path, easiness=easiness)
    images = load_human_scores(tmp_path)
    np.testing.assert_array_equal(images.easiness, easiness)
    assert images.class_names == SCORED


@pytest.mark.parametrize(("write", "load"), READERS)
def test_a_missing_file_is_told_from_a_damaged_one(tmp_path, write, load):
    with pytest.raises(
        MissingDatasetError, match=r"npz is missing: its layout is documented in docs/reproduce\.md"
    ):
        load(tmp_path)
    write(tmp_path)
    (path,) = tmp_path.iterdir()
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(DatasetError, match="cannot be read as an") as caught:
        load(tmp_path)
    assert not isinstance(caught.value, MissingDatasetError)


@pytest.mark.parametrize(("write", "load"), READERS)
@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"X": np.ones(4)}, r"X of shape \(4,\) and type float64"),
        ({"X": np.array([["a"]])}, "type <U1: expected is a matrix of numbers"),
        ({"X": np.ones((0, 3))}, "0 rows"),
        ({"X": np.full((3, 3), np.nan)}, "X with values that are not finite"),
        ({"X_privileged": np.full((3, 3), np.inf)}, "X_privileged with values that are not finite"),
        ({"X_privileged": np.full((3, 3), -1e300)}, r"X_privileged with values above 1e\+70"),
        (
            {"classes": np.array([97, 0x110000], dtype=np.uint32).view("U1")},
            "0x110000, which is no character",
        ),
        ({"X_privileged": np.ones((3, 3))}, "X_privileged of 3: both must have the same rows"),
        ({"y": np.zeros(3, dtype=int)}, r"y of shape \(3,\)"),
        ({"classes": np.array(["a", "b"])}, "as many as y indexes"),
        ({"classes": np.array(["a"] * 5)}, "5 names of classes, 1 of them different"),
        ({"classes": np.arange(5)}, "names of classes"),
        ({"X": np.array([[None]])}, "plain arrays"),
    ],
)
def test_a_file_in_another_layout_is_named_with_the_fault(tmp_path, write, load, change, complaint):
    write(tmp_path, **change)
    with pytest.raises(DatasetError, match=complaint):
        load(tmp_path)


@pytest.mark.parametrize(("write", "load"), READERS)
@pytest.mark.parametrize(
    "character", ["\n", "\x1b", "\x9b", "\ud800", "\u2028", "\u2029", "\ufffe", "\uffff"]
)
def test_names_that_no_drawing_can_hold_are_refused(tmp_path, write, load, character):
    classes = np.array(["a", "b", f"cob{character}ra", "d", "e"])
    write(tmp_path, classes=classes)
    with pytest.raises(
        DatasetError, match=rf"in classes the name 'cob.*ra', .* U\+{ord(character):04X}: names"
    ):
        load(tmp_path)


@pytest.mark.parametrize(("write", "load"), READERS)
def test_names_of_any_language_are_read(tmp_path, write, load):
    classes = np.array(["狐", "🦊", "क्‍ष", "שועל", "<b>$x$</b>"])
    write(tmp_path, classes=classes)
    assert load(tmp_path).class_names == tuple(classes.tolist())


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"groups": np.array(["sna\x00kes"] * 5)}, r"in groups the name 'sna\\x00kes'"),
        ({"groups": np.array(["snakes"] * 4)}, r"groups of shape \(4,\)"),
        ({"groups": np.arange(5)}, "expected are names"),
        ({"groups": np.array(["snakes"] * 4 + ["balls"])}, "group 'balls' with one class"),
    ],
)
def test_groups_that_cannot_be_used(tmp_path, change, complaint):
    write_bounding_boxes(tmp_path, **change)
    with pytest.raises(DatasetError, match=complaint):
        load_bounding_boxes(tmp_path)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"X": np.eye(48) - 0.1}, "negative value"),
        ({"X": np.zeros((48, 2))}, "without a positive one"),
        ({"easiness": np.arange(47)}, r"easiness of shape \(47,\)"),
        ({"easiness": np.full(48, np.inf)}, "finite numbers, or NaN"),
        ({"easiness": np.full(48, np.nan)}, "two different scores"),
        ({"easiness": np.ones(48)}, "two different scores"),
    ],
)
def test_scores_that_cannot_be_used(tmp_path, change, complaint):
    write_human_scores(tmp_path, **change)
    with pytest.raises(DatasetError, match=complaint):
        load_human_scores(tmp_path)
