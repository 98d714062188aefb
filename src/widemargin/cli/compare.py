"""``widemargin compare``: ask of a user's own data whether extra training information makes a better classifier."""

from __future__ import annotations

import os
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from widemargin.cli.errors import UsageError
from widemargin.cli.running import (
    Assignment,
    Ending,
    PageWords,
    check_out,
    check_run_options,
    make_console,
    print_ending,
    run_assignments,
    survive_interrupt,
)
from widemargin.cli.termination import Termination
from widemargin.datasets import FeatureTable, read_features, read_labels
from widemargin.datasets.label_files import check_own_labels
from widemargin.experiments import Experiment, Settings
from widemargin.experiments.own_data import (
    OwnData,
    OwnDataOptions,
    choose_method,
    own_data_experiment,
    train_model,
)
from widemargin.experiments.own_data_methods import KERNELS, METHODS, SCALES, SCORES
from widemargin.persistence import ModelFileError, save_model

__all__ = ["Request", "run"]

WORDS = PageWords(command="widemargin compare", title="Does the extra training information help?")


@dataclass(frozen=True, eq=False)
class Request:
    """A command line that makes sense, with the data read.

    Parameters
    ----------
    data : OwnData
        The samples.
    feature_names : tuple of str or None
        Names of the columns of X.
    options : OwnDataOptions
        What to do with them.
    experiment : Experiment
        The comparison.
    settings : Settings
        Seed and repeats.
    model : Path or None
        File for the best classifier, which can be written.
    out : Path
        The results folder, which exists and can be written.
    jobs : int
        Number of processes, or -1.
    """

    data: OwnData
    feature_names: tuple[str, ...] | None
    options: OwnDataOptions
    experiment: Experiment
    settings: Settings
    model: Path | None
    out: Path
    jobs: int

    @classmethod
    def checked(
        cls,
        features: str,
        *,
        privileged: str,
        labels: str,
        groups: str | None,
        model: Path | None,
        out: Path,
        folds: int,
        repeats: int | None,
        kernel: str,
        scale: str | None,
        scoring: str,
        seed: int,
        jobs: int,
    ) -> Request:
        """Make a request of the options: first everything that is quick to check, then the files.

        Parameters
        ----------
        features, privileged, labels : str
            The files.
        groups : str or None
            The file that says which rows belong together.
        model, out : Path
            File for the classifier, and folder for the results.
        folds : int
            Folds of the outer cross-validation.
        repeats : int or None
            How often the samples are divided into folds; None takes the default.
        kernel, scale, scoring : str
            As in `OwnDataOptions`.
        seed, jobs : int
            Seed of all random numbers, and number of processes.

        Returns
        -------
        Request
            What to run.

        Raises
        ------
        UsageError
            With the first option that is wrong.
        DatasetError
            With what is wrong with the files.
        """
        check_run_options(repeats, jobs, seed)
        if folds < 2:
            raise UsageError(f"--folds is {folds}, but must be at least 2: give for instance --folds 5.")
        _check_choice("--kernel", kernel, KERNELS)
        _check_choice("--scoring", scoring, tuple(SCORES))
        if scale is not None:
            _check_choice("--scale", scale, SCALES)
        if model is not None:
            _check_model(model, (features, privileged, labels, *([groups] if groups else [])))
        table, extra = read_features(features), read_features(privileged, missing_rows=True)
        data = _own_data(table, extra, features, privileged, labels, groups)
        options = OwnDataOptions(n_folds=folds, kernel=kernel, scale=scale, scoring=scoring)
        experiment = own_data_experiment(data, options)
        check_out(out)
        settings = Settings(seed, repeats or experiment.repeats.default, Path(features))
        return cls(data, table.names, options, experiment, settings, model, out, jobs)


def run(request: Request) -> int:
    """Compare, print the answer, write the report and, if it was asked for, the model.

    Parameters
    ----------
    request : Request
        What to run.

    Returns
    -------
    int
        Exit code: 0; 1 if the comparison failed; 2 if the model cannot be written, or another run writes into the
        folder; 130 after Ctrl-C and 143 after SIGTERM.
    """
    console = make_console()

    def work(termination: Termination) -> int:
        ending = run_assignments(
            [Assignment(request.experiment, request.settings)],
            request.out,
            jobs=request.jobs,
            order=(),
            words=WORDS,
            console=console,
            termination=termination,
        )
        exit_code = ending.exit_code
        if request.model is not None and exit_code:
            reason = _why_no_model(ending)
            console.print(f"[yellow]No model was written,[/] because the comparison {reason}.\n")
        elif request.model is not None:
            exit_code = _make_model(request, request.model, ending, console, termination)
        print_ending(console, ending, request.out)
        return exit_code

    return survive_interrupt(request.out, console, work)


def _why_no_model(ending: Ending) -> str:
    """Say how a comparison ended that did not end well; one that could not begin has no outcome."""
    if not ending.outcomes:
        return "did not begin"
    return "is not finished; the same command goes on" if ending.outcomes[0].interrupted else "failed"


def _make_model(
    request: Request, path: Path, ending: Ending, console: Console, termination: Termination
) -> int:
    """Train the method to use on all samples, and save it."""
    (outcome,) = ending.outcomes
    method = choose_method(outcome.rows)
    plain = method == METHODS[0]
    name = f"the {method.name}" if plain else method.name
    console.print(f"Training {name} on all {request.data.y.size} samples.")
    try:
        model = train_model(request.data, request.options, method.key, request.settings.seed)
        save_model(model, path, feature_names=request.feature_names)
    except KeyboardInterrupt:
        console.print(
            "[yellow]Interrupted while the model was trained.[/] The comparison is finished, and the same command "
            "trains the model."
        )
        return termination.exit_code
    except ModelFileError as error:
        console.print(f"[red]The model is not saved.[/] {escape(str(error))}\n")
        return 2
    reason = ", because no other method is clearly better" if plain else ""
    console.print(f"[green]Model: {escape(str(path))},[/] which is {name}{reason}.\n")
    return 0


def _own_data(
    table: FeatureTable,
    extra: FeatureTable,
    features: str,
    privileged: str,
    labels: str,
    groups: str | None,
) -> OwnData:
    n_rows = table.values.shape[0]
    y = read_labels(labels, n_rows)
    check_own_labels(table, y, features)
    check_own_labels(extra, y, privileged)
    names = [Path(name).name for name in (features, privileged, labels, groups or "groups")]
    return OwnData(table.values, extra.values, y, read_labels(groups, n_rows) if groups else None, *names)


def _check_choice(option: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        raise UsageError(f"{option} is {value!r}, but must be one of {', '.join(choices)}.")


def _check_model(path: Path, inputs: tuple[str, ...]) -> None:
    """See that a model can be saved there, before hours of computing."""
    if find_spec("skops") is None:
        raise UsageError("--model needs skops, which is not installed: install it with pip install skops.")
    if path.is_dir():
        raise UsageError(f"--model is {str(path)!r}, which is a folder: give the name of a file.")
    if path.exists() and not path.is_file():
        raise UsageError(f"--model is {str(path)!r}, which is a pipe or a device: give the name of a file.")
    if path.exists() and any(Path(name).exists() and path.samefile(name) for name in inputs):
        raise UsageError(f"--model is {str(path)!r}, which is read: give another name.")
    # The file is written where symbolic links lead to.
    probe = Path(os.path.realpath(path)).with_name(f".{os.getpid()}.tmp")
    try:
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise UsageError(
            f"--model is {str(path)!r}, which cannot be written ({error.strerror}): give a file in a folder that "
            "exists and is yours."
        ) from error
