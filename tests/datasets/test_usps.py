"""Reading USPS: what is read, and what is said about files that are not as described."""

import numpy as np
import pytest

from experiments.ranking_files import usps_arrays, write_usps
from widemargin.datasets import DatasetError, load_usps


def test_images_and_digits_are_read_as_they_are(tmp_path):
    arrays = usps_arrays()
    write_usps(tmp_path)
    data = load_usps(str(tmp_path))
    for part, X, y in (("train", data.X_train, data.y_train), ("test", data.X_test, data.y_test)):
        np.testing.assert_array_equal(X, arrays[f"{part}_images"] / 255)
        np.testing.assert_array_equal(y, arrays[f"{part}_digits"])
        assert (X.dtype, y.dtype) == (np.float64, np.int64)


@pytest.mark.parametrize(
    ("replacements", "complaint"),
    [
        ({"train_images": np.zeros((40, 16, 16), np.uint8)}, "train_images of shape (40, 16, 16)"),
        ({"train_images": np.zeros((40, 255), np.uint8)}, "shape (n_images, 256) and type uint8"),
        ({"test_images": np.zeros((20, 256))}, "test_images of shape (20, 256) and type float64"),
        ({"test_images": np.zeros((0, 256), np.uint8)}, "has 0 rows"),
        ({"train_digits": np.zeros(39, int)}, "train_digits of shape (39,) and type int64: expected are 40"),
        ({"train_digits": np.zeros((40, 1), int)}, "train_digits of shape (40, 1)"),
        ({"test_digits": np.zeros(20)}, "type float64"),
        ({"test_digits": np.full(20, 10)}, "test_digits from 10 to 10: digits must lie in [0, 9]"),
        ({"test_digits": np.full(20, -1)}, "test_digits from -1 to -1"),
        ({"test_digits": np.full(20, None)}, "plain arrays"),
    ],
)
def test_one_sentence_says_what_is_wrong(tmp_path, replacements, complaint):
    write_usps(tmp_path, replacements)
    with pytest.raises(DatasetError) as caught:
        load_usps(tmp_path)
    assert complaint in str(caught.value)
    assert "usps.npz" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_missing_truncated_and_foreign_files(tmp_path):
    with pytest.raises(DatasetError, match="is missing"):
        load_usps(tmp_path)
    write_usps(tmp_path)
    path = tmp_path / "usps.npz"
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(DatasetError, match="cannot be read"):
        load_usps(tmp_path)
    np.savez(path, train_images=np.zeros(3))
    with pytest.raises(DatasetError, match=r"no array 'train_digits' \(it has train_images\)"):
        load_usps(tmp_path)
