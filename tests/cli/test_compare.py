"""``widemargin compare``: end to end on small files, and one sentence with exit code 2 for everything that is wrong."""

import csv
import os
import signal
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console
from scipy.sparse import csr_matrix
from sklearn.datasets import dump_svmlight_file
from typer.testing import CliRunner

from widemargin.cli import compare
from widemargin.cli.main import app
from widemargin.datasets import make_privileged_classification
from widemargin.experiments import own_data
from widemargin.experiments.exclusive import exclusive_use

QUICK = ("--folds", 2, "--repeats", 1, "--jobs", 1)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with files of 24 samples, in which the command runs; the grid has two values to be quick."""
    path = tmp_path / "meine Daten, ü"
    path.mkdir()
    monkeypatch.chdir(path)
    monkeypatch.setattr(compare, "OwnDataOptions", quick_options)
    X, y, X_privileged = make_privileged_classification(24, 3, privileged="clean", random_state=0)
    write_csv("Bilder.csv", ["pixel 1", "größe", "色, hell"], X)
    write_csv("attributes.csv", ["a", "b", "c"], X_privileged)
    write_csv("labels.csv", ["label"], np.array([["Katze, klein"], ["Hund"]])[y])
    return path


def quick_options(**options):
    return own_data.OwnDataOptions(grid=(0.1, 10.0), **options)


def write_csv(name, header, rows):
    with open(name, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])


def write_text(name, text):
    Path(name).write_text(text, encoding="utf-8")
    return name


def call(*arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def call_compare(*options, features="Bilder.csv", privileged="attributes.csv", labels="labels.csv"):
    return call("compare", features, "--privileged", privileged, "--labels", labels, *QUICK, *options)


def words(result):
    return " ".join(result.stdout.split())


def complaint(result):
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith("Error: ")
    return line


def test_the_verdict_comes_last_and_the_report_is_written(folder):
    result = call_compare()
    assert result.exit_code == 0, result.output
    lines = [line for line in result.stdout.splitlines() if line.strip()]
    assert lines[-1] == "Report: comparison/index.html"
    verdict = words(result).partition("Comparison on your own data ")[2]
    assert verdict.startswith("Too few folds for a verdict: against a plain SVM, Margin Transfer")
    assert "too few folds for an interval" in verdict
    page = (folder / "comparison/index.html").read_text(encoding="utf-8")
    assert "Does attributes.csv, known in training only, make a better classifier of Bilder.csv?" in page
    assert '<p class="brand">widemargin compare</p>' in page
    assert "Reproduced" not in page
    for name in ("features (X)", "privileged features (X*)", "folds", "kernel", "scale", "scoring"):
        assert name in page
    assert "labels.csv" in page
    assert len((folder / "comparison/own-data/folds.csv").read_text().splitlines()) == 3


def test_the_model_of_a_comparison_predicts(folder):
    result = call_compare("--model", "bestes Modell.skops")
    assert result.exit_code == 0, result.output
    assert "Training the plain SVM on all 24 samples." in words(result)
    assert (
        "Model: bestes Modell.skops, which is the plain SVM, because no other method is clearly better."
        in words(result)
    )
    labels = call("predict", "bestes Modell.skops", "Bilder.csv")
    assert labels.exit_code == 0, labels.output
    lines = labels.stdout.splitlines()
    assert len(lines) == 24
    assert set(lines) <= {"Katze, klein", "Hund"}


def test_a_method_that_helps_is_the_model(folder, monkeypatch):
    monkeypatch.setattr(compare, "choose_method", lambda rows: compare.METHODS[1])
    result = call_compare("--model", "best.skops")
    assert result.exit_code == 0, result.output
    assert "Model: best.skops, which is Margin Transfer." in words(result)


def test_a_comparison_that_failed_writes_no_model(folder, monkeypatch):
    def failing(*arguments):
        raise RuntimeError("no solution")

    monkeypatch.setattr(own_data, "compare_on_fold", failing)
    result = call_compare("--model", "best.skops")
    assert result.exit_code == 1
    assert "No model was written, because the comparison failed." in words(result)
    assert not (folder / "best.skops").exists()


def test_a_second_comparison_into_a_folder_in_use_is_refused_and_writes_no_model(folder):
    with exclusive_use(folder / "comparison/own-data"):
        result = call_compare("--model", "best.skops")
    assert result.exit_code == 2
    assert "Another run writes into" in words(result)
    assert "give another --out, or wait until it ends" in words(result)
    assert "No model was written, because the comparison did not begin" in words(result)
    assert not (folder / "best.skops").exists()
    assert list((folder / "comparison").glob("[!.]*")) == []


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_not_replaced_by_a_model(folder):
    os.mkfifo("pipe")
    assert "which is a pipe or a device" in complaint(call_compare("--model", "pipe"))
    assert Path("pipe").is_fifo()


def test_groups(folder):
    (folder / "patients.csv").write_text("patient\n" + "\n".join(f"P{row // 2}" for row in range(24)))
    result = call_compare("--groups", "patients.csv", "--model", "best.skops")
    assert result.exit_code == 0, result.output
    page = (folder / "comparison/index.html").read_text(encoding="utf-8")
    assert "patients.csv" in page
    assert "12 groups of samples" in page
    assert "one.csv has 1 label" in complaint(call_compare("--groups", write_text("one.csv", "P1\n")))


def test_rows_without_privileged_features(folder):
    lines = (folder / "attributes.csv").read_text(encoding="utf-8").splitlines()
    lines[2] = lines[9] = ",,"
    (folder / "attributes.csv").write_text("\n".join(lines), encoding="utf-8")
    result = call_compare("--model", "best.skops")
    assert result.exit_code == 0, result.output
    assert "22 of 24 samples have privileged features" in words(result)
    lines[4] = "1,,2"
    (folder / "attributes.csv").write_text("\n".join(lines), encoding="utf-8")
    complaint(call_compare())


def test_a_narrow_terminal_shows_the_whole_verdict(folder, monkeypatch):
    monkeypatch.setattr(compare, "make_console", lambda: Console(highlight=False, width=80))
    result = call_compare()
    assert result.exit_code == 0, result.output
    assert "…" not in result.stdout
    assert max(len(line) for line in result.stdout.splitlines() if line[:1] in "│┃") <= 80
    assert "too few folds" in result.stdout


def test_a_finished_run_has_no_bar(folder, monkeypatch):
    call_compare()
    monkeypatch.setattr(
        compare, "make_console", lambda: Console(highlight=False, width=120, force_terminal=True)
    )
    result = call_compare()
    assert "own-data: all 2 folds were finished before; nothing is left to compute." in words(result)
    assert "computing the first" not in result.stdout
    assert "-:--:--" not in result.stdout


def test_a_finished_comparison_is_continued_with_more_repeats(folder):
    call_compare()
    result = call_compare("--repeats", 2)
    assert result.exit_code == 0, result.output
    assert "own-data continues: 2 of 4 folds were finished before." in words(result)


def test_changed_data_start_anew_and_keep_the_earlier_results(folder):
    call_compare()
    before = (folder / "comparison/own-data/folds.csv").read_bytes()
    rows = (folder / "attributes.csv").read_text(encoding="utf-8").splitlines()
    (folder / "attributes.csv").write_text("\n".join([*rows[:-1], "9,9,9"]), encoding="utf-8")
    result = call_compare()
    assert result.exit_code == 0, result.output
    assert "cannot be continued and starts anew. This run differs from the earlier one in 'X*'" in words(
        result
    )
    assert (folder / "comparison/own-data.previous/folds.csv").read_bytes() == before


def test_an_interrupted_comparison_is_continued(folder, monkeypatch):
    genuine = own_data.compare_on_fold
    calls = []

    def interrupted(*arguments):
        calls.append(arguments)
        if len(calls) == 2:
            signal.raise_signal(signal.SIGINT)
        return genuine(*arguments)

    monkeypatch.setattr(own_data, "compare_on_fold", interrupted)
    result = call_compare("--model", "best.skops")
    assert result.exit_code == 130, result.output
    assert "own-data: partial. Rests on 1 of 2 folds" in words(result)
    assert "No model was written, because the comparison is not finished; the same command goes on." in words(
        result
    )
    assert not (folder / "best.skops").exists()
    result = call_compare("--model", "best.skops")
    assert result.exit_code == 0, result.output
    assert "own-data continues: 1 of 2 folds were finished before." in words(result)
    assert (folder / "best.skops").exists()


def test_an_interrupt_while_the_model_is_trained_keeps_the_comparison(folder, monkeypatch):
    def interrupted(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr(compare, "train_model", interrupted)
    result = call_compare("--model", "best.skops")
    assert result.exit_code == 130
    assert "Interrupted while the model was trained. The comparison is finished" in words(result)
    assert "Report: comparison/index.html" in words(result)


@pytest.mark.parametrize("kind", ["npy", "npz", "svmlight"])
def test_other_formats(folder, kind):
    X, y, X_privileged = make_privileged_classification(24, 3, privileged="clean", random_state=0)
    if kind == "npz":
        np.savez("all.npz", X=X, extra=X_privileged, y=y)
        names = {"features": "all.npz:X", "privileged": "all.npz:extra", "labels": "all.npz:y"}
    elif kind == "npy":
        for name, values in {"X": X, "extra": X_privileged, "y": y}.items():
            np.save(f"{name}.npy", values)
        names = {"features": "X.npy", "privileged": "extra.npy", "labels": "y.npy"}
    else:
        dump_svmlight_file(csr_matrix(X), y, "X.svmlight")
        dump_svmlight_file(csr_matrix(X_privileged), y, "extra.svmlight")
        names = {"features": "X.svmlight", "privileged": "extra.svmlight", "labels": "X.svmlight"}
    result = call_compare("--model", "best.skops", **names)
    assert result.exit_code == 0, result.output
    assert call("predict", "best.skops", names["features"]).exit_code == 0


@pytest.mark.parametrize("option", ["features", "privileged"])
def test_labels_inside_of_a_file_show_that_its_rows_are_in_another_order(folder, option):
    X, y, _ = make_privileged_classification(24, 3, privileged="clean", random_state=0)
    dump_svmlight_file(X, y[::-1], "x.svmlight")
    assert "Error: x.svmlight has the label" in complaint(call_compare(**{option: "x.svmlight"}))


def test_more_columns_than_rows_and_other_options(folder):
    np.save("wide.npy", np.random.default_rng(0).normal(size=(24, 100)))
    result = call_compare(
        *("--kernel", "rbf", "--scale", "l2", "--scoring", "balanced_accuracy", "--seed", 3),
        features="wide.npy",
    )
    assert result.exit_code == 0, result.output
    assert "Mean balanced accuracy of the methods" in result.stdout


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--folds", 1), "--folds is 1, but must be at least 2: give for instance --folds 5."),
        (("--repeats", 0), "--repeats is 0, but must be at least 1"),
        (("--jobs", 0), "--jobs is 0, but must be at least 1"),
        (("--seed", -1), "--seed is -1, but must be at least 0"),
        (("--kernel", "poly"), "--kernel is 'poly', but must be one of linear, rbf."),
        (("--scale", "minmax"), "--scale is 'minmax', but must be one of standard, l1, l2, max, none."),
        (("--scoring", "auc"), "--scoring is 'auc', but must be one of accuracy, balanced_accuracy."),
        (("--out", "labels.csv"), "--out is 'labels.csv', which is a file"),
        (("--model", "."), "--model is '.', which is a folder"),
        (("--model", "no/such/folder/m.skops"), "which cannot be written (No such file or directory)"),
        (("--model", "labels.csv"), "--model is 'labels.csv', which is read: give another name."),
        (("--folds", 20), "20 folds need at least 20 of every class: choose"),
    ],
)
def test_wrong_options(folder, options, message):
    assert message in complaint(call_compare(*options))
    assert not (folder / "comparison").exists()


def test_a_model_needs_skops_before_anything_is_computed(folder, monkeypatch):
    monkeypatch.setattr(compare, "find_spec", lambda name: None)
    assert "--model needs skops" in complaint(call_compare("--model", "best.skops"))
    assert not (folder / "comparison").exists()


@pytest.mark.parametrize(
    ("which", "content", "message"),
    [
        ("features", "", "is empty"),
        ("features", "a,b\n1,x\n", "'x'"),
        ("features", "a,b\n1,2\n3\n", "1 cells in line 3, but 2 in line 1"),
        (
            "privileged",
            "a\n1\n2\n",
            "Bilder.csv has 24 rows, strange.csv has 2: give one row for each sample",
        ),
        ("privileged", "a\n" + "nan\n" * 24, "has values in none of its 24 rows"),
        ("labels", "x\n" * 23, "strange.csv has 23 labels, but there are 24 rows"),
        ("labels", "x\n" * 24, "strange.csv has one class, x: a classifier needs samples of at least two."),
        ("labels", "x\n" * 23 + "y\n", "strange.csv has 1 sample of the class y"),
        ("labels", "\n".join(map(str, range(24))), "strange.csv has 1 sample of the class 0"),
    ],
)
def test_unusable_files(folder, which, content, message):
    (folder / "strange.csv").write_text(content, encoding="utf-8")
    assert message in complaint(call_compare(**{which: "strange.csv"}))
    assert not (folder / "comparison").exists()


@pytest.mark.parametrize("which", ["features", "privileged", "labels"])
def test_missing_files_and_unknown_suffixes(folder, which):
    assert "nowhere.csv" in complaint(call_compare(**{which: "nowhere.csv"}))
    (folder / "table.xlsx").write_text("1")
    assert "unknown suffix '.xlsx'" in complaint(call_compare(**{which: "table.xlsx"}))
