"""Phrases as vectors: which words count, how they are brought together, and what is said of unknown ones."""

import numpy as np
import pytest

from reference.fisher_vector import fisher_vector
from widemargin.words import UnknownWordsWarning, WordVectors, mixtures, phrase_vectors
from widemargin.words.phrases import known_words

WORDS = ["dog", "puppy", "car", "truck", "horse", "riding", "shirt", "t-shirt"]


@pytest.fixture
def embedding():
    return WordVectors(WORDS, np.random.default_rng(0).normal(size=(8, 3)) + 1)


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("WIDEMARGIN_CACHE", str(tmp_path))
    return tmp_path / "words"


def unit(vector):
    return vector / np.linalg.norm(vector)


def test_mean_of_the_words(embedding):
    plain = phrase_vectors(["the dog in a car", "truck"], embedding, method="mean", center=False)
    np.testing.assert_allclose(plain[0], unit(embedding.vectors[[0, 2]].mean(axis=0)), atol=1e-6)
    np.testing.assert_allclose(plain[1], unit(embedding.vectors[3]), atol=1e-6)
    centred = phrase_vectors(["dog"], embedding, method="mean")
    np.testing.assert_allclose(
        centred[0], unit(embedding.vectors[0] - embedding.vectors.mean(axis=0)), atol=1e-6
    )


@pytest.mark.parametrize("n_components", [1, 2])
@pytest.mark.parametrize("power", [False, True])
def test_fisher_vector_of_the_words(embedding, n_components, power):
    result = phrase_vectors(["horse riding"], embedding, n_components=n_components, power=power)
    mixture = mixtures.mixture_of_words(embedding, n_components)
    rows = embedding.vectors[[4, 5]].astype(float)
    expected = fisher_vector(rows, mixture.weights, mixture.means, mixture.deviations)
    expected = np.sign(expected) * np.sqrt(np.abs(expected)) if power else expected
    assert result.shape == (1, 2 * n_components * 3)
    np.testing.assert_allclose(result[0], unit(expected), atol=1e-10)


def test_centring_does_not_change_fisher_vectors(embedding):
    with_centre = phrase_vectors(["dog", "car"], embedding)
    np.testing.assert_array_equal(phrase_vectors(["dog", "car"], embedding, center=False), with_centre)


def test_compounds_are_looked_up_whole_and_else_by_their_parts(embedding):
    phrases = ["T-shirt", "dog-shirt", "HorseRiding", "horse_riding", "horse-zebra", "zebra-gnu"]
    known, unknown = known_words(phrases, embedding)
    assert known == [[7], [0, 6], [4, 5], [4, 5], [4], []]
    assert unknown == [[], [], [], [], [], ["zebra-gnu"]]


def test_unknown_words_are_named_once(embedding):
    with pytest.warns(UnknownWordsWarning, match="without a word vector: 'zebra', 'gnu'. They are") as caught:
        result = phrase_vectors(["zebra", "gnu and dog", "a zebra"], embedding)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    assert not result[[0, 2]].any()
    np.testing.assert_array_equal(result[1], phrase_vectors(["dog"], embedding)[0])


def test_not_more_than_ten_unknown_words_are_named(embedding):
    phrases = ["dog"] + [f"x{k}y" for k in range(13)]
    with pytest.warns(UnknownWordsWarning, match="'x9y' and 3 more"):
        phrase_vectors(phrases, embedding)


def test_mixture_is_kept_on_disk_under_what_it_was_fitted_to(embedding, cache, monkeypatch):
    first = phrase_vectors(["dog"], embedding, n_components=2)
    (path,) = cache.iterdir()
    same = WordVectors(WORDS, embedding.vectors)
    other = WordVectors(WORDS, embedding.vectors * 2)
    monkeypatch.setattr(mixtures, "fit_mixture", None)
    np.testing.assert_array_equal(phrase_vectors(["dog"], same, n_components=2), first)
    monkeypatch.undo()
    monkeypatch.setenv("WIDEMARGIN_CACHE", str(cache.parent))
    phrase_vectors(["dog"], other, n_components=2)
    phrase_vectors(["dog"], embedding, n_components=3)
    assert len(set(cache.iterdir()) - {path}) == 2


@pytest.mark.parametrize("content", [b"", b"rubbish", b"PK\x03\x04 cut short"])
def test_damaged_cache_is_made_again(embedding, cache, content):
    first = phrase_vectors(["dog"], embedding, n_components=2)
    (path,) = cache.iterdir()
    whole = path.read_bytes()
    path.write_bytes(content)
    again = WordVectors(WORDS, embedding.vectors)
    np.testing.assert_array_equal(phrase_vectors(["dog"], again, n_components=2), first)
    with np.load(path) as arrays:
        assert len(arrays["weights"]) == 2
    assert len(path.read_bytes()) == len(whole)


def test_works_without_a_cache_folder(embedding, tmp_path, monkeypatch):
    (tmp_path / "file").write_bytes(b"")
    monkeypatch.setenv("WIDEMARGIN_CACHE", str(tmp_path / "file"))
    assert phrase_vectors(["dog"], embedding, n_components=2).shape == (1, 12)


def test_one_component_needs_no_cache(embedding, cache):
    phrase_vectors(["dog"], embedding)
    assert not cache.exists()


def test_one_word_is_too_few_for_a_mixture():
    lonely = WordVectors(["dog"], np.ones((1, 3), dtype=np.float32))
    with pytest.raises(ValueError, match=r"only 1 word vectors .* two are the least"):
        phrase_vectors(["dog"], lonely, method="fisher")


def test_no_phrases_give_no_vectors(embedding):
    assert phrase_vectors([], embedding).shape == (0, 6)
    assert phrase_vectors([], embedding, method="mean").shape == (0, 3)


@pytest.mark.parametrize(
    ("phrases", "options", "error", "message"),
    [
        ("dog", {}, TypeError, "got the str 'dog'"),
        (["dog", 3], {}, TypeError, "must be a str, got 3"),
        (["dog"], {"method": "sum"}, ValueError, "method must be one of"),
        (["dog"], {"n_components": 0}, ValueError, "n_components must be at least 1"),
        (["dog"], {"n_components": 9}, ValueError, "only 8 word vectors"),
        (["dog"], {"power": 1}, TypeError, "power must be True or False"),
        (["dog"], {"center": "yes"}, TypeError, "center must be True or False"),
    ],
)
def test_wrong_input_is_named(embedding, phrases, options, error, message):
    with pytest.raises(error, match=message):
        phrase_vectors(phrases, embedding, **options)
