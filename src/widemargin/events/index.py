"""Videos in numbers, in one folder: what was decoded and described once is never decoded again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy.typing as npt

from widemargin.engine import Engine
from widemargin.events.index_settings import IndexSettings
from widemargin.events.indexing import IndexResult
from widemargin.video import DescribedVideo

__all__ = ["IndexedVideos", "VideoIndex"]

ArraysByPath = Mapping[str, npt.ArrayLike]


class IndexedVideos(Sequence[DescribedVideo]):
    """Some videos of an index in a given order, each read from its file whenever it is asked for.

    Made by `VideoIndex.videos`; a list of videos in all but the memory that it takes.
    """


class VideoIndex:
    """Videos in numbers, in one folder."""

    def __init__(self, folder: str | Path) -> None: ...

    @classmethod
    def create(cls, folder: str | Path, settings: IndexSettings | None = None) -> VideoIndex: ...

    @property
    def folder(self) -> Path: ...

    @property
    def settings(self) -> IndexSettings: ...

    @property
    def paths(self) -> tuple[str, ...]: ...

    @property
    def failed(self) -> dict[str, str]: ...

    @property
    def feature_names(self) -> tuple[str, ...]: ...

    @property
    def concept_names(self) -> tuple[str, ...]: ...

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[DescribedVideo]: ...

    def add(
        self,
        paths: Iterable[str | Path],
        *,
        n_jobs: int = 1,
        engine: Engine = "local",
        timeout: float = 60.0,
        on_result: Callable[[IndexResult], object] | None = None,
        on_progress: Callable[[str, float, float], object] | None = None,
    ) -> list[IndexResult]: ...

    def video(self, path: str | Path) -> DescribedVideo: ...

    def videos(self, paths: Iterable[str | Path] | None = None) -> IndexedVideos: ...

    def find(self, name: str | Path) -> str: ...

    def remove(self, path: str | Path) -> None: ...

    def feature_digest(self, name: str) -> str: ...

    def add_features(self, name: str, arrays: ArraysByPath, *, extra: ArraysByPath | None = None) -> None: ...

    def set_concepts(
        self,
        concept_names: Sequence[str],
        arrays: ArraysByPath,
        *,
        extra: ArraysByPath | None = None,
        mode: Literal["replace", "append"] = "replace",
    ) -> None: ...

    def apply_detectors(
        self, detectors: Any, kind: str | None = None, *, mode: Literal["replace", "append"] = "replace"
    ) -> None: ...

    def reset_concepts(self) -> None: ...
