"""Reading Animals with Attributes: what is read, and what is said about files that are not as described."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from experiments.benchmark_files import awa10_arrays, write_awa10
from widemargin.datasets import DatasetError, files, load_awa10


def test_histograms_sum_to_one_and_classes_that_occur_are_numbered(tmp_path):
    surf, predicted = awa10_arrays()
    shifted = surf["y"] + 1  # so that the first class does not occur
    write_awa10(tmp_path, {"y": shifted}, {"y": shifted})
    animals = load_awa10(str(tmp_path))
    counts = csr_matrix((surf["data"], surf["indices"], surf["indptr"]), shape=surf["shape"]).toarray()
    np.testing.assert_allclose(animals.X, counts / counts.sum(axis=1, keepdims=True), rtol=1e-15)
    np.testing.assert_array_equal(animals.X_privileged, predicted["attributes"])
    assert animals.class_names == ("giant panda", "persian cat", "zebra")
    np.testing.assert_array_equal(animals.y, surf["y"])


@pytest.mark.parametrize(
    ("surf", "predicted", "complaint"),
    [
        ({"shape": np.array([42, 10**9])}, {}, "at most"),
        ({"shape": np.array([42, 0])}, {}, "at least one of each"),
        ({"shape": np.array([42])}, {}, "one-dimensional integers"),
        ({"data": np.ones(3)}, {}, "one-dimensional integers"),
        ({"data": np.ones(3, dtype=int)}, {}, "does not hold a sparse matrix"),
        ({"indptr": np.zeros(43, dtype=int)}, {}, "without a word"),
        ({"y": np.zeros(7, dtype=int)}, {}, "y of shape (7,)"),
        ({"y": np.zeros(42)}, {}, "float64"),
        ({"y": np.full(42, 4)}, {}, "as many as y indexes"),
        ({"classes": np.arange(4)}, {}, "names of classes"),
        ({"classes": np.array(["a", None], dtype=object)}, {}, "plain arrays"),
        ({}, {"attributes": np.zeros((3, 5))}, "shape (3, 5)"),
        ({}, {"attributes": np.full((42, 5), 1.5)}, "probabilities"),
        ({}, {"attributes": np.full((42, 5), np.nan)}, "probabilities"),
        ({}, {"y": np.zeros(42, dtype=int)}, "the same images"),
        ({}, {"classes": np.array(["a", "b", "c", "d"])}, "the same images"),
    ],
)
def test_one_sentence_says_what_is_wrong(tmp_path, surf, predicted, complaint):
    write_awa10(tmp_path, surf, predicted)
    with pytest.raises(DatasetError) as caught:
        load_awa10(tmp_path)
    assert complaint in str(caught.value)
    assert (
        "awa10_surf.npz" in str(caught.value)
        if surf
        else "awa10_predicted_attributes.npz" in str(caught.value)
    )


def test_two_classes_with_one_name_are_refused(tmp_path):
    classes = {"classes": np.array(["chimpanzee", "giant+panda", "giant panda", "zebra"])}
    write_awa10(tmp_path, classes, classes)
    with pytest.raises(DatasetError, match="two classes called 'giant panda'"):
        load_awa10(tmp_path)


def test_missing_truncated_and_foreign_files(tmp_path):
    with pytest.raises(DatasetError, match="is missing"):
        load_awa10(tmp_path)
    write_awa10(tmp_path)
    path = tmp_path / "awa10_surf.npz"
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(DatasetError, match="cannot be read"):
        load_awa10(tmp_path)
    np.savez(path, y=np.zeros(3))
    with pytest.raises(DatasetError, match=r"no array 'data' \(it has y\)"):
        load_awa10(tmp_path)


def test_arrays_that_would_fill_the_memory_are_refused_before_they_are_unpacked(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "_LARGEST_ARRAY", 1000)
    write_awa10(tmp_path)
    with pytest.raises(DatasetError, match="at most 1 GiB"):
        load_awa10(tmp_path)
