"""The command ``widemargin``."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from widemargin import __version__
from widemargin.cli.events import events

__all__ = ["app", "main"]

app = typer.Typer(
    name="widemargin",
    help="Large-margin learning for vision when there is more to use than a plain SVM can use.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


app.add_typer(events, name="events")


def _whole_number(text: str) -> int:
    """Read a number; the message of the command line's own parser does not say what was given."""
    try:
        return int(text)
    except ValueError:
        raise typer.BadParameter(f"{text!r} is not a whole number: give one, such as 6.") from None


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"widemargin {__version__}")
        raise typer.Exit()


@app.callback()
def _common(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Hold the options that belong to no command."""


@app.command()
def reproduce(
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="NAME",
            help="Experiments, or parts of the library, to run; all that can run if none is named.",
        ),
    ] = None,
    list_experiments: Annotated[bool, typer.Option("--list", help="List the experiments, run none.")] = False,
    data: Annotated[Path | None, typer.Option(help="Folder with the benchmark data sets.")] = None,
    out: Annotated[
        Path, typer.Option(help="Folder for the results; an earlier run there is continued.")
    ] = Path("results"),
    quick: Annotated[bool, typer.Option("--quick", help="Fewest repeats, to see that it works.")] = False,
    full: Annotated[bool, typer.Option("--full", help="As many repeats as the paper.")] = False,
    repeats: Annotated[
        int | None,
        typer.Option(
            metavar="N", parser=_whole_number, help="Number of repeats, in place of the size's own."
        ),
    ] = None,
    jobs: Annotated[
        int,
        typer.Option(metavar="N", parser=_whole_number, help="Number of processes; -1 uses every core."),
    ] = -1,
    seed: Annotated[
        int, typer.Option(metavar="N", parser=_whole_number, help="Seed of all random numbers.")
    ] = 0,
) -> None:
    """Run the experiments and write a report that shows our numbers beside the paper's.

    Without --data, experiments on embedded data run. An interrupted run continues where it stopped.
    """
    # Imported late, so that --help and --version answer at once.
    from widemargin.cli.errors import UsageError
    from widemargin.cli.reproduce import Request, print_experiments, run

    if list_experiments:
        print_experiments()
        return
    try:
        request = Request.checked(
            names or [], data=data, out=out, quick=quick, full=full, repeats=repeats, jobs=jobs, seed=seed
        )
    except UsageError as error:
        typer.echo(f"Error: {error}", err=True)
        raise typer.Exit(2) from None
    raise typer.Exit(run(request))


@app.command()
def compare(
    features: Annotated[
        str,
        typer.Argument(metavar="FEATURES", help="Features: csv, tsv, txt, npy, npz, parquet or svmlight."),
    ],
    privileged: Annotated[
        str,
        typer.Option(metavar="FEATURES", help="Features of the same samples that exist in training only."),
    ],
    labels: Annotated[
        str, typer.Option(metavar="FILE", help="Labels of the samples, one a row: integers or text.")
    ],
    groups: Annotated[
        str | None,
        typer.Option(
            metavar="FILE",
            help="Which rows belong together, one value a row; they are not divided by a fold.",
        ),
    ] = None,
    model: Annotated[
        Path | None, typer.Option(help="Train the best method on everything; save it here.")
    ] = None,
    out: Annotated[
        Path, typer.Option(help="Folder for the results; an earlier run there is continued.")
    ] = Path("comparison"),
    folds: Annotated[
        int, typer.Option(metavar="N", parser=_whole_number, help="Folds of the cross-validation.")
    ] = 5,
    repeats: Annotated[
        int | None,
        typer.Option(
            metavar="N", parser=_whole_number, help="How often samples are divided into folds; 4 by default."
        ),
    ] = None,
    kernel: Annotated[str, typer.Option(metavar="linear|rbf", help="Kernel in both spaces.")] = "linear",
    scale: Annotated[
        str | None,
        typer.Option(
            metavar="standard|l1|l2|max|none",
            help="Scaling in both spaces; standard by default, max for sparse features.",
        ),
    ] = None,
    scoring: Annotated[
        str, typer.Option(metavar="accuracy|balanced_accuracy", help="Score to choose and to compare by.")
    ] = "accuracy",
    seed: Annotated[
        int, typer.Option(metavar="N", parser=_whole_number, help="Seed of all random numbers.")
    ] = 0,
    jobs: Annotated[
        int,
        typer.Option(metavar="N", parser=_whole_number, help="Number of processes; -1 uses every core."),
    ] = -1,
) -> None:
    """Ask of your own data whether extra training information helps, by how much, and how sure that is.

    Cells of text are separated by commas, semicolons or tabs; numbers have decimal points.
    Writes a report as reproduce does. An interrupted run continues where it stopped.
    """
    from widemargin.cli.compare import Request, run
    from widemargin.cli.errors import UsageError
    from widemargin.datasets import DatasetError

    try:
        request = Request.checked(
            features,
            privileged=privileged,
            labels=labels,
            groups=groups,
            model=model,
            out=out,
            folds=folds,
            repeats=repeats,
            kernel=kernel,
            scale=scale,
            scoring=scoring,
            seed=seed,
            jobs=jobs,
        )
    except (UsageError, DatasetError) as error:
        typer.echo(f"Error: {error}", err=True)
        raise typer.Exit(2) from None
    raise typer.Exit(run(request))


@app.command()
def predict(
    model: Annotated[
        Path, typer.Argument(metavar="MODEL", help="A model that was saved by compare --model.")
    ],
    features: Annotated[
        str,
        typer.Argument(
            metavar="FEATURES", help="Table of features: csv, tsv, txt, npy, npz, parquet or svmlight."
        ),
    ],
    out: Annotated[Path | None, typer.Option(help="File for the labels, in place of the terminal.")] = None,
    scores: Annotated[
        bool, typer.Option("--scores", help="CSV with a header: the label and the decision values.")
    ] = False,
) -> None:
    """Apply a saved model to a table of features: one label a line, in the order of the rows.

    Columns are found by their names, and others left out; without names they must be those of the training.
    Cells of text are separated by commas, semicolons or tabs; numbers have decimal points.
    """
    from widemargin.cli.predict import run

    raise typer.Exit(run(model, features, out, scores))


def main() -> None:
    """Run the command line, and leave with its exit code: 130 after Ctrl-C, as shells do; 2 if a file is in the way."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            # A terminal that cannot show ± or ▲ shows a question mark; it is no reason to stop.
            stream.reconfigure(errors="replace")
    try:
        try:
            app()
        finally:
            # What a full disk refuses is noticed here, and not after the end, where Python would write a traceback.
            sys.stdout.flush()
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        # Whoever reads has seen enough, as in a pipe to head.
        _drop_unwritten_output()
        sys.exit(1)
    except OSError as error:
        _drop_unwritten_output()
        typer.echo(f"Error: {_describe(error)}", err=True)
        sys.exit(2)


def _describe(error: OSError) -> str:
    """Say in a sentence what could not be read or written."""
    reason = error.strerror or str(error)
    if error.filename is None:
        return f"Reading or writing failed ({reason}): check the space that is left, or give another place."
    name = os.fsdecode(error.filename) if isinstance(error.filename, bytes) else str(error.filename)
    return f"{name!r} cannot be read or written ({reason}): check its name, its permissions and the space that is left."


def _drop_unwritten_output() -> None:
    """Let nothing be left in the buffer of stdout that would fail a second time when Python ends."""
    try:
        sys.stdout.flush()
    except OSError:
        with open(os.devnull, "wb") as nothing:
            os.dup2(nothing.fileno(), sys.stdout.fileno())
