"""Words of descriptions and of the names of concepts."""

import pytest

from widemargin.words import STOP_WORDS, split_words
from widemargin.words.tokens import find_tokens


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Two men fighting in a street", ["two", "men", "fighting", "street"]),
        ("horse_riding", ["horse", "riding"]),
        ("Egyptian Mau", ["egyptian", "mau"]),
        ("kite (bird of prey)", ["kite", "bird", "prey"]),
        ("T-shirt, jersey", ["t-shirt", "jersey"]),
        ("the dog's bowl and the dogs' bowls", ["dog", "bowl", "dogs", "bowls"]),
        ("It’s a man‑made lake", ["man-made", "lake"]),
        ("they don't, can't and shouldn’t", []),
        ("1,000 balloons, 3.5 metres", ["1,000", "balloons", "3.5", "metres"]),
        ("3D 4x4", ["3d", "4x4"]),
        ("Café Ménage", ["café", "ménage"]),
        ("Cafe\u0301", ["café"]),
        ("हिन्दी शब्द", ["हिन्दी", "शब्द"]),
        ("СОБАКА бежит", ["собака", "бежит"]),
        ("the U.S.A., e.g. Texas", ["u.s.a.", "texas"]),
        ("o'clock", ["o'clock"]),
        ("swim trunks / shorts; hat!", ["swim", "trunks", "shorts", "hat"]),
        ("dog dog", ["dog", "dog"]),
        ("-- ' - ...,", []),
        ("\u200b\x00 \n\t", []),
        ("", []),
    ],
)
def test_words_of_a_text(text, words):
    assert split_words(text) == words


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("HorseRiding", ("horse", "riding")),
        ("ApplyEyeMakeup", ("apply", "eye", "makeup")),
        ("horse-drawn", ("horse", "drawn")),
        ("black-and-white", ("black", "white")),
        ("UCF101", ("ucf", "101")),
        ("TVShow", ("tv", "show")),
        ("dog", ()),
        ("Dog", ()),
        ("DOG", ()),
    ],
)
def test_parts_of_a_compound(word, parts):
    (token,) = find_tokens(word)
    assert token.word == word.lower()
    assert token.parts == parts


def test_stop_words_are_lower_case_and_leave_what_is_seen():
    assert all(word == word.lower() for word in STOP_WORDS)
    assert not STOP_WORDS & {"man", "two", "street", "dog", "running", "water", "night", "white"}
    assert {"the", "of", "and", "is", "their", "don't"} <= STOP_WORDS


def test_words_of_no_text_are_refused():
    with pytest.raises(TypeError, match="must be a str, got 3"):
        split_words(3)
