"""The command line: end to end on an experiment that takes no time, and what it says to wrong values."""

import errno
import io
import os
import pathlib
import signal
import subprocess
import sys

import pytest
from typer.testing import CliRunner

import widemargin
from experiments.toy_experiment import toy_experiment
from widemargin.cli import reproduce, running
from widemargin.cli.main import app, main
from widemargin.datasets import MissingDatasetError
from widemargin.experiments import EXPERIMENTS, PARTS, run_experiment
from widemargin.experiments.exclusive import exclusive_use

runner = CliRunner()


@pytest.fixture
def experiments(monkeypatch):
    """Replace the experiments of the command line, and its parts, of which there are none unless given."""

    def use(*replacements, parts=None):
        monkeypatch.setattr(reproduce, "EXPERIMENTS", replacements)
        monkeypatch.setattr(reproduce, "PARTS", parts or {})

    use(toy_experiment(), toy_experiment(name="toy-benchmark", needs_data=True))
    return use


def call(*arguments):
    return runner.invoke(app, [str(argument) for argument in arguments])


def test_a_run_prints_tables_and_writes_the_report(tmp_path, experiments):
    result = call("reproduce", "--out", tmp_path / "new/results", "--jobs", 1)
    assert result.exit_code == 0, result.output
    assert "Toy accuracies" in result.stdout
    assert "toy: complete. Rests on 3 of 3 repeats of every task." in result.stdout
    assert "Of 1 claim of the paper 1 holds here, 0 do not, and 0 are not clear." in result.stdout
    assert "toy-benchmark" not in result.stdout
    assert (tmp_path / "new/results/index.html").is_file()


@pytest.mark.parametrize(
    ("option", "n_repeats"), [("--quick", 1), ("--full", 8), ("--repeats=2", 2), ("--quick --repeats=2", 2)]
)
def test_the_size_of_a_run(tmp_path, experiments, option, n_repeats):
    result = call("reproduce", "toy", "--out", tmp_path, "--jobs", 1, *option.split())
    assert result.exit_code == 0, result.output
    assert len((tmp_path / "toy/accuracies.csv").read_text().splitlines()) == 1 + 2 * n_repeats


def test_an_interrupted_run_leaves_a_report_and_the_same_command_continues_it(tmp_path, experiments):
    stopping = toy_experiment(name="first", stop_at=("dog", 1), stop_with=KeyboardInterrupt())
    experiments(stopping, toy_experiment(name="second"))
    result = call("reproduce", "--out", tmp_path, "--jobs", 1)
    assert result.exit_code == 130
    assert "first: partial. Rests on 3 of 6 units" in result.stdout
    assert "Rests on 3 of 6 units" in (tmp_path / "index.html").read_text()
    assert not (tmp_path / "second").exists()

    experiments(toy_experiment(name="first"), toy_experiment(name="second"))
    result = call("reproduce", "--out", tmp_path, "--jobs", 1)
    assert result.exit_code == 0
    assert "first continues: 3 of 6 units were finished before." in result.stdout


def test_a_run_without_anything_left_to_compute_says_so(tmp_path, experiments):
    arguments = ("reproduce", "toy", "--out", tmp_path, "--jobs", 1, "--quick")
    call(*arguments)
    result = call(*arguments)
    assert result.exit_code == 0, result.output
    assert "toy: all 2 units were finished before; nothing is left to compute." in result.stdout


def test_a_folder_that_another_run_writes_into_is_refused_and_the_other_experiments_run(
    tmp_path, experiments
):
    experiments(toy_experiment(name="first"), toy_experiment(name="second"))
    with exclusive_use(tmp_path / "first"):
        result = call("reproduce", "--out", tmp_path, "--jobs", 1, "--quick")
    assert result.exit_code == 2
    assert "first: cannot run. Another run writes into" in result.stdout
    assert "second: complete" in result.stdout
    assert not (tmp_path / "first").exists()


