"""Reading MNIST+: what is read, and what is said about files that are not as described."""

import numpy as np
import pytest

from experiments.benchmark_files import write_mnist_plus
from widemargin.datasets import DatasetError, load_mnist_plus


def test_the_files_are_read_as_they_are(tmp_path):
    write_mnist_plus(tmp_path, n_train=3, n_test=2)
    data = load_mnist_plus(str(tmp_path))
    assert data.X_train.shape == (6, 100)
    assert data.X_test.shape == (4, 100)
    assert data.X_poetic.shape == (6, 21)
    assert data.X_holistic.shape == (6, 31)
    assert data.y_train.tolist() == [5, 5, 5, 8, 8, 8]
    assert data.y_test.tolist() == [5, 5, 8, 8]
    line = (tmp_path / "test_features.txt").read_text().splitlines()[1]
    np.testing.assert_array_equal(data.X_test[1], np.array(line.split(","), dtype=float) / 255)


def drop_line(path):
    path.write_text("\n".join(path.read_text().splitlines()[:-1]) + "\n")


def replace_first(path, value):
    path.write_text(value + path.read_text()[path.read_text().index(",") :])


@pytest.mark.parametrize(
    ("name", "damage", "complaint"),
    [
        ("train_features.txt", lambda path: path.unlink(), "is missing"),
        ("train_features.txt", lambda path: path.write_text(" \n"), "is empty"),
        ("test_features.txt", lambda path: path.write_bytes(b"\xff\xfe"), "cannot be read"),
        ("test_features.txt", lambda path: replace_first(path, "x"), "cannot be read"),
        ("test_features.txt", lambda path: replace_first(path, "nan"), "finite"),
        ("test_features.txt", lambda path: replace_first(path, "256"), "[0, 255]"),
        ("test_features.txt", lambda path: path.write_text("1,2\n3,4\n"), "2 columns"),
        ("test_features.txt", lambda path: path.write_text("1,2\n3\n"), "cannot be read"),
        ("test_labels.txt", drop_line, "3 labels for 4 images"),
        ("test_labels.txt", lambda path: path.write_text("5\n5\n5\n5\n"), "expected are 5 and 8"),
        ("test_labels.txt", lambda path: path.write_text("5\n5\n8\n7\n"), "expected are 5 and 8"),
        ("train_PFfeatures.txt", drop_line, "5 lines for 6 training images"),
        ("train_YYfeatures.txt", lambda path: path.write_text("1,2\n"), "2 columns"),
    ],
)
def test_one_sentence_names_the_file_and_what_is_wrong(tmp_path, name, damage, complaint):
    write_mnist_plus(tmp_path, n_train=3, n_test=2)
    damage(tmp_path / name)
    with pytest.raises(DatasetError) as caught:
        load_mnist_plus(tmp_path)
    assert name in str(caught.value)
    assert complaint in str(caught.value)
    assert "\n" not in str(caught.value)
