"""Reading a user's own tables of features: every format gives the same numbers, every mistake one sentence."""

import io
import os
import sys
import zipfile

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from scipy.sparse import coo_matrix, csc_matrix, csr_matrix, dia_matrix, issparse, save_npz
from sklearn.datasets import dump_svmlight_file

from widemargin.datasets import DatasetError, array_files, delimited, files, parquet_files, read_features
from widemargin.datasets.feature_files import read_column_names

NUMBERS = np.array([[1.5, -2.0, 0.0], [0.25, 1e-3, 7.0]])
NAMES = ("width (cm)", "Höhe", "色, bright")


@pytest.fixture
def folder(tmp_path):
    """A folder whose name has spaces and letters outside ASCII."""
    path = tmp_path / "meine Daten, ü"
    path.mkdir()
    return path


def complaint(path):
    with pytest.raises(DatasetError) as caught:
        read_features(path)
    message = str(caught.value)
    assert "\n" not in message
    assert message.endswith(".")
    return message


def write(folder, text, name="table.csv", encoding="utf-8"):
    path = folder / name
    path.write_bytes(text.encode(encoding))
    return path


def header(lines_end="\n", separator=","):
    return separator.join(f'"{name}"' for name in NAMES) + lines_end


def body(lines_end="\n", separator=","):
    return "".join(separator.join(map(repr, row)) + lines_end for row in NUMBERS.tolist())


@pytest.mark.parametrize("separator", [",", ";", "\t"])
@pytest.mark.parametrize("lines_end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_text_with_and_without_names(folder, separator, lines_end, encoding):
    named = read_features(
        write(folder, header(lines_end, separator) + body(lines_end, separator), encoding=encoding)
    )
    assert named.names == NAMES
    plain = read_features(write(folder, body(lines_end, separator), encoding=encoding))
    assert plain.names is None
    for table in (named, plain):
        np.testing.assert_array_equal(table.values, NUMBERS)
        assert table.values.dtype == np.float64


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("spaces.txt", "1.5  -2 0\n .25 1e-3\t7\n".replace("\t", " ")),
        ("commas.txt", "1.5,-2,0\n.25,1e-3,7\n"),
        ("tabs.tsv", "1.5\t-2\t0\n.25\t1e-3\t7"),
        ("TABLE.CSV", '\n"1.5", "-2" ,0\n\n  \n0.25,1e-3,7\n\n\n'.replace(', "-2" ', ',"-2"')),
    ],
)
def test_other_ways_to_write_the_same_table(folder, name, text):
    np.testing.assert_array_equal(read_features(write(folder, text, name)).values, NUMBERS)


def test_a_column_may_have_a_number_as_its_name_if_another_has_not(folder):
    table = read_features(write(folder, "0,mean\n1,2\n"))
    assert table.names == ("0", "mean")
    assert table.values.tolist() == [[1.0, 2.0]]