@pytest.mark.parametrize(("number", "exit_code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_leaves_a_partial_report_and_its_exit_code(tmp_path, experiments, number, exit_code):
    before = signal.getsignal(signal.SIGTERM)
    experiments(toy_experiment(stop_at=("dog", 0), stop_with=number))
    result = call("reproduce", "--out", tmp_path, "--jobs", 1)
    assert result.exit_code == exit_code
    assert "toy: partial. Rests on 1 of 6 units" in result.stdout
    assert "Rests on 1 of 6 units" in (tmp_path / "index.html").read_text()
    assert signal.getsignal(signal.SIGTERM) is before


def test_an_interrupt_during_the_report_says_that_the_page_may_be_old(tmp_path, experiments, monkeypatch):
    def interrupted(out, order, *, command, title):
        raise KeyboardInterrupt

    monkeypatch.setattr(running, "write_report", interrupted)
    result = call("reproduce", "--out", tmp_path, "--jobs", 1)
    assert result.exit_code == 130
    assert "may be missing, or older than the results" in " ".join(result.stdout.split())
    assert (tmp_path / "toy/accuracies.csv").is_file()


def test_the_verdicts_come_last_just_above_the_report(tmp_path, experiments):
    experiments(toy_experiment(name="first"), toy_experiment(name="second", tasks=("eel", "fox")))
    result = call("reproduce", "--out", tmp_path, "--jobs", 1)
    lines = [line for line in result.stdout.splitlines() if line.strip()]
    assert lines[-5:-1] == [
        "Toy of cat, dog",
        "Better is better, on cat, dog.",
        "Toy of eel, fox",
        "Better is better, on eel, fox.",
    ]
    assert lines[-1].startswith("Report: ")


def test_the_only_experiment_is_named_once(tmp_path, experiments):
    experiments(toy_experiment())
    result = call("reproduce", "toi", "--out", tmp_path)
    assert result.exit_code == 2
    assert result.stderr == "Error: NAME is 'toi', which is no experiment: the only one is 'toy'.\n"


def test_a_failing_experiment_does_not_lose_the_others(tmp_path, experiments):
    failing = toy_experiment(name="first", stop_at=("cat", 0), stop_with=OSError("no luck"))
    experiments(failing, toy_experiment(name="second"))
    result = call("reproduce", "--out", tmp_path, "--jobs", 1)
    assert result.exit_code == 1
    assert "first: failed." in result.stdout
    assert "OSError: no luck" in result.stdout
    assert "second: complete." in result.stdout
    assert "Traceback" not in result.output


def test_data_that_cannot_be_used_are_named_and_the_others_run(tmp_path):
    results = tmp_path / "results/mnist-plus"
    results.mkdir(parents=True)
    (results / "mine.txt").touch()
    result = call("reproduce", "mnist-plus", "awa10", "--data", tmp_path, "--out", tmp_path / "results")
    assert result.exit_code == 2
    lines = "".join(result.stdout.splitlines())
    assert "mnist-plus: cannot run." in lines
    assert "awa10: cannot run." in lines
    assert lines.count("is missing: pass the folder in which the data sets lie") == 2
    assert "Traceback" not in result.output
    assert (results / "mine.txt").exists()
    assert "Report:" not in lines
    assert not (tmp_path / "results/index.html").exists()


@pytest.mark.parametrize("content", ["<html><title>My own page</title></html>", ""])
def test_a_page_of_others_is_not_overwritten(tmp_path, experiments, content):
    page = tmp_path / "index.html"
    page.write_text(content)
    result = call("reproduce", "--out", tmp_path)
    assert result.exit_code == 2
    assert "has an index.html that is no report of widemargin: give another folder" in result.stderr
    assert result.stderr.count("\n") == 1
    assert page.read_text() == content
    assert [path.name for path in tmp_path.iterdir()] == ["index.html"]


def test_data_that_are_missing_skip_an_experiment_that_was_not_named(tmp_path, experiments, monkeypatch):
    def missing(experiment, settings, *arguments, **options):
        if experiment.needs_data:
            raise MissingDatasetError("animals.npz is missing.")
        return run_experiment(experiment, settings, *arguments, **options)

    monkeypatch.setattr(running, "run_experiment", missing)
    result = call("reproduce", "--data", tmp_path, "--out", tmp_path / "results", "--jobs", 1)
    assert result.exit_code == 0, result.output
    assert "toy-benchmark: skipped. animals.npz is missing." in result.stdout
    assert "toy: complete." in result.stdout
    result = call("reproduce", "toy-benchmark", "--data", tmp_path, "--out", tmp_path / "results")
    assert result.exit_code == 2
    assert "toy-benchmark: cannot run. animals.npz is missing." in result.stdout


def test_the_name_of_a_part_runs_its_experiments_and_skips_those_without_data(
    tmp_path, experiments, monkeypatch
):
    inside, needing, outside = (
        toy_experiment(name="inside"),
        toy_experiment(name="needing", needs_data=True),
        toy_experiment(name="outside"),
    )
    experiments(inside, needing, outside, parts={"toys": (inside, needing)})
    result = call("reproduce", "toys", "inside", "--out", tmp_path, "--jobs", 1, "--quick")
    assert result.exit_code == 0, result.output
    assert result.stdout.count("inside: complete.") == 1
    assert "needing" not in result.stdout
    assert "outside" not in result.stdout

    def missing(experiment, settings, *arguments, **options):
        raise MissingDatasetError("animals.npz is missing.")

    monkeypatch.setattr(running, "run_experiment", missing)
    for names, exit_code, words in ((["toys"], 0, "skipped"), (["toys", "needing"], 2, "cannot run")):
        result = call("reproduce", *names, "--data", tmp_path, "--out", tmp_path / "results")
        assert result.exit_code == exit_code, result.output
        assert f"needing: {words}. animals.npz is missing." in result.stdout


def test_parts_are_listed_and_suggested(experiments):
    inside = toy_experiment(name="inside")
    experiments(inside, parts={"toys": (inside,)})
    assert "toys" in call("reproduce", "--list").stdout
    assert "the nearest is 'toys'; known are inside, toys." in call("reproduce", "toy").stderr


def test_every_experiment_belongs_to_a_part():
    assert set(PARTS) == {"privileged", "ranking", "nearly-isotonic", "events"}
    names = [experiment.name for part in PARTS.values() for experiment in part]
    assert sorted(names) == sorted({experiment.name for experiment in EXPERIMENTS})


def test_names_with_brackets_are_printed_as_they_are(tmp_path, experiments):
    experiments(toy_experiment(tasks=("[bold]cat[/]", "[red]")))
    result = call("reproduce", "--out", tmp_path, "--jobs", 1)
    assert result.exit_code == 0, result.output
    assert "[bold]cat[/]" in result.stdout


def test_list_names_every_experiment_and_runs_none(tmp_path, monkeypatch, experiments):
    monkeypatch.chdir(tmp_path)
    result = call("reproduce", "--list")
    assert result.exit_code == 0
    assert "toy-benchmark" in result.stdout
    assert "needs --data" in result.stdout
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["toi"],
            "NAME is 'toi', which is no experiment: the nearest is 'toy'; known are toy, toy-benchmark.",
        ),
        (["toy-benchmark"], "NAME is 'toy-benchmark', which needs benchmark data: add --data"),
        (["--quick", "--full"], "--quick and --full exclude each other"),
        (["--repeats", "0"], "--repeats is 0, but must be at least 1"),
        (["--jobs", "0"], "--jobs is 0, but must be at least 1, or -1 for all cores"),
        (["--jobs", "-2"], "--jobs is -2, but must be at least 1, or -1 for all cores"),
        (["--seed", "-1"], "--seed is -1, but must be at least 0"),
        (["--data", "nowhere"], "--data is 'nowhere', which is not a folder"),
        (["--out", "file"], "--out is 'file', which is a file"),
        (["--out", "file/below"], "--out is 'file/below', which cannot be written"),
    ],
)
def test_a_wrong_value_is_named_in_one_sentence(tmp_path, monkeypatch, experiments, arguments, sentence):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    result = call("reproduce", *arguments)
    assert result.exit_code == 2
    assert result.stderr.startswith("Error: ")
    assert sentence in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


