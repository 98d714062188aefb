"""From a text to its words: the descriptions of events and the names of concepts, however these are spelt."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple

from widemargin.words.stop_words import STOP_WORDS

__all__ = ["Token", "find_tokens", "split_words"]

_SAME_SIGN = str.maketrans({"’": "'", "ʼ": "'", "‘": "'", "‐": "-", "‑": "-"})
_CHARACTER = r"[^\s'.,-]"
# Single letters with points, as in "U.S."; else apostrophes and hyphens join letters, points and commas join digits.
_WORD = re.compile(
    rf"(?:(?<!{_CHARACTER}){_CHARACTER}\.){{2,}}|{_CHARACTER}+(?:(?:['-]|(?<=\d)[.,](?=\d)){_CHARACTER}+)*"
)
_HUMP = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^A-Z\d]+|\d+")


class Token(NamedTuple):
    """A word of a text.

    Parameters
    ----------
    word : str
        The word in lower case.
    parts : tuple of str
        What it is made of, in lower case and without stop words, if it is a compound: the parts between hyphens and
        apostrophes, and those that start with a capital, as in "HorseRiding". Else empty.
    """

    word: str
    parts: tuple[str, ...]


def split_words(text: str) -> list[str]:
    """Return the words of a text in lower case, without stop words.

    A word is a run of letters, marks and digits of any script. Apostrophes and hyphens between letters belong to it
    (``t-shirt``), a possessive ``'s`` does not; points and commas belong to numbers. All else separates words, so that
    ``horse_riding`` and ``kite (bird of prey)`` are read as they are meant.

    Parameters
    ----------
    text : str
        A description or a name.

    Returns
    -------
    list of str
        The words in their order, with repetitions; empty if there are none but `STOP_WORDS`.

    Raises
    ------
    TypeError
        If the text is no str.

    Examples
    --------
    >>> from widemargin.words import split_words
    >>> split_words("Two men are fighting in the street")
    ['two', 'men', 'fighting', 'street']
    >>> split_words("kite (bird_of_prey)")
    ['kite', 'bird', 'prey']
    """
    return [token.word for token in find_tokens(text)]


def find_tokens(text: str) -> list[Token]:
    """Return the words of a text that are no stop words, with the parts of compounds.

    Parameters
    ----------
    text : str
        A description or a name.

    Returns
    -------
    list of Token
        The words in their order.

    Raises
    ------
    TypeError
        If the text is no str.
    """
    if not isinstance(text, str):
        raise TypeError(f"A text must be a str, got {text!r}: pass words.")
    plain = unicodedata.normalize("NFKC", text).translate(_SAME_SIGN)
    # Marks count as letters: the vowels of many scripts are marks.
    kept = "".join(c if c in "'-.," or unicodedata.category(c)[0] in "LMN" else " " for c in plain)
    words = [word.removesuffix("'s").removesuffix("'S") for word in _WORD.findall(kept)]
    return [Token(word.lower(), _parts(word)) for word in words if word.lower() not in STOP_WORDS]


def _parts(word: str) -> tuple[str, ...]:
    """Return the parts of a compound that are no stop words, or nothing if the word is none."""
    pieces = re.split("['-]", word)
    parts = [hump.lower() for piece in pieces for hump in _HUMP.findall(piece)]
    if len(parts) < 2:
        return ()
    return tuple(part for part in parts if part not in STOP_WORDS and len(part) > 1)