def test_one_row_of_more_columns_than_rows(folder):
    # So many that comparing all names with each other would take minutes.
    values = np.arange(50_000.0).reshape(1, -1)
    names = [f"f{k}" for k in range(values.size)]
    np.savetxt(folder / "wide.csv", values, delimiter=",", header=",".join(names), comments="", fmt="%g")
    table = read_features(folder / "wide.csv")
    np.testing.assert_array_equal(table.values, values)
    assert table.names == tuple(names)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", ["is empty", "at least one row"]),
        ("\n \n", ["only empty lines"]),
        ("a,b\n", ["column names only"]),
        ("a,b\n1,2\n3,red\n", ["'red' in line 3, column 2 ('b')", "not a number"]),
        ("a,b\n\n1,2\n\n3,\n", ["no value in line 5, column 2 ('b')", "fill missing values in"]),
        ("a\tb\n1\t2\n\t\n3\t4\n", ["no value in line 3, column 1 ('a')"]),
        ("a\n1\n\n3\n", ["no value in line 3"]),
        ("1,2\n3,nan\n", ["'nan' in line 2, column 2,", "missing"]),
        ("1,2\n3,-inf\n", ["'-inf' in line 2, column 2,", "not finite"]),
        ("1,2\n3,1e999\n", ["'1e999' in line 2, column 2,", "not finite"]),
        ("1,2\n3,-2e70\n", ["'-2e70' in line 2, column 2:", "at most 1e+70"]),
        ("a,b\n1,True\n", ["'True' in line 2", "0 and 1 for no and yes"]),
        ("a;b\n1,5;2\n", ["'1,5' in line 2, column 1 ('a')", "decimal point"]),
        ("1,5;2,25\n3,0;4,1\n", ["'1,5' in line 1, a decimal comma", "save the table with decimal points"]),
        ("a;b\n1.234,5;2\n", ["'1.234,5' in line 2", "decimal='.'"]),
        ("a;b\n-1,5E+03;2\n", ["'-1,5E+03' in line 2", "semicolons between cells may stay"]),
        ("1,2\n1_0,3\n", ["'1_0' in line 2, column 1"]),
        ("1,2\n{x},3\n", ["'{x}' in line 2, column 1"]),
        ("1,2\n" + "x" * 500 + ",3\n", ["xxx...' in line 2, column 1"]),
        ("a,b\n1,2\n3,4,5\n", ["3 cells in line 3, but 2 in line 1"]),
        ("1,2\n3\n", ["1 cells in line 2, but 2 in line 1"]),
        (",a,b\n0,1,2\n", ["column 1 has none", "index=False"]),
        ("1,,2\n3,4,5\n", ["column 2 has none", "fill missing values"]),
        ("a,b,a\n1,2,3\n", ["two are called 'a'"]),
        ('"a,b\n1,2\n' + "3,4\n" * 40_000, ["not a table of separated cells"]),
    ],
)
def test_bad_text_is_told_with_its_place(folder, text, said):
    path = write(folder, text)
    message = complaint(path)
    assert message.startswith(str(path))
    for part in said:
        assert part in message


@pytest.mark.parametrize("encoding", ["utf-16", "latin-1"])
def test_other_encodings_are_named(folder, encoding):
    path = write(folder, "a,Höhe\n1,2\n", encoding=encoding)
    assert complaint(path).startswith(f"{path} is not UTF-8 text: save it as CSV UTF-8")


def test_limits_of_text(folder, monkeypatch):
    path = write(folder, "1,2,3\n4,5,6\n")
    for module, name, value, said in [
        (delimited, "_LARGEST_TEXT", 11, "12 bytes"),
        (delimited, "_LONGEST_LINE", 4, "line of more than 4 bytes"),
        (files, "LARGEST_TABLE", 5, "more than the 5 numbers"),
    ]:
        with monkeypatch.context() as patch:
            patch.setattr(module, name, value)
            assert said in complaint(path)
    assert read_features(path).values.shape == (2, 3)


def test_a_long_line_is_seen_across_the_pieces_that_are_read(folder, monkeypatch):
    path = write(folder, "1\n" + "2" * 40 + "\n3\n")
    monkeypatch.setattr(delimited, "_CHUNK", 3)
    monkeypatch.setattr(delimited, "_LONGEST_LINE", 41)
    assert read_features(path).values.shape == (3, 1)
    monkeypatch.setattr(delimited, "_LONGEST_LINE", 39)
    assert "line of more than 39 bytes" in complaint(path)


@pytest.mark.parametrize("kind", ["float16", "float32", "float64", "int8", "uint64", "bool", ">f8"])
def test_arrays_of_every_type_of_number(folder, kind):
    values = np.array([[1, 0, 1], [0, 1, 1]]).astype(kind)
    np.save(folder / "x.npy", np.asfortranarray(values))
    np.savez_compressed(folder / "x.npz", only=values)
    for name in ("x.npy", "x.npz"):
        table = read_features(folder / name)
        assert table.names is None
        assert table.values.dtype == np.float64
        np.testing.assert_array_equal(table.values, values.astype(float))


def test_one_of_several_arrays_is_named(folder):
    path = folder / "data.npz"
    np.savez(path, X=NUMBERS, **{"X star": NUMBERS + 1})
    np.testing.assert_array_equal(read_features(f"{path}:X star").values, NUMBERS + 1)
    message = complaint(path)
    assert "holds 2 arrays (X, X star)" in message
    assert "data.npz:X" in message
    assert "no array 'Y' (it has X, X star)" in complaint(f"{path}:Y")


