"""What is said of words and of files of word vectors that cannot be used."""

from __future__ import annotations

import warnings
from collections.abc import Iterable

__all__ = ["UnknownWordsWarning", "WordVectorsError", "warn_of_unknown"]

_MOST_NAMED = 10


class WordVectorsError(ValueError):
    """A file of word vectors cannot be read; the message names the file, the place and the reason."""


class UnknownWordsWarning(UserWarning):
    """Some words have no vector, and are left out."""


def warn_of_unknown(subject: str, words: Iterable[str], remedy: str, *, stacklevel: int) -> None:
    """Warn of words that have no vector, each named once, and not more than ten.

    Parameters
    ----------
    subject : str
        What the words belong to.
    words : iterable of str
        The words; no warning if there are none.
    remedy : str
        What happens with them, and what can be done.
    stacklevel : int
        How many callers above the one of this function the warning is shown at.
    """
    unique = list(dict.fromkeys(words))
    if not unique:
        return
    named = ", ".join(repr(word) for word in unique[:_MOST_NAMED])
    more = f" and {len(unique) - _MOST_NAMED} more" if len(unique) > _MOST_NAMED else ""
    warnings.warn(
        f"{subject} without a word vector: {named}{more}. {remedy}",
        UnknownWordsWarning,
        stacklevel=stacklevel + 1,
    )
