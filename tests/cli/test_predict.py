"""``widemargin predict``: end to end on files, and one sentence with exit code 2 for everything that is wrong."""

import csv
import json
import os
import sys
import unicodedata
import zipfile

import numpy as np
import pandas as pd
import pytest
from scipy.sparse import csr_matrix, save_npz
from sklearn.datasets import dump_svmlight_file
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC
from typer.testing import CliRunner

from widemargin.cli import predict
from widemargin.cli.main import app
from widemargin.persistence import save_model
from widemargin.privileged import MarginTransferSVC
from widemargin.ranking import PartialAUCBoostingClassifier, PartialAUCSVC

NAMES = ["width (cm)", "Höhe", "色, bright"]


@pytest.fixture
def folder(tmp_path):
    path = tmp_path / "meine Daten, ü"
    path.mkdir()
    return path


def samples(n_classes=2):
    rng = np.random.default_rng(3)
    X = np.round(rng.normal(size=(40, 3)), 3)
    X[:, 1] *= rng.random(40) > 0.5
    labels = np.array(["größer, als 0", "kleiner", "0"])[:n_classes]
    return X, labels[np.argsort(np.argsort(X[:, 0])) * n_classes // 40]


@pytest.fixture
def model(folder):
    """A model of named columns, saved, that centres its features."""
    X, y = samples()
    fitted = make_pipeline(StandardScaler(), MarginTransferSVC()).fit(X, y, margintransfersvc__X_privileged=X)
    save_model(fitted, folder / "Modell 1.skops", feature_names=NAMES)
    return fitted


def call(*arguments):
    return CliRunner().invoke(app, ["predict", *map(str, arguments)])


def labels_of(result):
    assert result.exit_code == 0, result.output
    return result.stdout.splitlines()


def complaint(*arguments):
    result = call(*arguments)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.startswith("Error: ")
    assert result.stderr.count("\n") == 1
    assert "Traceback" not in result.stderr
    return result.stderr


def write_features(path, X, names=NAMES):
    frame = pd.DataFrame(X, columns=names)
    if path.suffix == ".csv":
        frame.to_csv(path, index=False)
    elif path.suffix == ".parquet":
        frame.to_parquet(path)
    elif path.suffix == ".npy":
        np.save(path, X)
    elif path.suffix == ".npz":
        save_npz(path, csr_matrix(X))
    else:
        dump_svmlight_file(X, np.zeros(len(X)), str(path), zero_based=False)
    return path


@pytest.mark.parametrize("suffix", [".csv", ".npy", ".npz", ".parquet", ".svmlight"])
def test_one_label_a_line_whatever_the_format(folder, model, suffix):
    X, _ = samples()
    path = write_features(folder / f"neue Daten{suffix}", X)
    assert labels_of(call(folder / "Modell 1.skops", path)) == model.predict(X).tolist()


def test_columns_in_another_order_are_put_right(folder, model):
    X, _ = samples()
    path = write_features(folder / "x.csv", X[:, [2, 0, 1]], [NAMES[k] for k in (2, 0, 1)])
    text = path.read_text(encoding="utf-8").replace("\n", "\r\n")
    path.write_bytes(text.encode("utf-8-sig"))
    assert labels_of(call(folder / "Modell 1.skops", path)) == model.predict(X).tolist()


def test_columns_without_names_are_taken_in_their_order(folder, model):
    X, _ = samples()
    np.savetxt(folder / "x.txt", X)
    assert labels_of(call(folder / "Modell 1.skops", folder / "x.txt")) == model.predict(X).tolist()


def test_labels_go_to_a_file_as_a_whole_or_not_at_all(folder, model, monkeypatch):
    X, _ = samples()
    path, out = write_features(folder / "x.csv", X), folder / "Ergebnis ß.txt"
    result = call(folder / "Modell 1.skops", path, "--out", out)
    assert labels_of(result) == []
    assert out.read_text(encoding="utf-8").splitlines() == model.predict(X).tolist()

    def fail(source, target):
        raise OSError(28, "No space left on device")

    out.write_text("old")
    monkeypatch.setattr(os, "replace", fail)
    assert "No space left" in complaint(folder / "Modell 1.skops", path, "--out", out)
    assert out.read_text() == "old"
    assert len(list(folder.iterdir())) == 3


@pytest.mark.parametrize("suffix", [".csv", ".npz"])
@pytest.mark.parametrize("estimator", [PartialAUCBoostingClassifier(n_estimators=3), PartialAUCSVC((0, 0.5))])
def test_rankings_are_scored(folder, estimator, suffix):
    X, y = samples()
    save_model(estimator.fit(X, y), folder / "ranking.skops", feature_names=NAMES)
    path = write_features(folder / f"x{suffix}", X)
    (_, *rows) = csv.reader(labels_of(call(folder / "ranking.skops", path, "--scores")))
    assert [row[0] for row in rows] == estimator.predict(X).tolist()
    np.testing.assert_allclose([float(row[1]) for row in rows], estimator.decision_function(X), rtol=1e-12)


def test_scores_of_two_classes(folder, model):
    X, _ = samples()
    lines = labels_of(call(folder / "Modell 1.skops", write_features(folder / "x.csv", X), "--scores"))
    (header, *rows) = csv.reader(lines)
    assert header == ["label", "score_kleiner"]
    assert [row[0] for row in rows] == model.predict(X).tolist()
    np.testing.assert_array_equal([float(row[1]) for row in rows], model.decision_function(X))


@pytest.mark.parametrize("estimator", [SVC(), MarginTransferSVC()])
@pytest.mark.filterwarnings("ignore:X_privileged was not given")
def test_scores_of_three_classes(folder, estimator):
    X, y = samples(3)
    fitted = estimator.fit(X, y)
    save_model(fitted, folder / "m.skops")
    lines = labels_of(call(folder / "m.skops", write_features(folder / "x.csv", X), "--scores"))
    (header, *rows) = csv.reader(lines)
    assert header == ["label", "score_0", "score_größer, als 0", "score_kleiner"]
    np.testing.assert_array_equal([list(map(float, row[1:])) for row in rows], fitted.decision_function(X))
    assert [row[0] for row in rows] == fitted.predict(X).tolist()


def test_scores_of_pairs_are_not_scores_of_classes(folder):
    X, y = samples(3)
    save_model(SVC(decision_function_shape="ovo").fit(X, y), folder / "m.skops")
    path = write_features(folder / "x.csv", X)
    assert "leave --scores out" in complaint(folder / "m.skops", path, "--scores")
    assert len(labels_of(call(folder / "m.skops", path))) == 40


def test_integer_labels_are_written_as_integers(folder):
    X, y = samples()
    fitted = SVC().fit(X, np.where(y == "kleiner", 1, -1))
    save_model(fitted, folder / "m.skops")
    lines = labels_of(call(folder / "m.skops", write_features(folder / "x.csv", X)))
    assert lines == [str(label) for label in fitted.predict(X)]


@pytest.mark.parametrize("zero_based", [True, False])
@pytest.mark.filterwarnings("ignore:X_privileged was not given")
def test_indices_of_svmlight_files_decide_where_a_column_belongs(folder, zero_based):
    # Of a single row the first and the last columns are zero, so that its file does not say what its first index is.
    X = np.zeros((20, 6))
    X[np.arange(20), np.arange(20) % 6] = 1 + np.arange(20)
    y = (X[:, 2] + X[:, 5] > 0).astype(int)
    fitted = MarginTransferSVC(kernel="rbf").fit(csr_matrix(X), y)
    first = 0 if zero_based else 1
    save_model(fitted, folder / "m.skops", feature_names=[str(k) for k in range(first, first + 6)])
    for k in (1, 2, 3):
        row = np.zeros((1, 6))
        row[0, k] = 5.0
        (folder / "x.svmlight").write_text(f"0 {k + first}:5\n")
        lines = labels_of(call(folder / "m.skops", folder / "x.svmlight", "--scores"))
        assert float(lines[1].split(",")[1]) == pytest.approx(fitted.decision_function(row)[0], rel=1e-12)
    (folder / "x.svmlight").write_text(f"0 {6 + first}:5\n")
    assert f"the column '{6 + first}'" in complaint(folder / "m.skops", folder / "x.svmlight")


def test_rows_are_taken_in_blocks(folder, model, monkeypatch):
    X, _ = samples()
    monkeypatch.setattr(predict, "_LARGEST_BLOCK", 20)
    for name in ("x.csv", "x.svmlight"):
        path = write_features(folder / name, X)
        assert labels_of(call(folder / "Modell 1.skops", path)) == model.predict(X).tolist()


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (NAMES[:2], "lacks the column '色, bright' of the 3 columns"),
        (["a", "b", "c"], "lacks the columns 'width (cm)', 'Höhe', '色, bright' of"),
        (
            [*NAMES[:2], *"abcdefg"],
            "and has the columns 'a', 'b', 'c', 'd', 'e' and 2 more, on which it was not",
        ),
    ],
)
def test_columns_with_other_names(folder, model, names, said):
    path = write_features(folder / "x.csv", np.zeros((2, len(names))), names)
    assert said in complaint(folder / "Modell 1.skops", path)


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
@pytest.mark.parametrize(
    ("others", "said"),
    [
        (["remark, free"], "Note: the column 'remark, free' of "),
        (["id", *"abcdef"], "Note: the columns 'id', 'a', 'b', 'c', 'd' and 2 more of "),
    ],
)
def test_other_columns_of_any_content_are_left_out_and_named(folder, model, suffix, others, said):
    X, _ = samples()
    frame = pd.DataFrame(X, columns=NAMES)
    for k, name in enumerate(others):
        frame.insert(
            k if k < 2 else len(frame.columns), name, [f"text; {row}, {name}" for row in range(len(X))]
        )
    path = folder / f"x{suffix}"
    frame.to_csv(path, index=False) if suffix == ".csv" else frame.to_parquet(path)
    result = call(folder / "Modell 1.skops", path)
    assert labels_of(result) == model.predict(X).tolist()
    assert result.stderr.startswith(f"{said}{path}, on which the model was not trained,")
    assert result.stderr.count("\n") == 1