@pytest.mark.parametrize(
    ("array", "said"),
    [
        (np.arange(3.0), "1 dimensions, shape (3,), but a table has two: one feature of many samples is"),
        (np.zeros((2, 2, 2)), "flatten each sample"),
        (np.zeros((0, 4)), "0 rows and 4 columns"),
        (np.zeros((4, 0)), "4 rows and 0 columns"),
        (np.array([[1.0, 2.0], [3.0, np.nan]]), "nan in row 2, column 2, both counted from 1"),
        (np.array([[1.0, np.inf]]), "inf in row 1, column 2"),
        (
            np.array([[1.0, -1e200]]),
            "-1e+200 in row 1, column 2, both counted from 1: give values of at most 1e+70",
        ),
        (np.array([["a", "b"]]), "type <U1"),
        (np.array([[1 + 2j]]), "complex128"),
        (np.array([[1, None]], dtype=object), "Python objects, which are never unpickled"),
    ],
)
def test_arrays_that_are_no_table(folder, array, said):
    np.save(folder / "x.npy", array)
    assert said in complaint(folder / "x.npy")
    np.savez(folder / "x.npz", X=array)
    assert said in complaint(f"{folder / 'x.npz'}:X")


def huge_header(n=10**12):
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, {"descr": "<f8", "fortran_order": False, "shape": (n, 1)})
    return file.getvalue() + bytes(64)


def test_a_header_that_claims_more_than_there_is_reserves_no_memory(folder):
    (folder / "x.npy").write_bytes(huge_header())
    assert "claims the shape (1000000000000, 1)" in complaint(folder / "x.npy")
    with zipfile.ZipFile(folder / "x.npz", "w") as archive:
        archive.writestr("x.npy", huge_header())
    assert "claims the shape (1000000000000, 1)" in complaint(folder / "x.npz")


def test_a_damaged_header(folder):
    np.save(folder / "x.npy", NUMBERS)
    content = (folder / "x.npy").read_bytes()
    (folder / "x.npy").write_bytes(content.replace(b"}", b"("))
    assert "header is damaged" in complaint(folder / "x.npy")


def test_a_header_whose_lengths_are_no_numbers(folder):
    np.save(folder / "x.npy", np.zeros((1, 1)))
    content = (folder / "x.npy").read_bytes()
    (folder / "x.npy").write_bytes(content.replace(b"(1, 1), }        ", b"(True, True), }  "))
    assert "claims the shape (True, True)" in complaint(folder / "x.npy")


@pytest.mark.parametrize("name", ["x.npy", "x.npz", "x.parquet", "x.svmlight"])
def test_files_that_are_not_what_their_suffix_says(folder, name):
    (folder / name).write_bytes(b"something else")
    assert "cannot be read as" in complaint(folder / name)
    (folder / name).write_bytes(b"")
    assert "is empty" in complaint(folder / name)


@pytest.mark.parametrize("name", ["x.npy", "x.npz", "x.parquet"])
def test_truncated_files(folder, name):
    path = folder / name
    if name == "x.npy":
        np.save(path, NUMBERS)
    elif name == "x.npz":
        np.savez(path, X=NUMBERS)
    else:
        pd.DataFrame(NUMBERS, columns=NAMES).to_parquet(path)
    path.write_bytes(path.read_bytes()[:-20])
    complaint(path)


def test_a_damaged_archive(folder):
    path = folder / "x.npz"
    np.savez(path, X=NUMBERS)
    content = bytearray(path.read_bytes())
    content[content.index(NUMBERS.tobytes())] ^= 1
    path.write_bytes(content)
    assert "Bad CRC-32" in complaint(path)


@pytest.mark.parametrize("kind", [csr_matrix, csc_matrix, coo_matrix])
def test_sparse_matrices(folder, kind):
    save_npz(folder / "x.npz", kind(NUMBERS))
    table = read_features(folder / "x.npz")
    assert issparse(table.values)
    assert table.values.format == "csr"
    assert table.names is None
    np.testing.assert_array_equal(table.values.toarray(), NUMBERS)


