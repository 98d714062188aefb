"""A run saves every finished unit, continues where it stopped, and never mixes different settings."""

import pytest

from experiments.toy_experiment import Recorder, toy_experiment
from widemargin.experiments import Settings, read_record, run_experiment


def run(out, *, experiment=None, n_jobs=1, **settings):
    observer = Recorder()
    settings = {"repeats": 2} | settings
    experiment = experiment or toy_experiment()
    outcome = run_experiment(experiment, Settings(**settings), out, n_jobs=n_jobs, observer=observer)
    return outcome, observer


def results(out, name="toy"):
    """All rows without their durations."""
    lines = (out / name / "accuracies.csv").read_text().splitlines()
    return [line.rpartition(",")[0] for line in lines]


def test_a_run_leaves_tables_figures_and_a_record(tmp_path):
    outcome, observer = run(tmp_path)
    files = {str(path.relative_to(tmp_path)) for path in tmp_path.glob("*/**/*") if path.is_file()}
    assert files == {
        "toy/accuracies.csv",
        "toy/run.json",
        "toy/figures/line.svg",
        "toy/figures/line.png",
    }
    assert not outcome.interrupted
    assert outcome.record.status == "complete"
    assert outcome.record == read_record(tmp_path / "toy")
    assert observer.start == (0, 4)
    assert len(observer.units) == 4


def test_results_do_not_depend_on_the_number_of_processes(tmp_path):
    run(tmp_path / "one", n_jobs=1)
    run(tmp_path / "two", n_jobs=2)
    assert results(tmp_path / "one") == results(tmp_path / "two")
    assert (tmp_path / "one/toy/figures/line.svg").read_bytes() == (
        tmp_path / "two/toy/figures/line.svg"
    ).read_bytes()


def test_an_interrupted_run_reports_what_it_has_and_is_continued(tmp_path):
    stopping = toy_experiment(stop_at=("dog", 1), stop_with=KeyboardInterrupt())
    outcome, _ = run(tmp_path, experiment=stopping)
    assert outcome.interrupted
    assert outcome.record.status == "partial"
    assert (
        "Rests on 3 of 4 units (one repeat of one task each): 1 to 2 of 2 repeats of a task."
        in outcome.record.message
    )
    assert outcome.record.summary is not None

    outcome, observer = run(tmp_path)
    assert observer.start == (3, 4)
    assert [(unit.task, unit.repeat) for unit in observer.units] == [("dog", 1)]
    run(tmp_path / "at once")
    assert results(tmp_path) == results(tmp_path / "at once")
    assert outcome.record.status == "complete"


def test_a_run_interrupted_before_its_first_result_leaves_a_valid_record(tmp_path):
    outcome, _ = run(tmp_path, experiment=toy_experiment(stop_at=("cat", 0), stop_with=KeyboardInterrupt()))
    assert outcome.interrupted
    assert read_record(tmp_path / "toy").summary is None
    assert outcome.record.message.startswith("No repeat is finished. The run was interrupted")


def test_more_repeats_reuse_the_finished_ones_and_fewer_keep_them(tmp_path):
    run(tmp_path, repeats=2)
    _, observer = run(tmp_path, repeats=3)
    assert [unit.repeat for unit in observer.units] == [2, 2]
    all_rows = results(tmp_path)

    outcome, observer = run(tmp_path, repeats=1)
    assert observer.units == []
    assert "4 finished units beyond the 1 repeat asked for" in observer.notices[0]
    assert "Rests on 1 of 1 repeat of every task." in outcome.record.message
    assert results(tmp_path) == all_rows


@pytest.mark.parametrize(
    ("change", "difference"),
    [
        ({"seed": 1}, "in seed 0 -> 1."),
        (
            {"experiment": toy_experiment(tasks=("cat", "dog", "eel"))},
            "in 'tasks' of the protocol (cat, dog -> cat, dog, eel).",
        ),
        (
            {"seed": 1, "experiment": toy_experiment(tasks=("cat", "eel" * 40))},
            "in seed 0 -> 1 and 'tasks' of the protocol.",
        ),
    ],
)
def test_other_settings_start_anew_and_move_the_old_results_aside(tmp_path, change, difference):
    run(tmp_path)
    old = results(tmp_path)
    outcome, observer = run(tmp_path, **change)
    assert observer.start[0] == 0
    assert f"starts anew. This run differs from the earlier one {difference}" in observer.notices[0]
    assert "kept in toy.previous." in observer.notices[0]
    assert results(tmp_path, "toy.previous") == old
    assert len(results(tmp_path)) == 1 + outcome.record.units_total


def test_results_moved_aside_are_never_deleted(tmp_path):
    saved = {}
    for seed, name in enumerate(["toy.previous", "toy.previous-2", "toy.previous-3", "toy"]):
        run(tmp_path, seed=seed)
        saved[name] = results(tmp_path)
    assert {path.name for path in tmp_path.iterdir() if path.is_dir()} == set(saved)
    assert {name: results(tmp_path, name) for name in saved} == saved


def test_an_interrupted_run_of_one_repeat_counts_tasks(tmp_path):
    stopping = toy_experiment(stop_at=("dog", 0), stop_with=KeyboardInterrupt())
    outcome, _ = run(tmp_path, experiment=stopping, repeats=1)
    assert "Rests on 1 of 2 tasks, with one repeat each." in outcome.record.message


def test_rows_that_a_killed_run_damaged_are_computed_again(tmp_path):
    run(tmp_path)
    whole = results(tmp_path)
    path = tmp_path / "toy/accuracies.csv"
    path.write_bytes(path.read_bytes()[:-4])
    (tmp_path / "toy/.accuracies.csv.99.tmp").write_text("half a file")
    _, observer = run(tmp_path)
    assert "accuracies.csv has 1 damaged line" in observer.notices[0]
    assert [(unit.task, unit.repeat) for unit in observer.units] == [("dog", 1)]
    assert results(tmp_path) == whole
    assert not list((tmp_path / "toy").glob(".*"))


def test_a_damaged_record_starts_anew(tmp_path):
    run(tmp_path)
    (tmp_path / "toy/run.json").write_text("{")
    _, observer = run(tmp_path)
    assert observer.start == (0, 4)
    assert "Its record is damaged" in observer.notices[0]


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_an_error_in_a_unit_is_reported_with_its_place_and_loses_no_row(tmp_path, n_jobs):
    failing = toy_experiment(stop_at=("dog", 1), stop_with=ZeroDivisionError("nothing left"))
    outcome, observer = run(tmp_path, experiment=failing, n_jobs=n_jobs)
    assert not outcome.interrupted
    assert outcome.record.status == "failed"
    assert "ZeroDivisionError: nothing left It happened in toy, 'dog', repeat 2." in outcome.record.message
    assert "Traceback" in (tmp_path / "toy/error.txt").read_text()
    # On a busy machine the error may be the first thing that is heard of two processes.
    if n_jobs == 1 or observer.units:
        assert len(results(tmp_path)) == 1 + len(observer.units)
    if n_jobs == 1:
        assert observer.units

    outcome, _ = run(tmp_path)
    assert outcome.record.status == "complete"
    assert not (tmp_path / "toy/error.txt").exists()


def test_a_unit_that_returns_other_columns_than_promised_is_an_error(tmp_path):
    experiment = toy_experiment()
    wrong = type(experiment)(**(vars(experiment) | {"run": lambda unit, settings: {"accuracy": 1}}))
    outcome, _ = run(tmp_path, experiment=wrong)
    assert outcome.record.status == "failed"
    assert "for a table with the columns" in outcome.record.message
