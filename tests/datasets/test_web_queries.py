"""Reading web images with text: what is read, and what is said about files that are not as described."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from experiments.benchmark_files import web_queries_arrays, write_web_queries
from widemargin.datasets import DatasetError, load_web_queries


def test_features_and_counts_are_read_as_they_are_stored(tmp_path):
    arrays = web_queries_arrays()
    write_web_queries(tmp_path)
    data = load_web_queries(str(tmp_path))
    for found, prefix in ((data.X, "image"), (data.X_privileged, "text")):
        parts = [arrays[f"{prefix}_{part}"] for part in ("data", "indices", "indptr")]
        parts[0] = parts[0].astype(float)
        np.testing.assert_array_equal(
            found, csr_matrix(tuple(parts), shape=arrays[f"{prefix}_shape"]).toarray()
        )
        assert found.dtype == np.float64
    np.testing.assert_array_equal(data.relevant, arrays["relevant"])
    np.testing.assert_array_equal(data.query, arrays["query"])
    assert data.words == tuple(arrays["words"])
    assert np.flatnonzero(data.X_privileged.sum(axis=1) == 0).tolist() == [0, 16, 32, 48]


N = web_queries_arrays()["image_data"].size
TEXT = web_queries_arrays()["text_data"]


@pytest.mark.parametrize(
    ("replacements", "complaint"),
    [
        ({"image_shape": np.array([64, 10**9])}, "image_shape 64 x 1000000000: at most"),
        ({"text_shape": np.array([0, 7])}, "at least one of each"),
        ({"text_shape": np.array([64, 3])}, "does not hold a sparse matrix in text_data"),
        ({"image_shape": np.array([64])}, "two in image_shape"),
        ({"image_indices": np.ones(N)}, "integers, only the first with fractions"),
        ({"image_data": np.full(N, "1.5")}, "integers, only the first with fractions"),
        ({"image_data": np.ones(3)}, "does not hold a sparse matrix in image_data"),
        ({"image_indptr": np.arange(65)[::-1]}, "does not hold a sparse matrix in image_data"),
        ({"image_data": np.full(N, np.nan)}, "not finite"),
        ({"image_data": np.full(N, np.inf)}, "not finite"),
        ({"image_data": np.zeros(N)}, "all zero"),
        ({"text_data": -web_queries_arrays()["text_data"].astype(int)}, "negative counts in text_data"),
        ({"text_data": web_queries_arrays()["text_data"] / 2}, "one-dimensional integers"),
        (
            {"text_indptr": web_queries_arrays()["text_indptr"][:-1], "text_shape": np.array([63, 7])},
            "64 images and 63 texts",
        ),
        ({"relevant": np.zeros(7, dtype=int)}, "relevant of shape (7,)"),
        ({"relevant": np.full(64, 0.5)}, "float64"),
        ({"relevant": np.arange(64)}, "other numbers than 0 and 1"),
        ({"query": np.full(64, "eagle")}, "query of shape (64,) and type <U5"),
        ({"words": np.array(["eagle"])}, "expected are 7 words"),
        ({"words": np.arange(7)}, "expected are 7 words"),
        ({"words": np.array(["a\nb"] * 7)}, r"in words the name 'a\nb', with the character U+000A"),
        (
            {"words": np.array(["bald eagle"] * 7)},
            "'bald eagle' among words: a word must be without white space",
        ),
        ({"text_data": np.zeros(TEXT.size, dtype=int)}, "has no text at all"),
        ({"words": np.array(["eagle", None] * 4, dtype=object)}, "plain arrays"),
    ],
)
def test_one_sentence_says_what_is_wrong(tmp_path, replacements, complaint):
    write_web_queries(tmp_path, replacements)
    with pytest.raises(DatasetError) as caught:
        load_web_queries(tmp_path)
    assert complaint in str(caught.value)
    assert "webqueries40.npz" in str(caught.value)


def test_missing_truncated_and_foreign_files(tmp_path):
    with pytest.raises(DatasetError, match="is missing"):
        load_web_queries(tmp_path)
    write_web_queries(tmp_path)
    path = tmp_path / "webqueries40.npz"
    path.write_bytes(path.read_bytes()[:-100])
    with pytest.raises(DatasetError, match="cannot be read"):
        load_web_queries(tmp_path)
    np.savez(path, query=np.zeros(3))
    with pytest.raises(DatasetError, match=r"no array 'image_data' \(it has query\)"):
        load_web_queries(tmp_path)