def test_the_index_that_pandas_writes_is_left_out(folder, model):
    X, _ = samples()
    pd.DataFrame(X, columns=NAMES).to_csv(folder / "x.csv")
    result = call(folder / "Modell 1.skops", folder / "x.csv")
    assert labels_of(result) == model.predict(X).tolist()
    assert result.stderr.startswith("Note: the column '' of ")


def test_names_in_another_unicode_form_or_with_other_white_space_are_the_same(folder, model):
    X, _ = samples()
    names = [" width  (cm)", unicodedata.normalize("NFD", NAMES[1]), "色,\u00a0bright "]
    for name in ("x.csv", "x.parquet"):
        path = write_features(folder / name, X[:, ::-1], names[::-1])
        result = call(folder / "Modell 1.skops", path)
        assert labels_of(result) == model.predict(X).tolist()
        assert result.stderr == ""


@pytest.mark.parametrize(("name", "n_columns"), [("x.npy", 2), ("x.npy", 4), ("x.npz", 2), ("x.svmlight", 2)])
def test_another_number_of_columns(folder, model, name, n_columns):
    path = write_features(folder / name, np.ones((2, n_columns)), None)
    message = complaint(folder / "Modell 1.skops", path)
    assert f"has {n_columns} columns, but the model was trained on 3" in message


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("x.csv", b"", "is empty"),
        ("x.csv", 'width (cm),Höhe,"色, bright"\n'.encode(), "column names only"),
        ("x.csv", b"1,2,3\n1,red,3\n", "'red' in line 2, column 2"),
        ("x.csv", b"1,2,3\n1,2\n", "2 cells in line 2, but 3 in line 1"),
        ("x.csv", b"1,2,3\n1,,3\n", "no value in line 2, column 2"),
        ("x.csv", "größe\n1\n".encode("utf-16"), "UTF-8"),
        ("x.xls", b"1,2,3\n", "unknown suffix '.xls'"),
        ("x.npy", b"1,2,3\n", "cannot be read as a plain array"),
        ("x.parquet", b"1,2,3\n", "cannot be read as a Parquet file"),
    ],
)
def test_bad_features(folder, model, name, content, said):
    (folder / name).write_bytes(content)
    assert said in complaint(folder / "Modell 1.skops", folder / name)


