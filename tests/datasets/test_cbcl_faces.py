"""Reading the CBCL faces: what is read, and what is said about files that are not as described."""

import numpy as np
import pytest

from experiments.ranking_files import cbcl_arrays, write_cbcl_faces
from widemargin.datasets import DatasetError, load_cbcl_faces


def test_faces_come_first_and_pixels_row_by_row(tmp_path):
    arrays = cbcl_arrays()
    write_cbcl_faces(tmp_path)
    data = load_cbcl_faces(str(tmp_path))
    for part, X, y in (("train", data.X_train, data.y_train), ("test", data.X_test, data.y_test)):
        assert y.tolist() == [1] * 20 + [0] * 40
        np.testing.assert_array_equal(X[3], arrays[f"{part}_faces"][3].ravel() / 255)
        np.testing.assert_array_equal(X[20], arrays[f"{part}_nonfaces"][0].ravel() / 255)
        assert (X.shape, X.dtype) == ((60, 361), np.float64)


@pytest.mark.parametrize(
    ("replacements", "complaint"),
    [
        ({"train_faces": np.zeros((5, 361), np.uint8)}, "train_faces of shape (5, 361)"),
        ({"test_faces": np.zeros((5, 19, 20), np.uint8)}, "shape (n_images, 19, 19) and type uint8"),
        ({"train_nonfaces": np.zeros((5, 19, 19))}, "train_nonfaces of shape (5, 19, 19) and type float64"),
        ({"test_nonfaces": np.zeros((0, 19, 19), np.uint8)}, "has 0 rows"),
        ({"test_nonfaces": np.full((5, 19, 19), None)}, "plain arrays"),
    ],
)
def test_one_sentence_says_what_is_wrong(tmp_path, replacements, complaint):
    write_cbcl_faces(tmp_path, replacements)
    with pytest.raises(DatasetError) as caught:
        load_cbcl_faces(tmp_path)
    assert complaint in str(caught.value)
    assert "cbcl_faces.npz" in str(caught.value)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(DatasetError, match=r"cbcl_faces\.npz is missing"):
        load_cbcl_faces(tmp_path)
