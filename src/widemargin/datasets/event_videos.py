"""Untrimmed videos made of pictures, of which it is known what every shot shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image
from sklearn.utils import check_random_state

from widemargin.validation import check_flag, check_integer, check_number
from widemargin.video import write_video

__all__ = ["EventVideos", "make_event_videos"]

Picture = npt.NDArray[np.uint8]

_BRIGHTNESS = 0.3
_TRIES = 200


@dataclass(frozen=True, eq=False)
class EventVideos:
    """Files of videos with the truth about each.

    Parameters
    ----------
    paths : tuple of Path
        The files.
    events : tuple of str
        The event of each video; empty where it is of none.
    shots : tuple of array of shape (n_shots, 2)
        Start and end of each shot of each video, in seconds.
    shown : tuple of tuple of str
        The event that each shot of each video shows; empty where it shows none.
    """

    paths: tuple[Path, ...]
    events: tuple[str, ...]
    shots: tuple[npt.NDArray[np.float64], ...]
    shown: tuple[tuple[str, ...], ...]

    def shown_at(self, video: int, times: npt.ArrayLike) -> tuple[str, ...]:
        """Return what a video shows at some times, such as those of the key frames that were found.

        Parameters
        ----------
        video : int
            Which video, from 0.
        times : array-like of shape (n_times,)
            Seconds.

        Returns
        -------
        tuple of str
            One event a time, or an empty text; times before and after the video count for its first and last shot.
        """
        starts = self.shots[video][1:, 0]
        # Containers round times to milliseconds.
        places = np.searchsorted(starts, np.asarray(times, dtype=np.float64) + 1e-3, side="right")
        return tuple(self.shown[video][place] for place in places)


@dataclass(frozen=True, eq=False)
class _Take:
    """One shot: a window that moves over a picture from one place and size to another."""

    picture: Picture
    first: npt.NDArray[np.float64]
    last: npt.NDArray[np.float64]
    mirrored: bool
    brightness: float
    noise: float
    n_frames: int


def make_event_videos(
    folder: str | Path,
    pictures: Mapping[str, Sequence[npt.ArrayLike]],
    others: Sequence[npt.ArrayLike] = (),
    *,
    n_videos: int = 4,
    n_other_videos: int = 0,
    n_shots: tuple[int, int] = (8, 12),
    n_relevant: tuple[int, int] = (2, 3),
    mixed: bool = False,
    seconds: tuple[float, float] = (0.8, 1.4),
    rate: float = 10.0,
    size: tuple[int, int] = (160, 120),
    window: tuple[float, float] = (0.55, 0.9),
    motion: float = 0.25,
    noise: float = 8.0,
    random_state: int | np.random.RandomState | None = None,
) -> EventVideos:
    """Make videos in which a few shots show an event and the rest do not.

    Every shot is a camera over one picture: a window of the picture that moves and grows or shrinks evenly, mirrored
    in half of the shots, at a brightness that differs by up to 30 %, with grain. Shots follow each other by cuts. A
    video of an event has some shots of pictures of this event, at places drawn at random; its other shots, and all
    shots of a video of no event, are of `others`, and if `mixed` also of pictures of other events, each of these
    events in one shot at most. No picture follows itself, unless a video has only one.

    Parameters
    ----------
    folder : str or Path
        Existing folder of the files, ``video-0000.mp4`` and so on.
    pictures : mapping of str to sequence of array-like of uint8 of shape (height, width, 3) or (height, width)
        Pictures of each event; at least one.
    others : sequence of array-like of uint8, default=()
        Pictures of no event.
    n_videos : int, default=4
        Videos of each event, at least 1.
    n_other_videos : int, default=0
        Videos of no event, at least 0.
    n_shots : (int, int), default=(8, 12)
        Least and largest number of shots of a video, at least 1.
    n_relevant : (int, int), default=(2, 3)
        Least and largest number of them that show the event, from 1 to the least `n_shots`.
    mixed : bool, default=False
        Whether the other shots may show other events.
    seconds : (float, float), default=(0.8, 1.4)
        Shortest and longest shot, above 0; rounded to frames, at least 1.
    rate : float, default=10.0
        Frames a second.
    size : (int, int), default=(160, 120)
        Width and height of the videos in pixels, even numbers of at least 16.
    window : (float, float), default=(0.55, 0.9)
        Least and largest size of the window, as a share of the largest one that fits into the picture, above 0 and at
        most 1. Above 0.5 it always holds the centre of the picture, across the shorter side of what fits.
    motion : float, default=0.25
        How far a window moves in a shot at most, and how much it grows or shrinks, as a share of its size, in [0, 1].
    noise : float, default=8.0
        Largest standard deviation of the grain in levels of brightness, of 255, at least 0; each shot has its own.
    random_state : int, RandomState instance or None, default=None
        Seed of all draws.

    Returns
    -------
    EventVideos
        Files and truth: the videos of the first event first, those of no event last.

    Raises
    ------
    ImportError
        If PyAV is missing.
    TypeError
        If a parameter has the wrong type.
    ValueError
        If a parameter is outside its range, a picture is none, or there are no pictures for the other shots.
    WriteError
        If a file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> import numpy as np
    >>> from widemargin.datasets import make_event_videos
    >>> stripes = np.tile(np.uint8([250, 20]), (90, 60))
    >>> plain = [np.full((90, 120), grey, dtype=np.uint8) for grey in (60, 120, 180)]
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     videos = make_event_videos(
    ...         folder, {"stripes": [stripes]}, plain, n_videos=1, n_shots=(4, 4), n_relevant=(1, 1), random_state=0
    ...     )
    ...     videos.paths[0].name, videos.events[0], sorted(videos.shown[0])
    ('video-0000.mp4', 'stripes', ['', '', '', 'stripes'])
    """
    n_videos = check_integer("n_videos", n_videos, at_least=1)
    n_other_videos = check_integer("n_other_videos", n_other_videos, at_least=0)
    n_shots = _integers("n_shots", n_shots)
    n_relevant = _integers("n_relevant", n_relevant)
    check_flag("mixed", mixed)
    seconds = _numbers("seconds", seconds)
    rate = check_number("rate", rate, at_least=0.1, at_most=1000)
    size = _integers("size", size, at_least=16, ordered=False)
    window = _numbers("window", window)
    motion = check_number("motion", motion, at_least=0, at_most=1)
    noise = check_number("noise", noise, at_least=0)
    if n_relevant[1] > n_shots[0]:
        raise ValueError(
            f"n_relevant is {n_relevant} and n_shots is {n_shots}: allow at most as many relevant shots as a video has."
        )
    if window[1] > 1:
        raise ValueError(f"window is {window}: give shares of the picture, at most 1.")
    by_event = {
        str(event): [_read_picture(f"pictures[{event!r}][{place}]", found) for place, found in enumerate(own)]
        for event, own in pictures.items()
    }
    plain = [_read_picture(f"others[{place}]", found) for place, found in enumerate(others)]
    _check_stock(by_event, plain, mixed, n_shots[1], n_relevant[0], n_other_videos)

    rng = check_random_state(random_state)
    folder = Path(folder)
    events = [event for event in by_event for _ in range(n_videos)] + [""] * n_other_videos
    paths, shots, shown = [], [], []
    for number, event in enumerate(events):
        script = _script(rng, event, by_event, plain, mixed, n_shots, n_relevant)
        takes = [_take(rng, picture, size, seconds, rate, window, motion, noise) for picture, _ in script]
        path = folder / f"video-{number:04d}.mp4"
        write_video(path, _frames(rng, takes, size), rate=rate)
        ends = np.cumsum([take.n_frames for take in takes]) / rate
        paths.append(path)
        shots.append(np.column_stack([np.append(0.0, ends[:-1]), ends]))
        shown.append(tuple(name for _, name in script))
    return EventVideos(tuple(paths), tuple(events), tuple(shots), tuple(shown))


def _integers(
    name: str, pair: tuple[int, int], *, at_least: int = 1, ordered: bool = True
) -> tuple[int, int]:
    first, second = (check_integer(name, value, at_least=at_least) for value in _pair(name, pair))
    if ordered and first > second:
        raise ValueError(f"{name} is {pair}: give the least number first.")
    return first, second


def _numbers(name: str, pair: tuple[float, float]) -> tuple[float, float]:
    first, second = (check_number(name, value, above=0) for value in _pair(name, pair))
    if first > second:
        raise ValueError(f"{name} is {pair}: give the least number first.")
    return first, second


def _pair(name: str, pair: Any) -> tuple[Any, Any]:
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        raise ValueError(f"{name} must be a pair of numbers, got {pair!r}: pass (least, largest).")
    return pair[0], pair[1]


def _read_picture(name: str, picture: npt.ArrayLike) -> Picture:
    """Return a picture with three colours."""
    array = np.asarray(picture)
    if (
        array.dtype != np.uint8
        or array.ndim not in (2, 3)
        or 0 in array.shape
        or array.shape[2:] not in ((), (3,))
    ):
        raise ValueError(
            f"{name} has shape {array.shape} and type {array.dtype}: pass pictures of uint8 of shape (height, width) "
            "or (height, width, 3)."
        )
    return array if array.ndim == 3 else np.repeat(array[..., None], 3, axis=2)


def _check_stock(
    by_event: Mapping[str, Sequence[Picture]],
    plain: Sequence[Picture],
    mixed: bool,
    most: int,
    relevant: int,
    n_other_videos: int,
) -> None:
    """Raise ValueError if there are no pictures for some shots."""
    if not by_event:
        raise ValueError("pictures has no event: pass at least one with its pictures.")
    for event, own in by_event.items():
        if not event or not own:
            raise ValueError(
                f"pictures has the event {event!r} with {len(own)} pictures: give it a name and at least one picture."
            )
    if plain:
        return
    if not mixed:
        raise ValueError("others is empty, and mixed is False: pass pictures of no event, or mixed=True.")
    needed = most if n_other_videos else most - relevant
    available = len(by_event) - (0 if n_other_videos else 1)
    if needed > available:
        raise ValueError(
            f"others is empty, and up to {needed} other shots are drawn from {available} other events, each once: pass "
            "pictures of no event, or fewer n_shots."
        )


def _script(
    rng: np.random.RandomState,
    event: str,
    by_event: Mapping[str, Sequence[Picture]],
    plain: Sequence[Picture],
    mixed: bool,
    n_shots: tuple[int, int],
    n_relevant: tuple[int, int],
) -> list[tuple[Picture, str]]:
    """Return the picture of every shot of one video, with the event that it shows."""
    total = rng.randint(n_shots[0], n_shots[1] + 1)
    relevant = rng.randint(n_relevant[0], n_relevant[1] + 1) if event else 0
    shots = [(picture, event) for picture in _drawn(rng, by_event[event], relevant)] if event else []
    stock: list[tuple[Picture, str]] = []
    if mixed:
        stock += [(own[rng.randint(len(own))], name) for name, own in by_event.items() if name != event]
    n_rest = total - relevant
    # Every other event once at most; pictures of no event as often as it takes.
    stock += (
        [(picture, "") for picture in _drawn(rng, plain, max(n_rest - len(stock), len(plain)))]
        if plain
        else []
    )
    shots += [stock[place] for place in rng.permutation(len(stock))[:n_rest]]
    for _ in range(_TRIES):
        order = rng.permutation(total)
        if all(shots[a][0] is not shots[b][0] for a, b in pairwise(order)):
            break
    return [shots[place] for place in order]


def _drawn(rng: np.random.RandomState, stock: Sequence[Picture], count: int) -> list[Picture]:
    """Draw pictures, each equally often, give or take one."""
    rounds = -(-count // len(stock))
    places = np.concatenate([rng.permutation(len(stock)) for _ in range(rounds)] or [np.zeros(0, int)])
    return [stock[place] for place in places[:count]]


def _take(
    rng: np.random.RandomState,
    picture: Picture,
    size: tuple[int, int],
    seconds: tuple[float, float],
    rate: float,
    window: tuple[float, float],
    motion: float,
    noise: float,
) -> _Take:
    height, width = picture.shape[:2]
    # The largest window of the shape of the video.
    largest = np.array(size) * min(width / size[0], height / size[1])
    share = rng.uniform(*window)
    zoom = 1 + motion * rng.uniform(-1, 1)
    extents = [largest * share, largest * np.clip(share * zoom, window[0], window[1])]
    room = np.array([width, height]) - extents[0]
    corner = rng.uniform(size=2) * room
    shift = motion * rng.uniform(-1, 1, size=2) * extents[0]
    last = np.clip(corner + shift, 0, np.array([width, height]) - extents[1])
    return _Take(
        picture,
        np.concatenate([corner, corner + extents[0]]),
        np.concatenate([last, last + extents[1]]),
        bool(rng.randint(2)),
        1 + _BRIGHTNESS * rng.uniform(-1, 1),
        noise * rng.uniform(),
        max(round(rate * rng.uniform(*seconds)), 1),
    )


def _frames(rng: np.random.RandomState, takes: Sequence[_Take], size: tuple[int, int]) -> Iterator[Picture]:
    """Yield the frames of all shots."""
    for take in takes:
        picture = Image.fromarray(take.picture[:, ::-1] if take.mirrored else take.picture)
        first, last = take.first, take.last
        grain = rng.normal(scale=max(take.noise, 1e-9), size=(size[1], size[0], 3)).astype(np.float32)
        for place in np.linspace(0, 1, take.n_frames):
            box = tuple((1 - place) * first + place * last)
            frame = np.asarray(picture.resize(size, Image.Resampling.BILINEAR, box=box), dtype=np.float32)
            # The same grain at another place: new numbers for every frame take most of the time.
            moved = np.roll(grain, tuple(rng.randint(0, size[::-1])), axis=(0, 1))
            yield np.clip(frame * np.float32(take.brightness) + moved, 0, 255).astype(np.uint8)
