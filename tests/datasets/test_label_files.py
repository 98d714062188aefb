"""Reading labels: text stays text, integers become integers, and a header is told from a label by counting."""

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix
from sklearn.datasets import dump_svmlight_file

from widemargin.datasets import DatasetError, FeatureTable, delimited, read_features, read_labels
from widemargin.datasets.label_files import check_own_labels

ANIMALS = ["polar bear", "Hase, weiß", "polar bear"]


def complaint(path, n_rows):
    with pytest.raises(DatasetError) as caught:
        read_labels(path, n_rows)
    message = str(caught.value)
    assert "\n" not in message
    return message


def write(folder, text, name="Etiketten ß.csv", encoding="utf-8"):
    path = folder / name
    path.write_bytes(text.encode(encoding))
    return path


@pytest.mark.parametrize("lines_end", ["\n", "\r\n"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
@pytest.mark.parametrize("first", ["", "the animal\n"])
def test_text_labels_with_and_without_header(tmp_path, lines_end, encoding, first):
    text = first + 'polar bear\n"Hase, weiß"\n polar bear \n\n'
    path = write(tmp_path, text.replace("\n", lines_end), encoding=encoding)
    assert read_labels(path, 3).tolist() == ANIMALS


def test_a_line_of_a_txt_file_is_a_label_whatever_is_in_it(tmp_path):
    path = write(tmp_path, 'polar bear\nHase, weiß\nthe "best"\n', "labels.txt")
    assert read_labels(path, 3).tolist() == ["polar bear", "Hase, weiß", 'the "best"']


@pytest.mark.parametrize(
    ("cells", "labels"),
    [
        (["1", "-1", "+1"], [1, -1, 1]),
        (["0", "10", "7"], [0, 10, 7]),
        (["01", "1", "2"], ["01", "1", "2"]),
        (["1.0", "2", "-3."], [1, 2, -3]),
        (["0.000000000000000000e+00", "1.0E+00", "1e1"], [0, 1, 10]),
        (["123456789012345678", "1.0", "+2"], [123456789012345678, 1, 2]),
        (["1.5", "2", "x"], ["1.5", "2", "x"]),
        (["1.5", "02", "3"], ["1.5", "02", "3"]),
        (["1.0", ".e1", "e1"], ["1.0", ".e1", "e1"]),
        (["1.0", ".", "-"], ["1.0", ".", "-"]),
        (["1", "2", "x"], ["1", "2", "x"]),
        (["1", "2", "9" * 30], ["1", "2", "9" * 30]),
    ],
)
def test_only_integers_become_integers(tmp_path, cells, labels):
    read = read_labels(write(tmp_path, "\n".join(cells)), 3)
    assert read.tolist() == labels
    assert read.dtype.kind == ("i" if isinstance(labels[0], int) else "U")


def test_a_header_above_integers(tmp_path):
    assert read_labels(write(tmp_path, "class\n1\n0\n"), 2).tolist() == [1, 0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        ("label\n", "1 labels, but there are 3 rows"),
        ("a\nb\n", "2 labels, but there are 3 rows"),
        ("a\nb\nc\nd\ne\n", "5 labels, but there are 3 rows"),
        ("name\na\n\nb\n", "no label in line 3"),
        ("a\nnan\nb\n", "no label in line 2"),
        ("a,b\nc,d\ne,f\n", "2 columns in line 1"),
        ("0.5\n1.0\n2\n", "label 0.5 in row 1, counted from 1, which is no whole number"),
        ("y\n0\n1e-1\n2\n", "label 1e-1 in row 2, counted from 1"),
        ("1\n2\n1e99\n", "label 1e99 in row 3"),
        ("a\n" + "x" * 1001 + "\nb\n", "1001 characters in line 2"),
    ],
)
def test_bad_text(tmp_path, text, said):
    path = write(tmp_path, text)
    message = complaint(path, 3)
    assert message.startswith(str(path))
    assert said in message


def test_limit_of_text(tmp_path, monkeypatch):
    monkeypatch.setattr(delimited, "_LARGEST_TEXT", 3)
    assert "4 bytes" in complaint(write(tmp_path, "a\nb\n"), 2)


@pytest.mark.parametrize(
    ("array", "labels"),
    [
        (np.array(ANIMALS), ANIMALS),
        (np.array([2, 1, 2], dtype="uint8"), [2, 1, 2]),
        (np.array([True, False, True]), [1, 0, 1]),
        (np.array([1.0, -1.0, 1.0], dtype="float32"), [1, -1, 1]),
        (np.array([[3], [4], [3]]), [3, 4, 3]),
        (np.array(["1", "2", "1"]), [1, 2, 1]),
    ],
)
def test_arrays(tmp_path, array, labels):
    np.save(tmp_path / "y.npy", array)
    np.savez(tmp_path / "d.npz", y=array, X=np.zeros((3, 2)))
    assert read_labels(tmp_path / "y.npy", 3).tolist() == labels
    assert read_labels(f"{tmp_path / 'd.npz'}:y", 3).tolist() == labels
    if array.ndim == 1:
        pd.DataFrame({"y": array}).to_parquet(tmp_path / "y.parquet")
        assert read_labels(tmp_path / "y.parquet", 3).tolist() == labels


@pytest.mark.parametrize(
    ("array", "said"),
    [
        (np.zeros((3, 2)), "shape (3, 2)"),
        (np.array([0.0, 0.5, 1.0]), "label 0.5 in row 2"),
        (np.array([0.0, np.nan, 1.0]), "label nan in row 2"),
        (np.array([0, 2**63 + 1, 1], dtype="uint64"), "in row 2"),
        (np.array(["1", "0.5", "1"]), "label 0.5 in row 2"),
        (np.array(["a", " ", "b"]), "no label in row 2"),
        (np.array([b"a", b"b", b"c"]), "type |S1"),
        (np.array(["a", None, "b"], dtype=object), "never unpickled"),
        (np.array(["a", "\udfff", "b"]), "the name '\\udfff', with the character U+DFFF"),
        (np.array(["a", "\udfff", "b"]).astype(">U2"), "the name '\\udfff', with the character U+DFFF"),
        (np.array([97, 0x110000, 98], dtype=np.uint32).view("U1"), "number 0x110000, which is no character"),
        (np.array(["a", "b\nc", "d"]), "the name 'b\\nc', with the character U+000A"),
        (np.zeros(4, dtype=int), "4 labels, but there are 3 rows"),
    ],
)
def test_bad_arrays(tmp_path, array, said):
    np.save(tmp_path / "y.npy", array)
    assert said in complaint(tmp_path / "y.npy", 3)


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"a": [1, 2, 3], "b": [1, 2, 3]}, "2 columns"),
        ({"a": ["x", None, "y"]}, "no value in row 2"),
        ({"a": pd.to_datetime(["2020-01-01"] * 3)}, "labels of type timestamp"),
    ],
)
def test_bad_parquet(tmp_path, columns, said):
    pd.DataFrame(columns).to_parquet(tmp_path / "y.parquet")
    assert said in complaint(tmp_path / "y.parquet", 3)


