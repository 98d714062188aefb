"""``widemargin events index``: decode and describe videos once, and say of each how it went."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from types import TracebackType
from typing import Any, get_args

import typer
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from widemargin.cli.errors import UsageError
from widemargin.cli.event_output import display_names, note, print_rows, printable
from widemargin.cli.termination import terminated_like_interrupted
from widemargin.cli.video_paths import find_videos
from widemargin.engine import Engine
from widemargin.events.index import VideoIndex
from widemargin.events.index.header import HEADER_FILE
from widemargin.events.index.indexing import IndexResult
from widemargin.events.index.settings import IndexSettings, NetworkSpec
from widemargin.video import ShotSettings

__all__ = ["IndexRequest", "NetworkOptions", "ShotOptions", "run"]

_STYLES = {"ok": "green", "partial": "yellow", "failed": "red"}
_DEFAULT_NETWORK = "default"
_NOTHING = "-"


@dataclass(frozen=True)
class ShotOptions:
    """Settings of shots that were given; None where the index, or else `ShotSettings`, decides.

    Parameters
    ----------
    threshold, min_length : float or None
        As in `ShotSettings`, as are the next.
    key_frame : str or None
        Which frame stands for a shot.
    n_extra_frames, seed : int or None
        Number of extra frames, and seed of random key frames.
    """

    threshold: float | None = None
    min_length: float | None = None
    key_frame: str | None = None
    n_extra_frames: int | None = None
    seed: int | None = None

    def applied(self, base: ShotSettings) -> ShotSettings:
        """Return settings with what was given in place of what they have.

        Parameters
        ----------
        base : ShotSettings
            The settings.

        Returns
        -------
        ShotSettings
            The settings to use.

        Raises
        ------
        UsageError
            If a value is outside its range.
        """
        given: dict[str, Any] = {name: value for name, value in asdict(self).items() if value is not None}
        try:
            return replace(base, **given)
        except (TypeError, ValueError) as error:
            raise UsageError(str(error)) from error


@dataclass(frozen=True)
class NetworkOptions:
    """Networks that were given, and what belongs to each, in the same order.

    Parameters
    ----------
    networks : sequence of str
        ONNX files, with a name and ``=`` before them if they are to be called otherwise; or "default".
    classes, preprocess, feature_outputs, concept_outputs : sequence of str
        Empty, or one for each network; ``-`` where there is nothing to say.
    """

    networks: Sequence[str] = ()
    classes: Sequence[str] = ()
    preprocess: Sequence[str] = ()
    feature_outputs: Sequence[str] = ()
    concept_outputs: Sequence[str] = ()

    def specs(self) -> tuple[NetworkSpec, ...]:
        """Return what describes the networks.

        Returns
        -------
        tuple of NetworkSpec
            One for each network; empty if none was given.

        Raises
        ------
        UsageError
            If another option is not given once for each network.
        """
        columns = {
            "--classes": self.classes,
            "--preprocess": self.preprocess,
            "--feature-output": self.feature_outputs,
            "--concept-output": self.concept_outputs,
        }
        n_networks = len(self.networks)
        for option, values in columns.items():
            if values and len(values) != n_networks:
                raise UsageError(
                    f"{option} is given {len(values)} times for {n_networks} --network: give it once for each network, "
                    f"in the same order, with {_NOTHING} for those that need none."
                )
        filled = [list(values) or [_NOTHING] * n_networks for values in columns.values()]
        return tuple(
            _spec(network, n_networks, *(None if value == _NOTHING else value for value in rest))
            for network, *rest in zip(self.networks, *filled, strict=True)
        )


@dataclass(frozen=True)
class IndexRequest:
    """What is to be indexed, and how.

    Parameters
    ----------
    videos : sequence of str
        Files, folders and patterns.
    folder : Path
        The index.
    jobs : int
        Number of processes; -1 for one a core.
    engine : str
        Where they are.
    timeout : float
        Seconds without a sign of life of the decoder after which a video is given up.
    shots : ShotOptions
        How shots are found.
    networks : NetworkOptions
        What describes the pictures.
    prune : bool, default=False
        Whether videos are forgotten that are no longer where they were.
    """

    videos: Sequence[str]
    folder: Path
    jobs: int
    engine: str
    timeout: float
    shots: ShotOptions
    networks: NetworkOptions
    prune: bool = False


def run(request: IndexRequest) -> int:
    """Index videos, and print how it went with each.

    Parameters
    ----------
    request : IndexRequest
        What is to be indexed.

    Returns
    -------
    int
        Exit code: 0 if all could be read, at least partly; 1 if some failed; 3 if none could be read; 130 after
        Ctrl-C and 143 after SIGTERM.

    Raises
    ------
    UsageError, VideoIndexError, NetworkError, ImportError
        With what is wrong.
    """
    engine = next((name for name in get_args(Engine) if name == request.engine), None)
    if engine is None:
        raise UsageError(f"--engine is {request.engine!r}, but must be one of {', '.join(get_args(Engine))}.")
    if request.jobs < 1 and request.jobs != -1:
        raise UsageError(f"--jobs is {request.jobs}, but must be at least 1, or -1 for all cores.")
    if not 0 < request.timeout <= 1e6:
        raise UsageError(
            f"--timeout is {request.timeout:g}, but must be above 0 and at most 1000000 seconds: leave it out."
        )
    specs = request.networks.specs()
    found = find_videos(request.videos)
    if not found.paths:
        raise UsageError(" ".join(found.problems))
    for problem in found.problems:
        note(f"Warning: {problem}")
    results: list[IndexResult] = []
    with terminated_like_interrupted() as termination:
        try:
            index = VideoIndex.create(request.folder, _settings(request, specs))
            with _Reporter(found.paths) as reporter:
                results = index.add(
                    found.paths,
                    n_jobs=request.jobs,
                    engine=engine,
                    timeout=request.timeout,
                    on_result=reporter.finished,
                    on_progress=reporter.decoding,
                )
        except KeyboardInterrupt:
            note(
                "Interrupted. Videos that were finished stay in the index, and the same command goes on with the rest."
            )
            return termination.exit_code
    reporter.print_table(results)
    if request.prune:
        gone = index.prune()
        note(
            f"Forgotten, because they are no longer there: {len(gone)} video{'' if len(gone) == 1 else 's'}."
        )
    return _exit_code(results, bool(found.problems))


def _settings(request: IndexRequest, specs: tuple[NetworkSpec, ...]) -> IndexSettings:
    """Return the settings that were asked for; where nothing was said, those of the index that is there."""
    # A run that ended early, or another that has just begun, leaves a folder that holds no settings yet.
    made = (request.folder / HEADER_FILE).exists()
    known = VideoIndex(request.folder).settings if made else IndexSettings()
    shots = request.shots.applied(known.shots)
    try:
        return IndexSettings(shots, specs or known.networks)
    except ValueError as error:
        raise UsageError(f"--network: {error} That is --network NAME=FILE here.") from error


def _spec(
    network: str,
    n_networks: int,
    classes: str | None,
    preprocess: str | None,
    feature_output: str | None,
    concept_output: str | None,
) -> NetworkSpec:
    name, sign, path = network.partition("=")
    if not sign or os.path.exists(network):
        name, path = "", network
    if not name and n_networks > 1 and path != _DEFAULT_NETWORK:
        # Networks need different names before they are loaded, when only the files are known.
        name = Path(path).stem
    return NetworkSpec(
        name,
        path=None if path == _DEFAULT_NETWORK else path,
        classes=classes,
        preprocess=preprocess,
        feature_output=feature_output,
        concept_output=concept_output,
    )


def _exit_code(results: Sequence[IndexResult], some_missing: bool) -> int:
    count = Counter(result.status for result in results)
    if count["failed"] == len(results):
        return 3
    return 1 if count["failed"] or some_missing else 0


class _Reporter:
    """Shows a bar where stderr is a terminal, and prints a line for each video where stdout is none.

    Parameters
    ----------
    paths : sequence of str
        The videos.
    """

    def __init__(self, paths: Sequence[str]) -> None:
        self._names = display_names(paths)
        self._console = Console(highlight=False)
        bar = Console(stderr=True, highlight=False)
        self._progress = Progress(
            TextColumn("[bold]Indexing"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TimeRemainingColumn(),
            TextColumn("left"),
            TextColumn("[dim]{task.fields[video]}"),
            console=bar,
            disable=not bar.is_terminal,
            transient=True,
        )
        self._task = self._progress.add_task("videos", total=len(paths), video="")
        self._n_done = 0

    def __enter__(self) -> _Reporter:
        """Start the bar."""
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Take the bar away."""
        self._progress.stop()

    def decoding(self, path: str, seconds: float, length: float | None) -> None:
        """Move the bar within a video.

        Parameters
        ----------
        path : str
            The video.
        seconds : float
            How much was decoded.
        length : float or None
            How much the file claims to have.
        """
        part = min(seconds / length, 1.0) if length else 0.0
        self._progress.update(self._task, completed=self._n_done + part, video=escape(self._name(path)))

    def finished(self, result: IndexResult) -> None:
        """Move the bar to the next video, and print a line if there will be no table.

        Parameters
        ----------
        result : IndexResult
            How it went.
        """
        self._n_done += 1
        self._progress.update(self._task, completed=self._n_done)
        if not self._console.is_terminal:
            typer.echo("\t".join(self._row(result)))

    def print_table(self, results: Sequence[IndexResult]) -> None:
        """Print a table in a terminal, and how many there were of each kind.

        Parameters
        ----------
        results : sequence of IndexResult
            How it went with each video.
        """
        if self._console.is_terminal:
            print_rows(
                ("status", "video", "shots", "seconds", "reason"),
                [self._row(result) for result in results],
                numeric=("shots", "seconds"),
                styles=_STYLES,
            )
        count = Counter[str](result.status for result in results)
        cached = sum(result.cached for result in results)
        parts = [f"{count[status]} {status}" for status in _STYLES if count[status]]
        plural = "" if len(results) == 1 else "s"
        note(
            f"{len(results)} video{plural}: {', '.join(parts)}"
            + (f"; {cached} of them in the index before" if cached else "")
            + "."
        )

    def _row(self, result: IndexResult) -> tuple[str, ...]:
        shots = str(result.n_shots), f"{result.duration:.1f}"
        return result.status, self._name(result.path), *shots, printable(result.reason)

    def _name(self, path: str) -> str:
        return self._names.get(path) or printable(os.path.basename(path))