@pytest.mark.parametrize("arguments", [["--repeats", "many"], ["--colour"], ["--jobs", "1.5"]])
def test_what_is_no_number_or_no_option_ends_with_2_and_no_traceback(arguments):
    result = call("reproduce", *arguments)
    assert result.exit_code == 2
    assert arguments[0] in result.stderr
    assert arguments[-1] in result.stderr
    assert "Traceback" not in result.output


@pytest.mark.skipif(
    os.name == "nt" or (hasattr(os, "geteuid") and os.geteuid() == 0), reason="root may write"
)
def test_a_folder_that_cannot_be_written_is_named(tmp_path):
    tmp_path.chmod(0o500)
    result = call("reproduce", "--out", tmp_path)
    assert result.exit_code == 2
    assert "cannot be written" in result.stderr


class FullDisk(io.StringIO):
    """A stdout of which nothing can be written, on a file that exists."""

    def __init__(self, path, number):
        super().__init__()
        self.file, self.number = path.open("wb"), number

    def flush(self):
        raise OSError(self.number, os.strerror(self.number))

    def fileno(self):
        return self.file.fileno()


def leave(monkeypatch, *arguments):
    """Return the exit code of the command itself, which is more than the app that the others call."""
    monkeypatch.setattr(sys, "argv", ["widemargin", *(str(argument) for argument in arguments)])
    with pytest.raises(SystemExit) as raised:
        main()
    return raised.value.code


