"""Readers of word vectors, and files that are not what they say."""

import numpy as np
import pytest

from widemargin.words import WordVectorsError, read_word_vectors, reading

VECTORS = np.array([[1.0, 0.5, -2.0], [0.25, 3.0, 1e-3]], dtype=np.float32)


def binary(words, vectors, sizes=None, newline=b"\n"):
    n_words, n_dimensions = sizes or vectors.shape
    rows = vectors.astype("<f4")
    entries = [word + b" " + row.tobytes() + newline for word, row in zip(words, rows, strict=True)]
    return f"{n_words} {n_dimensions}\n".encode() + b"".join(entries)


GLOVE = b"dog 1.0 0.5 -2.0\ncar 0.25 3 1e-3\n"
FILES = {
    "glove": GLOVE,
    "windows line ends": GLOVE.replace(b"\n", b"\r\n"),
    "no last line end": GLOVE[:-1],
    "word2vec text": b"2 3\n" + GLOVE,
    "spaces at line ends": b"2 3\n" + GLOVE.replace(b"\n", b" \n"),
    "tabs": GLOVE.replace(b" ", b"\t"),
    "byte order mark": b"\xef\xbb\xbf" + GLOVE,
    "byte order mark before sizes": b"\xef\xbb\xbf2 3\n" + GLOVE,
    "binary": binary([b"dog", b"car"], VECTORS),
    "binary without line ends": binary([b"dog", b"car"], VECTORS, newline=b""),
    "binary with windows line ends": binary([b"dog", b"car"], VECTORS, newline=b"\r\n"),
}


@pytest.mark.parametrize("kind", FILES)
def test_formats_are_told_apart(kind, tmp_path):
    (tmp_path / "vectors").write_bytes(FILES[kind])
    result = read_word_vectors(tmp_path / "vectors")
    assert result.words == ["dog", "car"]
    assert result.vectors.dtype == np.float32
    np.testing.assert_array_equal(result.vectors, VECTORS)
    named = read_word_vectors(str(tmp_path / "vectors"), format="binary" if "binary" in kind else "text")
    np.testing.assert_array_equal(named.vectors, VECTORS)


@pytest.mark.parametrize("kind", FILES)
def test_limit_reads_the_first_words(kind, tmp_path):
    (tmp_path / "vectors").write_bytes(FILES[kind])
    assert read_word_vectors(tmp_path / "vectors", limit=1).words == ["dog"]
    assert read_word_vectors(tmp_path / "vectors", limit=9).words == ["dog", "car"]


def test_many_lines_are_read_in_parts(tmp_path, monkeypatch):
    monkeypatch.setattr(reading, "_LINES_AT_A_TIME", 3)
    (tmp_path / "v").write_bytes(b"".join(b"w%d %d 1\n" % (k, k) for k in range(10)))
    result = read_word_vectors(tmp_path / "v")
    assert result.words == [f"w{k}" for k in range(10)]
    np.testing.assert_array_equal(result.vectors[:, 0], np.arange(10))
    assert read_word_vectors(tmp_path / "v", limit=4).words == ["w0", "w1", "w2", "w3"]


def test_words_with_spaces_bytes_that_are_no_text_and_repetitions(tmp_path):
    (tmp_path / "v").write_bytes(b"dog 1 2\nat name 3 4\n\xff\xfe 5 6\ndog 7 8\n")
    result = read_word_vectors(tmp_path / "v")
    assert result.words == ["dog", "at name", "��", "dog"]
    assert result.find("dog") == 0
    (tmp_path / "b").write_bytes(binary([b"\xff", b"dog"], VECTORS))
    assert read_word_vectors(tmp_path / "b").words == ["�", "dog"]


def test_numbers_as_words_are_no_first_line(tmp_path):
    (tmp_path / "v").write_bytes(b"12 1 2\n13 3 4\n")
    assert read_word_vectors(tmp_path / "v").words == ["12", "13"]


WRONG = {
    "empty": (b"", "auto", "has no vectors"),
    "first line alone": (b"2 3\n", "auto", "ends after its first line"),
    "no words": (b"0 3\nx", "auto", "0 words of 3 dimensions"),
    "short line": (b"dog 1 2\ncar 1\n", "auto", "line 2: 1 numbers after the word, expected 2"),
    "short line after sizes": (b"2 2\ndog 1 2\ncar 1\n", "auto", "line 3: 1 numbers"),
    "word alone": (b"dog\n", "auto", "line 1: 0 numbers after the word"),
    "blank line": (b"dog 1 2\n\ncar 1 2\n", "auto", "line 2: 0 numbers"),
    "no number": (b"dog 1 2\ncar 1 2\ncat 1 x\n", "auto", "line 3: expected 2 finite numbers"),
    "NaN": (b"dog 1 2\ncar nan 2\n", "auto", "line 2: expected 2 finite numbers"),
    "beyond float32": (b"dog 1 2\ncar 1 1e39\n", "auto", "line 2: expected 2 finite numbers"),
    "fewer than said": (b"3 2\ndog 1 2\ncar 1 2\n", "auto", "2 words, but 3 by its first line"),
    "more than said": (b"1 2\ndog 1 2\ncar 1 2\n", "auto", "2 words, but 1 by its first line"),
    "binary cut short": (FILES["binary"][:-3], "auto", "cut short"),
    "binary far too large": (b"999999999999 300\nabc \x00\x01", "auto", "too few for 999999999999 words"),
    "binary without a space": (b"1 1\n" + b"x" * 50, "binary", "no word, at word 1"),
    "binary with NaN": (binary([b"a"], np.array([[np.nan, 1]])), "binary", "not finite for word 1, 'a'"),
    "text as binary": (GLOVE, "binary", "no first line"),
    "random bytes": (np.random.default_rng(0).bytes(5000), "auto", "line|word"),
}


@pytest.mark.parametrize("kind", WRONG)
def test_wrong_files_are_named(kind, tmp_path):
    content, form, message = WRONG[kind]
    path = tmp_path / "wrong.vec"
    path.write_bytes(content)
    with pytest.raises(WordVectorsError, match=message) as caught:
        read_word_vectors(path, format=form)
    assert str(path) in str(caught.value)


def test_wrong_parameters_and_missing_files_are_named(tmp_path):
    with pytest.raises(WordVectorsError, match="cannot be read: No such file"):
        read_word_vectors(tmp_path / "none")
    with pytest.raises(WordVectorsError, match="cannot be read"):
        read_word_vectors(tmp_path)
    with pytest.raises(ValueError, match="format must be one of"):
        read_word_vectors(tmp_path, format="glove")
    with pytest.raises(ValueError, match="limit must be at least 1"):
        read_word_vectors(tmp_path, limit=0)
