"""Boundaries found, and frames a second, on videos that no threshold was chosen on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from scenedetect import AdaptiveDetector, ContentDetector, HistogramDetector, SceneDetector, SceneManager
from scenedetect.backends.pyav import VideoStreamAv

from events_speed.cut_videos import CUTS_ALONE, JOINTS, RATE, Boundary, write_cut_video
from events_speed.measuring import Row, timed
from widemargin.video import ShotSettings, VideoReader

# The thresholds of the package were chosen with seeds 0 to 7.
FIRST_SEED = 100
SMALL = ((320, 240), (480, 270), (640, 360))
LARGE = (1280, 720)
TOLERANCE = 2
LEAST_SPEEDUP = 1.5
PEERS = (HistogramDetector, ContentDetector, AdaptiveDetector)


def shots(folder: Path, quick: bool) -> Iterator[list[Row]]:
    """Compare on small videos with all kinds of boundaries, on others with cuts alone, and on a large one."""
    n_videos, n_shots = (2, 8) if quick else (6, 20)
    for name, sizes, joints in (
        ("cuts, dissolves and fades", [SMALL[i % 3] for i in range(n_videos)], JOINTS),
        ("cuts alone", [SMALL[i % 3] for i in range(n_videos // 2)], CUTS_ALONE),
        ("all kinds, 1280 x 720", [LARGE], JOINTS),
    ):
        videos = {}
        for i, size in enumerate(sizes):
            path = folder / f"{len(joints)}-{size[0]}-{i}.mp4"
            videos[path] = write_cut_video(path, FIRST_SEED + 10 * len(joints) + i, size, n_shots, joints)
        # A decoder's start takes as long as hundreds of small frames: speed is promised for the large ones.
        yield _compare(name, videos, promised=sizes == [LARGE])


def _compare(name: str, videos: dict[Path, list[Boundary]], promised: bool) -> list[Row]:
    """Let everybody find the boundaries of all videos, one after the other."""
    rows: list[Row] = []
    for peer in PEERS:
        rows.append(_row(name, f"PySceneDetect {peer.__name__}", videos, partial(_peer, detector=peer), rows))
    ours = _row(name, "widemargin VideoReader", videos, _ours, rows)
    met = ours.f1 >= rows[0].f1 and (ours.ratio >= LEAST_SPEEDUP or not promised)
    target = f"{LEAST_SPEEDUP} x as fast, F1 not lower" if promised else "F1 not lower"
    return [*rows, replace(ours, target=target, met=met)]


def _row(
    name: str,
    contestant: str,
    videos: dict[Path, list[Boundary]],
    find: Callable[[Iterable[Path]], list[tuple[list[int], int]]],
    others: list[Row],
) -> Row:
    elapsed, cpu, results = timed(lambda: find(videos))
    hits = n_found = 0
    missed: Counter[str] = Counter()
    for (found, _), boundaries in zip(results, videos.values(), strict=True):
        n_found += len(found)
        for boundary in boundaries:
            near = [f for f in found if boundary.first - TOLERANCE <= f <= boundary.last + TOLERANCE]
            hits += bool(near)
            missed[boundary.kind] += not near
            if near:
                found.remove(near[0])
    n_true = sum(map(len, videos.values()))
    return Row(
        name,
        contestant,
        sum(n_frames for _, n_frames in results),
        cpu,
        elapsed,
        hits / max(1, n_found),
        hits / n_true,
        2 * hits / (n_found + n_true),
        ", ".join(f"{count} {kind}" for kind, count in sorted(missed.items()) if count),
        others[0].cpu / cpu if others else 1.0,
    )


def _peer(paths: Iterable[Path], detector: Callable[[], SceneDetector]) -> list[tuple[list[int], int]]:
    """Return the first frames of scenes but the first, and the number of frames, of each video."""
    results = []
    for path in paths:
        manager = SceneManager()
        manager.add_detector(detector())
        n_frames = manager.detect_scenes(VideoStreamAv(str(path), threading_mode="NONE"))
        results.append(([start.frame_num for start, _ in manager.get_scene_list()][1:], n_frames))
    return results


def _ours(paths: Iterable[Path]) -> list[tuple[list[int], int]]:
    """Do the same with a key frame of each shot, in a process of its own whose start counts."""
    settings = ShotSettings(n_extra_frames=0)
    with VideoReader() as reader:
        summaries = [reader.read(path, settings, lambda key_frame: None) for path in paths]
    return [([round(shot.start * RATE) for shot in found.shots[1:]], found.n_frames) for found in summaries]
