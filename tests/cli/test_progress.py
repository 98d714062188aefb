"""Progress in a file: a line after every tenth of the work, with the time left."""

import io

from rich.console import Console

from experiments.toy_experiment import toy_experiment
from widemargin.cli.progress import ProgressObserver
from widemargin.experiments import Unit


def lines_of(n_done, n_total, seconds_per_unit):
    """What a run prints into a file when each unit takes the same time."""
    now = 0.0
    file = io.StringIO()
    with ProgressObserver(Console(file=file, width=120), clock=lambda: now) as observer:
        observer.started(toy_experiment(), n_done, n_total)
        for repeat in range(n_done, n_total):
            now += seconds_per_unit
            observer.finished_unit(Unit("accuracies", "cat", repeat))
    return file.getvalue().splitlines()


def test_a_line_after_every_tenth_with_the_time_left():
    first, *lines = lines_of(0, 276, 2.0)
    assert first == "toy: 276 units to compute."
    assert len(lines) == 10
    # 28 units are the first to exceed a tenth of 276; the 248 left take 2 s each.
    assert lines[0] == "toy: 10 % (28 of 276 units) after 56 s, about 8 min 16 s left"
    assert lines[-1] == "toy: 100 % (276 of 276 units) after 9 min 12 s"


def test_the_time_left_of_a_continued_run_counts_only_its_own_units():
    _, *lines = lines_of(90, 100, 3.0)
    assert lines == ["toy: 100 % (100 of 100 units) after 30 s"]
    assert lines_of(80, 100, 3.0)[1] == "toy: 90 % (90 of 100 units) after 30 s, about 30 s left"


def test_few_units_print_a_line_each():
    assert len(lines_of(0, 3, 1.0)) == 1 + 3
