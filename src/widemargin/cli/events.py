"""The commands ``widemargin events``: from a folder of videos to ranked events and the evidence for them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from widemargin.cli.page_option import PageCommand

__all__ = ["events"]

events = typer.Typer(
    help="Find events in videos: index files, search by words, train, rank, and see the shots that prove it.",
    no_args_is_help=True,
)

Index = Annotated[Path, typer.Option("--index", metavar="DIR", help="Folder of the index.")]
ModelFile = Annotated[Path, typer.Argument(metavar="MODEL", help="A model that was saved by events train.")]
Page = Annotated[
    Path | None,
    typer.Option(
        metavar="[FILE]", help="Also write a page with film strips; events-COMMAND.html if no file is named."
    ),
]
OfModel = Annotated[
    str | None, typer.Option(metavar="NAME", help="The event, if the model tells several apart.")
]
Method = Annotated[
    str | None,
    typer.Option(
        metavar="fisher|mean", help="How vectors of words become one of a phrase; fisher by default."
    ),
]
Concepts = Annotated[
    int | None,
    typer.Option(
        "--concepts", metavar="N", help="Let only the N most relevant concepts count; all by default."
    ),
]
Sharpness = Annotated[
    float | None,
    typer.Option(
        metavar="P",
        help="Raise relevance to this power: 3 by default, 1 as in the paper; larger trusts fewer.",
    ),
]
Vectors = Annotated[
    Path | None,
    typer.Option(
        metavar="FILE", help="Word vectors of GloVe or word2vec, in place of those that come along."
    ),
]
Timeout = Annotated[
    float, typer.Option(metavar="SECONDS", help="Give up a video after so long without a sign of life.")
]
Threshold = Annotated[
    float | None,
    typer.Option(metavar="X", help="Change of colours that starts a shot; 1 by default, larger finds fewer."),
]
MinLength = Annotated[
    float | None, typer.Option("--min-length", metavar="S", help="Shortest shot in seconds; 0.5 by default.")
]


@contextmanager
def _one_sentence() -> Iterator[None]:
    """Print what is wrong with the input in a sentence, and leave with exit code 2."""
    from widemargin.cli.errors import UsageError
    from widemargin.cli.event_output import printable
    from widemargin.events.index.errors import VideoIndexError
    from widemargin.networks import NetworkError
    from widemargin.persistence import ModelFileError
    from widemargin.words import WordVectorsError

    try:
        yield
    except (
        UsageError,
        VideoIndexError,
        NetworkError,
        ModelFileError,
        WordVectorsError,
        # Of packages of an extra, with a message that names the extra.
        ImportError,
    ) as error:
        typer.echo(f"Error: {printable(str(error))}", err=True)
        raise typer.Exit(2) from None


@events.command()
def index(
    videos: Annotated[
        list[str],
        typer.Argument(metavar="VIDEO", help="Files, folders (searched with all inside), or patterns."),
    ],
    index: Index,
    jobs: Annotated[int, typer.Option(metavar="N", help="Number of processes; -1 uses every core.")] = 1,
    engine: Annotated[
        str, typer.Option(metavar="local|dask", help="Processes here, or on the Dask cluster in use.")
    ] = "local",
    network: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[NAME=]FILE",
            help="ONNX file that describes pictures, or default; may be repeated, concepts are of the first with "
            "classes.",
        ),
    ] = None,
    classes: Annotated[
        list[str] | None,
        typer.Option(
            metavar="FILE", help="Names of its classes, one a line; once for each network, - for none."
        ),
    ] = None,
    preprocess: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="How it takes pictures: imagenet, lite, caffe, unit or clip; as above."
        ),
    ] = None,
    feature_output: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Its output with the features; as above.")
    ] = None,
    concept_output: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Its output with the classes; as above.")
    ] = None,
    threshold: Threshold = None,
    min_length: MinLength = None,
    key_frame: Annotated[
        str | None,
        typer.Option(metavar="centre|random", help="Frame that stands for a shot; centre by default."),
    ] = None,
    extra_frames: Annotated[
        int | None,
        typer.Option(metavar="N", help="Frames also kept of a video with fewer shots; 64 by default."),
    ] = None,
    seed: Annotated[int | None, typer.Option(metavar="N", help="Seed of random key frames.")] = None,
    timeout: Timeout = 60.0,
    prune: Annotated[
        bool, typer.Option("--prune", help="Then forget all videos that are no longer where they were.")
    ] = False,
) -> None:
    """Decode and describe videos, each once; an interrupted run goes on where it ended.

    In a terminal it prints a table, else a line a file as soon as that is done:
    status, base name, shots, seconds and reason, with tabs between them.
    Exit code 0: all read, at least partly; 1: some failed; 3: none could be read.
    """
    with _one_sentence():
        from widemargin.cli.events_index import IndexRequest, NetworkOptions, ShotOptions, run

        networks = NetworkOptions(
            network or (), classes or (), preprocess or (), feature_output or (), concept_output or ()
        )
        shots = ShotOptions(threshold, min_length, key_frame, extra_frames, seed)
        code = run(IndexRequest(videos, index, jobs, engine, timeout, shots, networks, prune))
    raise typer.Exit(code)


@events.command(cls=PageCommand)
def search(
    text: Annotated[
        str, typer.Argument(metavar="TEXT", help='The event in words: "two men fighting in a street".')
    ],
    index: Index,
    top: Annotated[int | None, typer.Option(metavar="N", help="Print only the N best.")] = None,
    html: Page = None,
    relevance: Annotated[
        bool, typer.Option("--relevance", help="Print the concepts and their relevance, and no videos.")
    ] = False,
    method: Method = None,
    n_concepts: Concepts = None,
    sharpness: Sharpness = None,
    vectors: Vectors = None,
) -> None:
    """Rank videos by the words of an event, without a training video: base name and score, the best first."""
    with _one_sentence():
        from widemargin.cli.event_words import WordChoices
        from widemargin.cli.events_search import SearchRequest, run

        words = WordChoices(method, n_concepts, sharpness, vectors)
        code = run(SearchRequest(text, index, words, top, html, relevance))
    raise typer.Exit(code)


@events.command()
def train(
    index: Index,
    out: Annotated[Path, typer.Option(metavar="MODEL", help="File for the model.")],
    event: Annotated[str | None, typer.Option(metavar="TEXT", help="One event in words.")] = None,
    positives: Annotated[
        str | None, typer.Option(metavar="FILE", help="Videos that show it, one a line; - reads the input.")
    ] = None,
    negatives: Annotated[
        str | None, typer.Option(metavar="FILE", help="Videos that do not show it, one a line.")
    ] = None,
    rest: Annotated[
        bool, typer.Option("--rest", help="Take all other videos of the index as negatives.")
    ] = False,
    several: Annotated[
        str | None,
        typer.Option(
            "--events",
            metavar="FILE",
            help="Events to tell apart: JSON or CSV with name, description and labels (videos).",
        ),
    ] = None,
    name: Annotated[str | None, typer.Option(help="Short name of the event; its words by default.")] = None,
    n_shots: Annotated[
        int | None,
        typer.Option(metavar="M", help="Shots that stand for a video; the training videos' mean by default."),
    ] = None,
    features: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Kind of features to use, may be repeated; all by default."),
    ] = None,
    fusion: Annotated[
        str, typer.Option(metavar="concatenate|average", help="Several kinds side by side, or mean scores.")
    ] = "concatenate",
    fill: Annotated[
        str, typer.Option(metavar="frames|repeat", help="What a video with few shots is filled up with.")
    ] = "frames",
    order: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="Penalty of the order: nearly_isotonic (default), increments, absolute or total_variation.",
        ),
    ] = None,
    norm: Annotated[
        int | None,
        typer.Option(
            metavar="1|2", help="Order each feature along the shots (1), or their norms (2, default)."
        ),
    ] = None,
    penalty: Annotated[
        str | None, typer.Option(metavar="l2|l1", help="The other penalty; l2 by default.")
    ] = None,
    loss: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="squared_hinge (default), hinge, squared or logistic."),
    ] = None,
    nonnegative: Annotated[
        bool, typer.Option("--nonnegative", help="Restrict weights to be non-negative.")
    ] = False,
    isotonic_alpha: Annotated[
        float | None,
        typer.Option(
            metavar="X", help="Weight of the penalty of the order; by cross-validation if left out."
        ),
    ] = None,
    alpha: Annotated[
        float | None,
        typer.Option(metavar="X", help="Weight of the other penalty; by cross-validation if left out."),
    ] = None,
    method: Method = None,
    n_concepts: Concepts = None,
    sharpness: Sharpness = None,
    vectors: Vectors = None,
) -> None:
    """Learn one event from marked videos (--event), or to tell several apart (--events).

    Lists name videos by their path or base name, with or without the suffix.
    Empty lines, and lines that start with #, do not count.
    """
    with _one_sentence():
        from widemargin.cli.event_words import WordChoices
        from widemargin.cli.events_train import Learner, TrainRequest, run

        learner = Learner(
            n_shots=n_shots,
            features=features or (),
            fusion=fusion,
            fill=fill,
            order=order,
            penalty=penalty,
            loss=loss,
            norm=norm,
            nonnegative=nonnegative,
            isotonic_alpha=isotonic_alpha,
            alpha=alpha,
        )
        words = WordChoices(method, n_concepts, sharpness, vectors)
        request = TrainRequest(index, out, event, name, positives, negatives, rest, several, words, learner)
        code = run(request)
    raise typer.Exit(code)


@events.command(cls=PageCommand)
def rank(
    model: ModelFile,
    index: Index,
    event: OfModel = None,
    top: Annotated[int | None, typer.Option(metavar="N", help="Print only the N best.")] = None,
    html: Page = None,
) -> None:
    """Rank videos by how surely they show a learnt event: base name and score, the best first."""
    with _one_sentence():
        from widemargin.cli.events_rank import run

        code = run(model, index, event, top, html)
    raise typer.Exit(code)


@events.command(cls=PageCommand)
def recognize(model: ModelFile, index: Index, html: Page = None) -> None:
    """Say which of several learnt events each video shows: base name, event and score."""
    with _one_sentence():
        from widemargin.cli.events_recognize import run

        code = run(model, index, html)
    raise typer.Exit(code)


@events.command(cls=PageCommand)
def recount(
    model: ModelFile,
    videos: Annotated[
        list[str], typer.Argument(metavar="VIDEO", help="Videos of the index, named as in lists.")
    ],
    index: Annotated[
        Path | None,
        typer.Option("--index", metavar="DIR", help="Folder of the index; that of the training by default."),
    ] = None,
    event: OfModel = None,
    top: Annotated[int | None, typer.Option(metavar="N", help="Only the N best shots of each video.")] = None,
    html: Page = None,
    blind: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="Also write a sheet to compare the shots with those of average pooling, unlabelled.",
        ),
    ] = None,
    seed: Annotated[int, typer.Option(metavar="N", help="Seed that draws the sides of the sheet.")] = 0,
) -> None:
    """Print the shots that prove an event: time, score, saliency and the concepts that spoke, the best first.

    With several videos, the base name comes first.
    Beside the sheet of --blind, a file FILE-key.csv tells which shots are whose.
    """
    with _one_sentence():
        from widemargin.cli.events_recount import RecountRequest, run

        code = run(RecountRequest(model, videos, index, event, top, html, blind, seed))
    raise typer.Exit(code)


@events.command()
def evaluate(
    models: Annotated[
        list[Path], typer.Argument(metavar="MODEL", help="Detectors of events, or one recognizer.")
    ],
    index: Index,
    truth: Annotated[
        str,
        typer.Option(
            metavar="FILE",
            help="Videos that show the event, one a line; or CSV with the columns video and event (or label).",
        ),
    ],
    without: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Leave out these videos, such as those of the training."),
    ] = None,
) -> None:
    """Print the average precision of each detector and the mean, or F1 of each event of a recognizer and the mean."""
    with _one_sentence():
        from widemargin.cli.events_evaluate import run

        code = run(models, index, truth, without)
    raise typer.Exit(code)


@events.command()
def shots(
    video: Annotated[
        str, typer.Argument(metavar="VIDEO", help="A file, or with --index a video of the index.")
    ],
    index: Annotated[
        Path | None,
        typer.Option(
            "--index", metavar="DIR", help="Take the shots from here; without it the file is decoded."
        ),
    ] = None,
    format: Annotated[
        str, typer.Option(metavar="csv|json|edl|vtt", help="Table, data, edit decision list or chapters.")
    ] = "csv",
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="File for the shots, in place of the terminal.")
    ] = None,
    rate: Annotated[
        float, typer.Option(metavar="FPS", help="Frames a second of the edit decision list.")
    ] = 25.0,
    threshold: Threshold = None,
    min_length: MinLength = None,
    timeout: Timeout = 60.0,
) -> None:
    """Print the shots of a video, for spreadsheets, editing programs and players."""
    with _one_sentence():
        from widemargin.cli.errors import UsageError
        from widemargin.cli.events_index import ShotOptions
        from widemargin.cli.events_shots import run
        from widemargin.video import ShotSettings

        if index is not None and (threshold is not None or min_length is not None):
            raise UsageError(
                "--threshold and --min-length are settings of the index: leave out --index, or them."
            )
        settings = ShotOptions(threshold, min_length, n_extra_frames=0).applied(ShotSettings())
        code = run(video, index, format, out, rate, settings, timeout)
    raise typer.Exit(code)


@events.command()
def concepts(
    index: Index,
    labels: Annotated[
        str,
        typer.Option(metavar="FILE", help="CSV with the columns file (pictures or clips) and concept."),
    ],
    replace: Annotated[
        bool,
        typer.Option("--replace", help="Put them in place of the classes of the network, not behind them."),
    ] = False,
    features: Annotated[
        str | None, typer.Option(metavar="NAME", help="Network of the index to use; the first by default.")
    ] = None,
    timeout: Timeout = 60.0,
) -> None:
    """Learn concepts of one's own from pictures and clips, and add them to the videos of an index."""
    with _one_sentence():
        from widemargin.cli.events_concepts import run

        code = run(index, labels, features, replace, timeout)
    raise typer.Exit(code)