def test_missing_files(folder, model):
    path = write_features(folder / "x.csv", np.zeros((2, 3)))
    assert "does not exist" in complaint(folder / "Modell 1.skops", folder / "y.csv")
    assert "does not exist" in complaint(folder / "m.skops", path)
    assert "is a folder" in complaint(folder, path)


def test_bad_models(folder, model):
    path = write_features(folder / "x.csv", np.zeros((2, 3)))
    good = (folder / "Modell 1.skops").read_bytes()
    bad = folder / "bad.skops"
    for content, said in [
        (b"", "is empty"),
        (b"no model", "is not a model that widemargin saved"),
        (good[: len(good) // 2], "is damaged"),
        (good.replace(b"schema.json", b"schemo.json"), "is damaged"),
    ]:
        bad.write_bytes(content)
        assert said in complaint(bad, path)
    with zipfile.ZipFile(bad, "w") as archive:
        archive.writestr("widemargin.json", json.dumps({"format": 1, "feature_names": None}))
        node = {"__loader__": "FunctionNode", "__module__": "os", "__class__": "system"}
        archive.writestr("schema.json", json.dumps(node))
    assert "asks for os.system" in complaint(bad, path)


def test_values_that_the_model_cannot_take(folder):
    X, y = samples()
    fitted = MarginTransferSVC(kernel="chi2").fit(abs(X), y, X_privileged=X)
    save_model(fitted, folder / "m.skops")
    path = write_features(folder / "x.csv", X)
    assert "does not go with the model (X contains negative values)" in complaint(folder / "m.skops", path)


def test_places_that_cannot_be_written(folder, model):
    path = write_features(folder / "x.csv", np.zeros((2, 3)))
    assert "is a folder" in complaint(folder / "Modell 1.skops", path, "--out", folder)
    assert "cannot be written" in complaint(folder / "Modell 1.skops", path, "--out", folder / "no" / "y.txt")
    assert "is read" in complaint(folder / "Modell 1.skops", path, "--out", path)
    assert "is read" in complaint(folder / "Modell 1.skops", path, "--out", folder / "Modell 1.skops")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_not_replaced_by_a_file(folder, model):
    path = write_features(folder / "x.csv", np.zeros((2, 3)))
    os.mkfifo(folder / "pipe")
    assert "is a pipe or a device" in complaint(folder / "Modell 1.skops", path, "--out", folder / "pipe")
    assert (folder / "pipe").is_fifo()


def test_a_symbolic_link_to_a_file_for_labels_stays(folder, model):
    path = write_features(folder / "x.csv", np.zeros((2, 3)))
    (folder / "link").symlink_to("labels.txt")
    assert call(folder / "Modell 1.skops", path, "--out", folder / "link").exit_code == 0
    assert (folder / "link").is_symlink()
    assert len((folder / "labels.txt").read_text().splitlines()) == 2


def test_labels_that_cannot_be_printed(folder, model, monkeypatch, capsys):
    path = write_features(folder / "x.csv", np.zeros((2, 3)))

    def fail(text, nl=True, err=False):
        if not err:
            raise OSError(28, "No space left on device")
        print(text, file=sys.stderr)

    monkeypatch.setattr(predict.typer, "echo", fail)
    assert predict.run(folder / "Modell 1.skops", str(path), None, False) == 2
    assert "cannot be printed (No space left on device): give a file with --out" in capsys.readouterr().err


def test_a_model_of_another_scikit_learn_is_used_with_a_warning(folder, model):
    X, _ = samples()
    path = folder / "Modell 1.skops"
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    schema = json.loads(parts["schema.json"])
    # Skops writes the same text once for all estimators that hold it.
    version = schema["content"]["content"]["_sklearn_version"]["content"]
    text = json.dumps(schema).replace(json.dumps(version), json.dumps('"1.5.0"'))
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, text if name == "schema.json" else content)
    result = call(path, write_features(folder / "x.csv", X))
    assert labels_of(result) == model.predict(X).tolist()
    assert result.stderr.startswith(f"Warning: {path} was saved with scikit-learn 1.5.0, this is ")
    assert result.stderr.count("\n") == 1
