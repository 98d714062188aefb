"""Two runs never write into one folder at the same time, and a killed run blocks nobody."""

import subprocess
import sys

import pytest

from experiments.toy_experiment import Recorder, toy_experiment
from widemargin.experiments import Settings, run_experiment
from widemargin.experiments.exclusive import FolderInUseError, exclusive_use

HOLD = """
import sys
from pathlib import Path
from widemargin.experiments.exclusive import exclusive_use

with exclusive_use(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def hold_in_another_process(folder):
    process = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "held\n"
    return process


def test_a_folder_is_free_again_after_its_use(tmp_path):
    for _ in range(2):
        with exclusive_use(tmp_path / "new/toy"):
            pass
    assert not (tmp_path / "new/toy").exists()


def test_another_folder_can_be_used_at_the_same_time(tmp_path):
    with exclusive_use(tmp_path / "one"), exclusive_use(tmp_path / "two"):
        pass


def test_a_second_use_is_refused_and_leaves_the_first_its_lock(tmp_path):
    with exclusive_use(tmp_path / "toy"):
        for _ in range(2):
            with (
                pytest.raises(FolderInUseError, match="toy': give another --out, or wait until it ends"),
                exclusive_use(tmp_path / "toy"),
            ):
                pass


def test_another_process_is_respected_until_it_is_killed(tmp_path):
    with hold_in_another_process(tmp_path / "toy") as process:
        with pytest.raises(FolderInUseError), exclusive_use(tmp_path / "toy"):
            pass
        process.kill()
        process.wait()
    with exclusive_use(tmp_path / "toy"):
        pass


def test_a_run_of_other_settings_does_not_move_aside_what_is_being_written(tmp_path):
    with exclusive_use(tmp_path / "toy"):
        (tmp_path / "toy").mkdir()
        (tmp_path / "toy/accuracies.csv").write_text("of the first run")
        with pytest.raises(FolderInUseError):
            run_experiment(toy_experiment(), Settings(repeats=1, seed=1), tmp_path, observer=Recorder())
    assert not (tmp_path / "toy.previous").exists()
    assert (tmp_path / "toy/accuracies.csv").read_text() == "of the first run"