@pytest.mark.parametrize(
    ("number", "exit_code", "said"),
    [
        (errno.ENOSPC, 2, "Error: Reading or writing failed (No space left on device): check"),
        (errno.EPIPE, 1, ""),
    ],
)
def test_output_that_cannot_be_printed(tmp_path, monkeypatch, capsys, number, exit_code, said):
    stdout = FullDisk(tmp_path / "stdout", number)
    monkeypatch.setattr(sys, "stdout", stdout)
    with stdout.file:
        assert leave(monkeypatch, "--version") == exit_code
    assert said in capsys.readouterr().err
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.parametrize("method", ["is_dir", "exists", "mkdir"])
def test_a_folder_without_permission_to_search_ends_in_a_sentence(
    tmp_path, monkeypatch, experiments, capsys, method
):
    def refuse(path, *arguments, **keywords):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(path))

    with monkeypatch.context() as patch:
        patch.setattr(pathlib.Path, method, refuse)
        exit_code = leave(patch, "reproduce", "toy", "--data", tmp_path, "--out", tmp_path / "out")
    assert exit_code == 2
    said = capsys.readouterr().err
    assert said.startswith("Error: ")
    assert "(Permission denied)" in said
    assert said.count("\n") == 1


def test_a_file_where_a_folder_of_results_should_be(tmp_path, monkeypatch, experiments, capsys):
    (tmp_path / "toy").write_text("mine")
    assert leave(monkeypatch, "reproduce", "toy", "--out", tmp_path, "--jobs", 1) == 2
    assert "cannot be read or written" in capsys.readouterr().err
    assert (tmp_path / "toy").read_text() == "mine"
    assert [path.name for path in tmp_path.glob("[!.]*")] == ["toy"]


@pytest.mark.parametrize("name", ["accuracies.csv", "run.json", "line.svg"])
def test_a_disk_that_gets_full_ends_a_run_in_a_sentence(tmp_path, monkeypatch, experiments, capsys, name):
    replace = os.replace

    def fail(source, target):
        if target.name == name:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        replace(source, target)

    monkeypatch.setattr(os, "replace", fail)
    assert leave(monkeypatch, "reproduce", "toy", "--out", tmp_path, "--jobs", 1, "--quick") == 2
    assert f"{name}' cannot be read or written (No space left on device)" in capsys.readouterr().err
    assert not list(tmp_path.rglob("*.tmp"))


def test_the_module_and_the_command_print_the_version():
    result = subprocess.run(
        [sys.executable, "-m", "widemargin", "--version"], capture_output=True, text=True, check=True
    )
    assert result.stdout == f"widemargin {widemargin.__version__}\n"