def sparse_parts(**changes):
    parts = {
        "format": np.array(b"csr"),
        "shape": np.array([2, 3]),
        "data": np.array([1.0, 2.0]),
        "indices": np.array([0, 2]),
        "indptr": np.array([0, 1, 2]),
    }
    return parts | changes


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"indices": np.array([0, 3])}, "does not hold a sparse matrix"),
        ({"indices": np.array([0, -1])}, "does not hold a sparse matrix"),
        ({"indptr": np.array([0, 5, 2])}, "does not hold a sparse matrix"),
        ({"indptr": np.array([0, 2])}, "does not hold a sparse matrix"),
        ({"indices": np.array([0.0, 1.0])}, "indices integers"),
        ({"data": np.array([1.0, np.nan])}, "not finite real numbers"),
        ({"data": np.array([1.0, -1e200])}, "values above 1e+70"),
        ({"data": np.array(["a", "b"])}, "not finite real numbers"),
        ({"shape": np.array([2, 10**12])}, "2 x 1000000000000"),
        ({"shape": np.array([0, 3])}, "at least one row"),
        ({"shape": np.array([3])}, "two-dimensional"),
        ({"format": np.array(b"xyz")}, "format 'xyz'"),
        ({"format": np.array([1, 2])}, "format 'unknown'"),
    ],
)
def test_sparse_matrices_whose_parts_do_not_fit(folder, changes, said):
    np.savez(folder / "x.npz", **sparse_parts(**changes))
    assert said in complaint(folder / "x.npz")


def test_other_sparse_formats_say_how_to_convert(folder):
    save_npz(folder / "x.npz", dia_matrix(NUMBERS))
    assert "X.tocsr()" in complaint(folder / "x.npz")


def test_parquet_with_names_and_without_the_index_of_pandas(folder):
    frame = pd.DataFrame(
        {
            "a b": [True, False],
            "Ω": np.array([1, 2], dtype="int8"),
            "c": np.array([0.5, 1.5], dtype="float32"),
        },
        index=pd.Index(["first", "second"], name="sample"),
    )
    frame.to_parquet(folder / "x.parquet")
    table = read_features(folder / "x.parquet")
    assert table.names == ("a b", "Ω", "c")
    assert table.values.tolist() == [[1.0, 1.0, 0.5], [0.0, 2.0, 1.5]]


@pytest.mark.parametrize(
    ("columns", "said"),
    [
        ({"a": [1.0, 2.0], "b c": ["x", "y"]}, "column 'b c' of type"),
        ({"a": pd.array([1, None], dtype="Int64")}, "no value in row 2, counted from 1, of column 'a'"),
        ({"a": [1.0, np.inf]}, "inf in row 2, column 1"),
        ({"a": np.array([], dtype=float)}, "0 rows and 1 columns"),
        ({"a": [[1.0], [2.0]]}, "column 'a' of type list"),
    ],
)
def test_parquet_tables_that_are_not_numbers(folder, columns, said):
    pd.DataFrame(columns).to_parquet(folder / "x.parquet")
    assert said in complaint(folder / "x.parquet")


def test_parquet_columns_have_different_names(folder):
    pq.write_table(pa.table([[1.0], [2.0]], names=["a", "a"]), folder / "x.parquet")
    assert "two columns called 'a'" in complaint(folder / "x.parquet")


def test_limits_of_parquet(folder, monkeypatch):
    pd.DataFrame({"a": np.zeros(1000)}).to_parquet(folder / "x.parquet")
    monkeypatch.setattr(parquet_files, "LARGEST_TABLE", 999)
    assert "at most 999 numbers" in complaint(folder / "x.parquet")


def test_without_pyarrow_the_message_says_how_to_get_it(folder, monkeypatch):
    pd.DataFrame({"a": [1.0]}).to_parquet(folder / "x.parquet")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert "pip install pyarrow" in complaint(folder / "x.parquet")


