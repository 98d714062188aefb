"""Videos in numbers, in one folder: what was decoded and described once is never decoded again."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, overload

import numpy as np

from widemargin.engine import Engine, check_n_jobs, map_items
from widemargin.events.index.arrays import ArraysByPath, arrays_by_content, probabilities_for
from widemargin.events.index.catalogue import Catalogue
from widemargin.events.index.errors import VideoIndexError
from widemargin.events.index.features import (
    AddedArrays,
    StoredFeatures,
    added_kinds,
    check_kind,
    kind_digest,
    make_kind,
)
from widemargin.events.index.files import StoredVideo, read_video_file
from widemargin.events.index.header import create_header, read_header
from widemargin.events.index.indexing import (
    IndexingTask,
    IndexResult,
    close_tools,
    index_video,
    index_videos,
)
from widemargin.events.index.records import (
    PathRecord,
    absolute_path,
    record_file,
)
from widemargin.events.index.settings import IndexSettings
from widemargin.events.index.upkeep import remove_leftovers, video_file
from widemargin.events.index.vocabulary import (
    ConceptMode,
    Vocabulary,
    new_vocabulary,
    read_vocabulary,
    remove_vocabulary,
    write_vocabulary,
)
from widemargin.validation import check_number
from widemargin.video import DescribedVideo, VideoSummary

__all__ = ["IndexedVideos", "VideoIndex"]


class IndexedVideos(Sequence[DescribedVideo]):
    """Some videos of an index in a given order, each read from its file whenever it is asked for.

    `VideoIndex.videos` makes it. It serves as a list of videos in all but the memory that a list takes.

    Parameters
    ----------
    index : VideoIndex
        The index.
    paths : sequence of str
        Paths of the index.

    Examples
    --------
    >>> from widemargin.events import IndexedVideos, VideoIndex
    >>> def longest(index: VideoIndex, paths: list[str]) -> str:
    ...     return max(IndexedVideos(index, paths), key=lambda video: video.duration).name
    """

    def __init__(self, index: VideoIndex, paths: Sequence[str]) -> None:
        self._index = index
        self.paths = tuple(paths)

    def __len__(self) -> int:
        return len(self.paths)

    @overload
    def __getitem__(self, row: int) -> DescribedVideo: ...
    @overload
    def __getitem__(self, row: slice) -> IndexedVideos: ...
    def __getitem__(self, row: int | slice) -> DescribedVideo | IndexedVideos:
        if isinstance(row, slice):
            return IndexedVideos(self._index, self.paths[row])
        return self._index.video(self.paths[row], thumbnails=False)


class VideoIndex:
    """Videos in numbers, in one folder: shots, features, concepts and small pictures of each.

    A video is decoded and described once for the settings of the index. It is known by its content, so that it may be
    moved or renamed and added again without being decoded. Files are written as a whole or not at all, and several
    runs may add videos at the same time: a run that was interrupted goes on where it ended when the same videos are
    added again. This object shows what was in the index when it was opened, and what it added itself.

    Going through an index gives each video that could be read, in the order of `paths`, one at a time and without the
    small pictures, which `video` reads too.

    Parameters
    ----------
    folder : str or Path
        The folder of an existing index; `create` makes one.

    Raises
    ------
    VideoIndexError
        If the folder is no index, or its file is damaged.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import numpy as np
    >>> from widemargin.events import VideoIndex
    >>> from widemargin.video import write_video
    >>> frames = [np.full((48, 64, 3), grey, np.uint8) for grey in [40] * 25 + [210] * 25]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = Path(folder) / "two-shots.mp4"
    ...     _ = write_video(path, frames)
    ...     index = VideoIndex.create(Path(folder) / "index")
    ...     results = index.add([path])
    ...     video = index.video(path)
    >>> results[0].status, video.name, video.n_shots, video.features["efficientnet-lite0"].shape
    ('ok', 'two-shots.mp4', 2, (2, 1280))
    """

    def __init__(self, folder: str | Path) -> None:
        self._folder = Path(folder).absolute()
        self._header = read_header(self._folder)
        self._forget()

    def _forget(self) -> None:
        """Forget what was read of the records, to read it again when it is needed."""
        self._catalogue_read: Catalogue | None = None
        self._kinds: dict[str, AddedArrays] | None = None
        self._vocabulary: Vocabulary | None = read_vocabulary(self._folder)

    @classmethod
    def create(cls, folder: str | Path, settings: IndexSettings | None = None) -> VideoIndex:
        """Make an index, or open one that was made with the same settings.

        The networks are loaded once, to know what tells them from others.

        Parameters
        ----------
        folder : str or Path
            The folder; made if missing, else empty or an index.
        settings : IndexSettings or None, default=None
            How videos are cut and described; None takes those of the index that is there, or else the default ones.

        Returns
        -------
        VideoIndex
            The index.

        Raises
        ------
        VideoIndexError
            If the folder holds other things, or an index with other settings: the message says which.
        NetworkError
            If a network cannot be loaded.
        ImportError
            If a package of the extra ``video`` is missing.

        Examples
        --------
        >>> import tempfile
        >>> from widemargin.events import IndexSettings, VideoIndex
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     VideoIndex.create(folder, IndexSettings()).feature_names
        ('efficientnet-lite0',)
        """
        create_header(Path(folder), settings)
        return cls(folder)

    @property
    def folder(self) -> Path:
        """The folder of the index."""
        return self._folder

    @property
    def settings(self) -> IndexSettings:
        """How the videos are cut and described."""
        return self._header.settings

    @property
    def paths(self) -> tuple[str, ...]:
        """The videos that could be read, as they were given last, in alphabetical order."""
        return self._catalogue.paths

    @property
    def failed(self) -> dict[str, str]:
        """The files that could not be read, and why."""
        return self._catalogue.failed

    @property
    def feature_names(self) -> tuple[str, ...]:
        """The kinds of features: those of the networks, then those that were added."""
        return (*self._header.kinds, *self._added())

    @property
    def concept_names(self) -> tuple[str, ...]:
        """What the columns of concepts stand for."""
        classes = self._header.concept_names
        if self._vocabulary is None:
            return classes
        own = self._vocabulary.names
        return own if self._vocabulary.mode == "replace" else (*classes, *own)

    def __len__(self) -> int:
        return len(self.paths)

    def __iter__(self) -> Iterator[DescribedVideo]:
        return iter(self.videos())

    def __contains__(self, path: object) -> bool:
        record = self._catalogue.get(path) if isinstance(path, str | Path) else None
        return record is not None and record.status != "failed"

    def add(
        self,
        paths: Iterable[str | Path],
        *,
        n_jobs: int = 1,
        engine: Engine = "local",
        timeout: float = 60.0,
        on_result: Callable[[IndexResult], None] | None = None,
        on_progress: Callable[[str, float, float | None], None] | None = None,
    ) -> list[IndexResult]:
        """Decode and describe videos that are not in the index yet, or have changed.

        What failed before is tried again. A file that is gone now stays in the index.

        Parameters
        ----------
        paths : iterable of str or Path
            Video files, in any order; one that is there twice counts once.
        n_jobs : int, default=1
            Number of processes; -1 takes one a core. Each has its own decoder and networks.
        engine : {"local", "dask"}, default="local"
            Where the processes are, see `widemargin.engine.map_items`. All machines must see the same folders.
        timeout : float, default=60.0
            Seconds without a sign of life from the decoder after which a video is given up, above 0.
        on_result : callable, optional
            Called with an `IndexResult` as soon as a video is done.
        on_progress : callable, optional
            Called while a video is decoded with its path, the seconds done and the length in seconds that the file
            claims, or None. Only where `n_jobs` is 1 and `engine` is "local".

        Returns
        -------
        list of IndexResult
            How it went with each video, in the order of `paths`.

        Raises
        ------
        TypeError
            If `paths` is a single path.
        ValueError
            If a parameter is outside its range.
        VideoIndexError
            If a network has changed since the index was made.
        WriteError
            If the index cannot be written, for instance because the disk is full.
        """
        check_number("timeout", timeout, above=0.0, at_most=1e6)
        wanted = _distinct(paths)
        n_processes = min(check_n_jobs(n_jobs), max(len(wanted), 1))
        here = n_processes == 1 and engine == "local"
        n_threads = 1 if engine == "dask" else max(1, check_n_jobs(-1) // n_processes)
        tasks = [
            IndexingTask(self._folder, self._header, path, absolute_path(path), float(timeout), n_threads)
            for path in wanted
        ]
        (self._folder / "paths").mkdir(exist_ok=True)
        results: dict[str, IndexResult] = {}

        def note(result: IndexResult) -> None:
            results[result.path] = result
            if on_result is not None:
                on_result(result)

        try:
            if here:
                index_videos(tasks, note, on_progress)
            else:
                with closing(map_items(index_video, tasks, n_jobs=n_processes, engine=engine)) as finished:
                    for _, result in finished:
                        note(result)
            remove_leftovers(self._folder)
        finally:
            close_tools()
            self._forget()
        return [results[path] for path in wanted]

    def video(self, path: str | Path, *, thumbnails: bool = True) -> DescribedVideo:
        """Read what the index has of a video.

        Parameters
        ----------
        path : str or Path
            One of `paths`, or another path of the same file; `find` is more lenient.
        thumbnails : bool, default=True
            Whether the small pictures are read too.

        Returns
        -------
        DescribedVideo
            Features, concepts and the rest. Its name is the base name of the file, with folders where others have the
            same. Features that were added are read when they are asked for.

        Raises
        ------
        VideoIndexError
            If the index has no such video, or what it has is damaged or not complete.
        """
        record = self._catalogue.record(path)
        stored = self._read(record, thumbnails=thumbnails)
        shots = stored.summary.shots
        concepts, extra_concepts = self._concepts(record, stored)
        own, extra = self._features(record, stored)
        return DescribedVideo(
            name=self._catalogue.name(record),
            features=own,
            concepts=concepts,
            shots=np.array([(shot.start, shot.end) for shot in shots]),
            key_times=np.array([shot.key_time for shot in shots]),
            extra_features=extra,
            extra_concepts=extra_concepts,
            extra_times=np.array(stored.summary.extra_times, dtype=np.float64),
            path=record.path,
            duration=stored.summary.duration,
            feature_digests={name: self.feature_digest(name) for name in self.feature_names},
            status=stored.summary.status,
            problems=stored.summary.problems,
            thumbnails=stored.thumbnails,
            extra_thumbnails=stored.extra_thumbnails,
        )

    def summary(self, path: str | Path) -> VideoSummary:
        """Return what decoding a video told: its shots with their numbers of frames, its size and its length.

        Parameters
        ----------
        path : str or Path
            A video, as `video` takes it.

        Returns
        -------
        VideoSummary
            The summary.

        Raises
        ------
        VideoIndexError
            If the index has no such video, or what it has is damaged.
        """
        return self._read(self._catalogue.record(path)).summary

    def videos(self, paths: Iterable[str | Path] | None = None) -> IndexedVideos:
        """Return videos of the index as a sequence that reads each when it is asked for.

        Parameters
        ----------
        paths : iterable of str or Path, optional
            Videos of the index; by default all.

        Returns
        -------
        IndexedVideos
            The videos, without small pictures.

        Raises
        ------
        VideoIndexError
            If one is not in the index.
        """
        if paths is None:
            return IndexedVideos(self, self.paths)
        records = [self._catalogue.record(path) for path in paths]
        return IndexedVideos(self, [self._catalogue.called(record) for record in records])

    def find(self, name: str | Path) -> str:
        """Return the path of the video that a name means.

        Parameters
        ----------
        name : str or Path
            The path as it was given to the index, another path of the same place, or the last parts of one with or
            without the suffix, if only one video has them.

        Returns
        -------
        str
            One of `paths`.

        Raises
        ------
        VideoIndexError
            If no video or more than one is called this; the message names those that come near.
        """
        return self._catalogue.called(self._catalogue.find(name))

    def remove(self, path: str | Path) -> None:
        """Forget a video or a file that could not be read; what belongs to another path of the same content stays.

        Parameters
        ----------
        path : str or Path
            The path, as `video` takes it.

        Raises
        ------
        VideoIndexError
            If the index does not know it.
        """
        record = self._catalogue.get(path)
        if record is None:
            raise VideoIndexError(f"The index has no video {os.fsdecode(path)!r}: pass one of its paths.")
        record_file(self._folder, record.absolute).unlink(missing_ok=True)
        remove_leftovers(self._folder)
        self._forget()

    def prune(self) -> tuple[str, ...]:
        """Forget all videos, and files that could not be read, which are no longer where they were.

        Returns
        -------
        tuple of str
            The paths that were forgotten.
        """
        gone = [record for record in self._catalogue.all_records() if not os.path.lexists(record.absolute)]
        names = tuple(self._catalogue.called(record) for record in gone)
        for record in gone:
            record_file(self._folder, record.absolute).unlink(missing_ok=True)
        if gone:
            remove_leftovers(self._folder)
            self._forget()
        return names

    def feature_digest(self, name: str) -> str:
        """Return what tells a kind of features from others: the same network gives the same in any index.

        Parameters
        ----------
        name : str
            One of `feature_names`.

        Returns
        -------
        str
            Hexadecimal digits. Features that were added are known by name and width alone.

        Raises
        ------
        VideoIndexError
            If there is no such kind.
        """
        for spec in self.settings.networks:
            if spec.name == name:
                return spec.digest
        self._check_kind_known(name)
        return kind_digest(name, self._added()[name].width)

    def add_features(self, name: str, arrays: ArraysByPath, *, extra: ArraysByPath | None = None) -> None:
        """Add features that were computed elsewhere, as a kind of their own.

        Videos may be added to a kind later; what is given again replaces what was there.

        Parameters
        ----------
        name : str
            The kind: at most 64 letters, digits, ".", "_" and "-", and not that of a network.
        arrays : mapping of str to array-like of shape (n_shots, n_features)
            Features of the shots of videos by path, as `video` takes it. They are kept as float32.
        extra : mapping of str to array-like of shape (n_extra, n_features), optional
            Features of the extra frames of the same videos.

        Raises
        ------
        ValueError
            If an array has another number of rows or columns than it should, or values that are not finite.
        VideoIndexError
            If a video is not in the index.
        """
        check_kind(name)
        if name in self._header.kinds:
            raise ValueError(f"name is {name!r}, which is a network of the index: choose another name.")
        known = self._added().get(name)
        checked = arrays_by_content(self._frames, arrays, extra, None if known is None else known.width)
        if not checked:
            raise ValueError("arrays is empty: pass features of at least one video.")
        width = next(iter(checked.values()))[0].shape[1]
        kind = make_kind(self._folder, name, width) if known is None else known
        for digest, (own, its_extra) in checked.items():
            kind.write(digest, own, its_extra)
        self._forget()

    def set_concepts(
        self,
        concept_names: Sequence[str],
        arrays: ArraysByPath,
        *,
        extra: ArraysByPath | None = None,
        mode: ConceptMode = "replace",
    ) -> None:
        """Put concepts beside or in place of the classes of the network, and in place of those that were put earlier.

        Parameters
        ----------
        concept_names : sequence of str
            The concepts, all different.
        arrays : mapping of str to array-like of shape (n_shots, n_concepts)
            Probabilities from 0 to 1 in the shots of every video, by path.
        extra : mapping of str to array-like of shape (n_extra, n_concepts), optional
            The same for the extra frames of every video that has some.
        mode : {"replace", "append"}, default="replace"
            Whether they are in place of the classes of the network or behind them.

        Raises
        ------
        ValueError
            If an array has another shape, or values that are no probabilities.
        VideoIndexError
            If a video of the index has no array, or one that has is not in the index.
        """
        checked = arrays_by_content(self._frames, arrays, extra, len(concept_names))
        self._write_concepts(concept_names, mode, lambda record, _: checked.get(record.digest))

    def apply_detectors(
        self, detectors: Any, kind: str | None = None, *, mode: ConceptMode = "replace"
    ) -> None:
        """Let trained detectors say what is in the videos, from features that the index has: nothing is decoded.

        Videos that are added later have no such concepts until this is called again.

        Parameters
        ----------
        detectors : ConceptDetectors
            Fitted detectors: ``concept_names_``, and ``predict_proba`` that gives (n, n_concepts) for (n, n_features).
        kind : str or None, default=None
            The kind of features that they were trained on; None for the first.
        mode : {"replace", "append"}, default="replace"
            Whether their concepts are in place of the classes of the network or behind them.

        Raises
        ------
        VideoIndexError
            If there is no such kind, or a video lacks it.
        ValueError
            If the detectors take other features.
        """
        kind = self.feature_names[0] if kind is None else kind
        self._check_kind_known(kind)

        def predict(record: PathRecord, stored: StoredVideo) -> tuple[Any, Any]:
            own, extra = self._features(record, stored)
            probabilities = detectors.predict_proba(own[kind])
            return probabilities, detectors.predict_proba(extra[kind]) if stored.summary.extra_times else None

        self._write_concepts(tuple(map(str, detectors.concept_names_)), mode, predict)

    def reset_concepts(self) -> None:
        """Go back to the classes of the network as concepts."""
        remove_vocabulary(self._folder)
        self._forget()

    @property
    def _catalogue(self) -> Catalogue:
        if self._catalogue_read is None:
            self._catalogue_read = Catalogue(self._folder)
        return self._catalogue_read

    def _added(self) -> dict[str, AddedArrays]:
        if self._kinds is None:
            self._kinds = added_kinds(self._folder)
        return self._kinds

    def _read(self, record: PathRecord, *, thumbnails: bool = False) -> StoredVideo:
        return read_video_file(video_file(self._folder, record.digest), self._header, thumbnails=thumbnails)

    def _features(self, record: PathRecord, stored: StoredVideo) -> tuple[StoredFeatures, StoredFeatures]:
        """Return the features of shots and of extra frames."""
        sizes = len(stored.summary.shots), len(stored.summary.extra_times)
        own, extra = (
            StoredFeatures(
                dict(zip(self._header.kinds, arrays, strict=True)),
                self._added(),
                record.digest,
                *sizes,
                extra=is_extra,
                path=record.path,
            )
            for is_extra, arrays in ((False, stored.features), (True, stored.extra_features))
        )
        return own, extra

    def _concepts(self, record: PathRecord, stored: StoredVideo) -> tuple[Any, Any]:
        """Return the concepts of shots and extra frames in the vocabulary of the index."""
        vocabulary = self._vocabulary
        if vocabulary is None:
            return stored.concepts, stored.extra_concepts
        if not vocabulary.arrays.has(record.digest):
            raise VideoIndexError(
                f"{record.path!r} was added after the concepts of the index were set: run widemargin events concepts "
                "again, or call apply_detectors or set_concepts, or reset_concepts to go back to the classes of the "
                "network."
            )
        own, extra = vocabulary.arrays.read(
            record.digest, len(stored.summary.shots), len(stored.summary.extra_times)
        )
        if extra is None:
            raise VideoIndexError(
                f"{record.path!r} has no concepts of its extra frames: set the concepts again."
            )
        if vocabulary.mode == "replace":
            return own, extra
        return np.hstack((stored.concepts, own)), np.hstack((stored.extra_concepts, extra))

    def _check_kind_known(self, name: str) -> None:
        if name not in self.feature_names:
            raise VideoIndexError(
                f"The index has no features {name!r}: choose among {', '.join(self.feature_names)}."
            )

    def _frames(self, path: str) -> tuple[str, int, int]:
        """Return the content of a video, and the number of its shots and extra frames."""
        record = self._catalogue.record(path)
        summary = self._read(record).summary
        return record.digest, len(summary.shots), len(summary.extra_times)

    def _write_concepts(
        self,
        concept_names: Sequence[str],
        mode: ConceptMode,
        probabilities: Callable[[PathRecord, StoredVideo], tuple[Any, Any] | None],
    ) -> None:
        """Write a vocabulary with what a function gives for each video, and then let it count."""
        vocabulary = new_vocabulary(self._folder, concept_names, mode, self._header.concept_names)
        try:
            for path in self.paths:
                record = self._catalogue.record(path)
                stored = self._read(record)
                given = probabilities(record, stored)
                n_extra = len(stored.summary.extra_times)
                if given is None or (given[1] is None and n_extra):
                    frames = "shots" if given is None else "extra frames"
                    raise VideoIndexError(
                        f"There are no concepts for the {frames} of {path!r}: pass those of all videos."
                    )
                own = probabilities_for(
                    "arrays", given[0], (len(stored.summary.shots), len(vocabulary.names)), path
                )
                extra = (
                    probabilities_for("extra", given[1], (n_extra, len(vocabulary.names)), path)
                    if n_extra
                    else None
                )
                vocabulary.arrays.write(record.digest, own, extra)
            write_vocabulary(self._folder, vocabulary)
        except BaseException:
            vocabulary.discard()
            raise
        self._forget()


def _distinct(paths: Iterable[str | Path]) -> list[str]:
    """Return paths as text, each file once."""
    if isinstance(paths, str | bytes | os.PathLike):
        raise TypeError(f"paths must be a list of paths, got {paths!r}: pass [{paths!r}].")
    by_place: dict[str, str] = {}
    for path in paths:
        text = os.fsdecode(path)
        by_place.setdefault(absolute_path(text), text)
    return list(by_place.values())
