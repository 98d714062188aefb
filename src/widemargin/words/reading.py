"""Files of word vectors: the text formats of GloVe and word2vec, and the binary format of word2vec.

Text has one line a word, the word and its numbers with spaces between; word2vec puts a line before them with the
numbers of words and dimensions. In binary files that line is followed, for each word, by the word, a space, and its
numbers as little-endian float32. Nothing in a file is taken on trust: sizes are checked against its length.
"""

from __future__ import annotations

import codecs
import mmap
import os
from itertools import islice
from pathlib import Path
from typing import BinaryIO

import numpy as np
import numpy.typing as npt

from widemargin.validation import check_choice, check_integer
from widemargin.words.errors import WordVectorsError
from widemargin.words.word_vectors import WordVectors

__all__ = ["read_word_vectors"]

FORMATS = ("auto", "text", "binary")

Rows = npt.NDArray[np.float32]

_LONGEST_LINE = 2**20
_LONGEST_WORD = 10_000
_LINES_AT_A_TIME = 10_000


def read_word_vectors(
    path: str | os.PathLike[str], *, format: str = "auto", limit: int | None = None
) -> WordVectors:
    r"""Read word vectors from a file of GloVe or word2vec.

    Bytes of a word that are no UTF-8 become the sign for an unknown character. Of words that occur twice the first is
    found.

    Parameters
    ----------
    path : str or path-like
        The file, not compressed.
    format : {"auto", "text", "binary"}, default="auto"
        "text" with or without a first line of sizes, or "binary" as word2vec writes it; "auto" tells from the content.
    limit : int or None, default=None
        Read that many words, at least 1, from the first on; None reads all.

    Returns
    -------
    WordVectors
        The vectors, in the order of the file.

    Raises
    ------
    WordVectorsError
        If the file cannot be read, is no such file, or is cut short; a ValueError that names the line, or the word.
    TypeError
        If `limit` is no integer.
    ValueError
        If `format` or `limit` is out of range.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from widemargin.words import read_word_vectors
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "vectors.txt"
    ...     _ = path.write_text("dog 1.0 0.1\ncar 0.0 1.0\n")
    ...     read_word_vectors(path)
    WordVectors(2 words, 2 dimensions)
    """
    check_choice("format", format, FORMATS)
    if limit is not None:
        check_integer("limit", limit, at_least=1)
    name = Path(path)
    try:
        with open(name, "rb") as file:
            sizes = _sizes(name, file)
            binary = (
                sizes is not None and not _is_text(file, sizes[1]) if format == "auto" else format == "binary"
            )
            if not binary:
                return _read_text(name, file, sizes, limit)
            if sizes is None:
                raise WordVectorsError(
                    f"{name} has no first line with the numbers of words and dimensions, as binary files of word2vec "
                    "have: pass format='text' if it is text."
                )
            return _read_binary(name, file, sizes, limit)
    except OSError as error:
        raise WordVectorsError(f"{name} cannot be read: {error.strerror or error}") from error


def _sizes(path: Path, file: BinaryIO) -> tuple[int, int] | None:
    """Return the numbers of words and dimensions from the first line, or None and stay there if it has none."""
    start = len(codecs.BOM_UTF8) if file.read(len(codecs.BOM_UTF8)) == codecs.BOM_UTF8 else 0
    file.seek(start)
    line = file.readline(_LONGEST_LINE)
    fields = line.split()
    if len(fields) != 2 or not all(field.isdigit() and len(field) < 16 for field in fields):
        file.seek(start)
        return None
    n_words, n_dimensions = (int(field) for field in fields)
    if file.tell() == os.fstat(file.fileno()).st_size:
        raise WordVectorsError(f"{path} ends after its first line: it has no vectors.")
    if n_words == 0 or n_dimensions == 0:
        raise WordVectorsError(f"{path} has {n_words} words of {n_dimensions} dimensions, by its first line.")
    return n_words, n_dimensions


def _is_text(file: BinaryIO, n_dimensions: int) -> bool:
    """Tell whether a line of a word and its numbers follows, and stay in front of it."""
    start = file.tell()
    fields = file.readline(_LONGEST_LINE).split()[-n_dimensions:]
    file.seek(start)
    try:
        return len([float(field) for field in fields]) == n_dimensions
    except ValueError:
        return False