def test_categories_of_pandas(tmp_path):
    pd.DataFrame({"y": pd.Categorical(ANIMALS)}).to_parquet(tmp_path / "y.parquet")
    assert read_labels(tmp_path / "y.parquet", 3).tolist() == ANIMALS


def test_svmlight_files_carry_their_labels(tmp_path):
    path = tmp_path / "x.svmlight"
    dump_svmlight_file(np.eye(3), [1, -1, 1], str(path))
    assert read_labels(path, 3).tolist() == [1, -1, 1]
    path.write_text("0.5 1:1\n1 1:1\n")
    assert "label 0.5 in row 1" in complaint(path, 2)


def test_unknown_suffix_and_missing_file(tmp_path):
    assert "unknown suffix '.json'" in complaint(write(tmp_path, "[]", "y.json"), 3)
    assert "does not exist" in complaint(tmp_path / "y.csv", 3)


@pytest.mark.parametrize("name", ["y.txt", "y.csv"])
def test_whole_numbers_that_numpy_wrote_as_floats(tmp_path, name):
    np.savetxt(tmp_path / name, np.array([0.0, 1.0, -1.0]))
    read = read_labels(tmp_path / name, 3)
    assert read.tolist() == [0, 1, -1]
    assert read.dtype == np.int64


def sparse_table(labels):
    return FeatureTable(csr_matrix((len(labels), 2)), ("1", "2"), np.asarray(labels, dtype=float))


@pytest.mark.parametrize(
    "own",
    [[1, 1, -1, -1, -1], [0, 0, 0, 0, 0], [3, 3, 1, 1, 2], [1, 2, 3, 4, 5], [1, -1], [0.5, 0.5, 7, 7, 7]],
    ids=["same", "none", "finer", "all different", "other number", "other names"],
)
def test_labels_of_a_table_that_say_the_same_or_nothing(own):
    check_own_labels(sparse_table(own), np.array(["a", "a", "b", "b", "b"]), "x.svmlight")


def test_labels_of_a_table_may_join_classes():
    check_own_labels(sparse_table([1, 1, -1, -1, -1]), np.array([1, 1, 2, 3, 2]), "x.svmlight")
    check_own_labels(FeatureTable(np.eye(2), None), np.array([1, 2]), "x.csv")


@pytest.mark.parametrize(
    ("own", "y", "said"),
    [
        ([1, -1, 1, -1], ["a", "a", "b", "b"], "label 1 in rows 1 and 3, whose labels are to be a and b"),
        ([0, 0, 0, 1, 1], [5, 5, 5, 6, 5], "label 1 in rows 4 and 5, whose labels are to be 6 and 5"),
        ([1, 2, 3, 3], [0, 1, 1, 0], "label 3 in rows 3 and 4, whose labels are to be 1 and 0"),
    ],
)
def test_labels_of_a_table_in_another_order(own, y, said):
    with pytest.raises(DatasetError, match=said):
        check_own_labels(sparse_table(own), np.array(y), "x.svmlight")


def test_labels_of_svmlight_features_are_kept(tmp_path):
    dump_svmlight_file(np.eye(3), [1, -1, 1], str(tmp_path / "x.svmlight"))
    assert read_features(tmp_path / "x.svmlight").labels.tolist() == [1, -1, 1]
    assert read_features(write(tmp_path, "1,2\n")).labels is None