@pytest.mark.parametrize("suffix", [".svmlight", ".libsvm", ".svm"])
@pytest.mark.parametrize("zero_based", [True, False])
def test_svmlight_columns_are_named_by_their_index(folder, suffix, zero_based):
    path = folder / f"x{suffix}"
    dump_svmlight_file(NUMBERS, [1, -1], str(path), zero_based=zero_based)
    table = read_features(path)
    np.testing.assert_array_equal(table.values.toarray(), NUMBERS)
    assert table.names == (("0", "1", "2") if zero_based else ("1", "2", "3"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1 1:2 3\n", "cannot be read as lines"),
        ("cat 1:2\n", "cannot be read as lines"),
        ("1 1:2\n1 2:nan\n", "nan in row 2, counted from 1, at index 2"),
        ("1 1:2\n1 2:-2e70\n", "-2e+70 in row 2, counted from 1, at index 2: give values of at most 1e+70"),
        ("1 1000000000000:2\n", "cannot be read as lines"),
        ("1 99999999999999999999999:2\n", "cannot be read as lines"),
        ("1 5000000:2\n", "index 5000000"),
        ("1\n-1\n", "2 rows and 0 values"),
        ("# nothing\n", "0 rows"),
    ],
)
def test_bad_svmlight(folder, text, said):
    assert said in complaint(write(folder, text, "x.svmlight"))


@pytest.mark.parametrize("name", ["x.xlsx", "x", "x.pkl", "x.csv.gz"])
def test_unknown_suffixes_are_told_the_known_ones(folder, name):
    message = complaint(write(folder, "1,2\n", name))
    assert "suffix" in message
    assert ".csv, .tsv, .txt, .npy, .npz, .parquet, .svmlight" in message


def test_missing_files_and_folders(folder):
    assert "does not exist" in complaint(folder / "x.csv")
    (folder / "y.csv").mkdir()
    assert "is a folder" in complaint(folder / "y.csv")
    assert "is a folder" in complaint(folder)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are a matter of Unix")
def test_a_pipe_is_not_waited_for(folder):
    os.mkfifo(folder / "x.csv")
    assert "no ordinary file" in complaint(folder / "x.csv")


def test_a_file_may_have_the_mark_of_an_array_in_its_name(folder):
    path = folder / "a.npz:b.csv"
    path.write_text("1,2\n")
    assert array_files.split_member(path) == (path, None)
    assert read_features(path).values.tolist() == [[1.0, 2.0]]


GAPPED = np.array([[np.nan] * 3, NUMBERS[0], [np.nan] * 3, NUMBERS[1], [np.nan] * 3])


@pytest.mark.parametrize("names", [False, True])
@pytest.mark.parametrize("gap", [",,", "nan,NaN,nan", '"","",""', "NA,NA,NA", " , ,"])
def test_rows_of_text_that_are_missing_as_a_whole(folder, names, gap):
    first, second, _ = body().split("\n")
    path = write(folder, (header() if names else "") + "\n".join([gap, first, gap, second, gap, ""]))
    table = read_features(path, missing_rows=True)
    np.testing.assert_array_equal(table.values, GAPPED)
    assert table.names == (NAMES if names else None)


@pytest.mark.parametrize(
    ("name", "text", "values"),
    [
        ("x.csv", "a\n\n1\n\n2\n\n\n", [[np.nan], [1], [np.nan], [2]]),
        ("x.csv", 'a\n1\n""\n', [[1], [np.nan]]),
        ("x.csv", "a,b\n\n1,2\n  \n3,4\n\n", [[np.nan] * 2, [1, 2], [np.nan] * 2, [3, 4]]),
        ("x.csv", "\n1,2\n", [[1, 2]]),
        ("x.csv", "a;b\n1;2\n;\n", [[1, 2], [np.nan] * 2]),
        ("x.txt", "1 2\n\nnan nan\n3 4\n", [[1, 2], [np.nan] * 2, [np.nan] * 2, [3, 4]]),
        ("x.tsv", "a\tb\n\t\n1\t2\n", [[np.nan] * 2, [1, 2]]),
    ],
)
def test_an_empty_line_between_others_is_a_missing_row(folder, name, text, values):
    np.testing.assert_array_equal(read_features(write(folder, text, name), missing_rows=True).values, values)