def _read_text(path: Path, file: BinaryIO, sizes: tuple[int, int] | None, limit: int | None) -> WordVectors:
    """Read lines of a word and its numbers."""
    line_number = 1 if sizes is None else 2
    n_dimensions = None if sizes is None else sizes[1]
    words: list[str] = []
    parts: list[Rows] = []
    while limit is None or len(words) < limit:
        n_lines = _LINES_AT_A_TIME if limit is None else min(_LINES_AT_A_TIME, limit - len(words))
        lines = list(islice(iter(lambda: file.readline(_LONGEST_LINE), b""), n_lines))
        if not lines:
            break
        if n_dimensions is None:
            n_dimensions = len(lines[0].split()) - 1
        new_words, rows = _parse_lines(path, lines, n_dimensions, line_number)
        words += new_words
        parts.append(rows)
        line_number += len(lines)
    if not words:
        raise WordVectorsError(f"{path} has no vectors.")
    expected = None if sizes is None else min(sizes[0], limit or sizes[0])
    if expected is not None and len(words) != expected:
        raise WordVectorsError(
            f"{path} has {len(words)} words, but {sizes[0] if sizes else 0} by its first line: it is cut short or not "
            "of one piece; with limit= its first words can be read."
        )
    return WordVectors(words, np.concatenate(parts))


def _parse_lines(
    path: Path, lines: list[bytes], n_dimensions: int, first_line: int
) -> tuple[list[str], Rows]:
    """Return the words of some lines, and their numbers."""
    words: list[str] = []
    numbers: list[bytes] = []
    for k, line in enumerate(lines):
        fields = line.split()
        # A few words of GloVe have spaces in them.
        if len(fields) < n_dimensions + 1 or n_dimensions < 1:
            raise WordVectorsError(
                f"{path}, line {first_line + k}: {max(len(fields) - 1, 0)} numbers after the word, expected "
                f"{max(n_dimensions, 1)}."
            )
        words.append(b" ".join(fields[:-n_dimensions]).decode(errors="replace"))
        numbers += fields[-n_dimensions:]
    try:
        doubles = np.fromiter(map(float, numbers), dtype=np.float64, count=len(numbers))
        with np.errstate(over="ignore"):
            rows = doubles.astype(np.float32).reshape(len(lines), n_dimensions)
        wrong = ~np.isfinite(rows).all(axis=1)
    except ValueError:
        rows = np.empty((0, n_dimensions), dtype=np.float32)
        wrong = np.array(
            [not _are_numbers(numbers[k * n_dimensions :][:n_dimensions]) for k in range(len(lines))]
        )
    if wrong.any():
        raise WordVectorsError(
            f"{path}, line {first_line + int(wrong.argmax())}: expected {n_dimensions} finite numbers after the word."
        )
    return words, rows


def _are_numbers(fields: list[bytes]) -> bool:
    try:
        return bool(np.isfinite([float(field) for field in fields]).all())
    except ValueError:
        return False


def _read_binary(path: Path, file: BinaryIO, sizes: tuple[int, int], limit: int | None) -> WordVectors:
    """Read words, each with its bytes of numbers behind it."""
    n_words, n_dimensions = sizes
    n_bytes = 4 * n_dimensions
    start = file.tell()
    available = os.fstat(file.fileno()).st_size - start
    n_read = n_words if limit is None else min(n_words, limit)
    # The shortest entry is a word of one byte, a space, and the numbers.
    if n_read * (n_bytes + 2) > available:
        raise WordVectorsError(
            f"{path} has {available} bytes after its first line, too few for {n_read} words of {n_dimensions} "
            "dimensions: it is cut short, or not of this format."
        )
    words: list[str] = []
    rows: Rows = np.empty((n_read, n_dimensions), dtype=np.float32)
    with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        for k in range(n_read):
            space = content.find(b" ", start, start + _LONGEST_WORD)
            end = space + 1 + n_bytes
            if space < 0 or end > len(content):
                raise WordVectorsError(
                    f"{path} ends, or has no word, at word {k + 1} of {n_words}: it is cut short, or damaged."
                )
            words.append(content[start:space].lstrip(b"\r\n").decode(errors="replace"))
            rows[k] = np.frombuffer(content[space + 1 : end], dtype="<f4")
            start = end
    wrong = ~np.isfinite(rows).all(axis=1)
    if wrong.any():
        first = int(wrong.argmax())
        raise WordVectorsError(
            f"{path} has numbers that are not finite for word {first + 1}, {words[first]!r}: it is damaged, or not of "
            "this format."
        )
    return WordVectors(words, rows)