def test_missing_rows_of_other_formats(folder):
    np.save(folder / "x.npy", GAPPED)
    np.savez(folder / "x.npz", X=GAPPED)
    pd.DataFrame(GAPPED, columns=NAMES).to_parquet(folder / "x.parquet")
    for name in ("x.npy", "x.npz", "x.parquet"):
        np.testing.assert_array_equal(read_features(folder / name, missing_rows=True).values, GAPPED)
        complaint(folder / name)
    gaps = {"a": pd.array([True, None], "boolean"), "b": pd.array([7, None], "Int64")}
    pd.DataFrame(gaps).to_parquet(folder / "x.parquet")
    np.testing.assert_array_equal(
        read_features(folder / "x.parquet", missing_rows=True).values, [[1, 7], [np.nan] * 2]
    )


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "a,b\n1,2\n,\n3,\n",
            "no value in line 4, column 2 ('b'): fill missing values in, or leave the whole row",
        ),
        ("a,b\n1,2\n\nnan,4\n", "'nan' in line 4, column 1 ('a')"),
        ("a,b\n1,2\n,,\n", "3 cells in line 3, but 2 in line 1"),
        ("a,b\n1,inf\n", "not finite"),
        ("a,b\n,\n\n,\n", "values in none of its"),
        ('a;b\n"1,5";2\n', "decimal comma"),
    ],
)
def test_rows_that_lack_some_values_are_an_error(folder, text, said):
    with pytest.raises(DatasetError) as caught:
        read_features(write(folder, text), missing_rows=True)
    assert said in str(caught.value)
    for values in ([[1.0, np.nan]], [[np.inf, np.inf]], [[np.nan, np.nan]]):
        np.save(folder / "x.npy", values)
        with pytest.raises(DatasetError):
            read_features(folder / "x.npy", missing_rows=True)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.csv", 'name,b,"note",a\n"Müller, A",2,ok,1\n\nx,4,"two\nlines",3\n'),
        ("x.csv", "name;b;note;a\nx;2;;1\ny;4;1,5;3\n"),
        ("x.tsv", "name\tb\tnote\ta\n\t2\t\t1\n\t4\t\t3\n"),
    ],
)
def test_some_columns_of_a_file_of_others(folder, name, text):
    path = write(folder, text, name)
    table = read_features(path, columns=["a", "b"])
    assert table.names == ("a", "b")
    assert table.values.tolist() == [[1, 2], [3, 4]]
    assert read_column_names(path) == ("name", "b", "note", "a")
    assert read_features(path, columns=["a"]).values.tolist() == [[1], [3]]


def test_columns_beside_the_chosen_need_no_names(folder):
    path = write(folder, ",a,\nx,1,\ny,2,\n")
    assert read_column_names(path) == ("", "a", "")
    assert read_features(path, columns=["a"]).values.tolist() == [[1], [2]]
    assert "column 1 has none" in complaint(path)


def test_some_columns_of_parquet(folder):
    frame = pd.DataFrame(
        {"b": [2.0, 4.0], "name": ["x", None], "a": [1, 3]}, index=pd.Index(["u", "v"], name="i")
    )
    frame.to_parquet(folder / "x.parquet")
    table = read_features(folder / "x.parquet", columns=["a", "b"])
    assert table.names == ("a", "b")
    assert table.values.tolist() == [[1, 2], [3, 4]]
    assert read_column_names(folder / "x.parquet") == ("b", "name", "a")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a,t\n1,x\n,y\n", "no value in line 3, column 1 ('a')"),
        ("t,a\nx,1\ny,red\n", "'red' in line 3, column 2 ('a')"),
        ("a,t\n1,x\n2,y,z\n", "3 cells in line 3, but 2 in line 1"),
        ("a,t\n1,x\ninf,y\n", "'inf' in line 3"),
        ("a,t\n1,x\n1\t2,y\n", "in line 3, column 1 ('a')"),
        ("b,t\n1,x\n", "no column called 'a'"),
        ("1,2\n3,4\n", "no column called 'a'"),
    ],
)
def test_chosen_columns_are_checked_like_all(folder, text, said):
    path = write(folder, text)
    with pytest.raises(DatasetError) as caught:
        read_features(path, columns=["a"])
    assert said in str(caught.value)


def test_formats_without_names_have_no_column_of_any_name(folder):
    np.save(folder / "x.npy", NUMBERS)
    assert read_column_names(folder / "x.npy") is None
    assert read_column_names(write(folder, "1,2\n")) is None
    assert read_column_names(write(folder, "\n \n")) is None
    with pytest.raises(DatasetError, match="no column called 'a'"):
        read_features(folder / "x.npy", columns=["a"])
