"""Long videos cut together from pieces of short ones."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image

from widemargin.datasets.files import DatasetError
from widemargin.validation import check_integer, check_number
from widemargin.video import write_video

__all__ = ["splice_videos"]

Picture = npt.NDArray[np.uint8]


def splice_videos(
    path: str | Path,
    pieces: Sequence[tuple[str | Path, float, float]],
    *,
    size: tuple[int, int] = (320, 240),
    rate: float = 12.5,
) -> npt.NDArray[np.float64]:
    """Cut pieces of videos together.

    Videos are decoded in this process, up to the end of each piece: use files that are known to be sound.

    Parameters
    ----------
    path : str or Path
        The file to write, as `widemargin.video.write_video` takes it.
    pieces : sequence of (str or Path, float, float)
        File of each piece, and its start and end in seconds from the first frame of the file; at least one.
    size : (int, int), default=(320, 240)
        Width and height of the result in pixels, even numbers of at least 16; frames are stretched to it.
    rate : float, default=12.5
        Frames a second of the result, from 0.1 to 1000. The last frame that is not later than a time is shown then.

    Returns
    -------
    ndarray of shape (n_pieces, 2)
        Start and end of each piece in the result, in seconds.

    Raises
    ------
    ImportError
        If PyAV is missing.
    DatasetError
        If a file cannot be decoded, or has no frame in its piece.
    ValueError
        If there is no piece, one ends before it starts, or a parameter is outside its range.
    WriteError
        If the file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import numpy as np
    >>> from widemargin.datasets import splice_videos
    >>> from widemargin.video import write_video
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     dark, bright = Path(folder) / "dark.mp4", Path(folder) / "bright.mp4"
    ...     for path, level in ((dark, 30), (bright, 200)):
    ...         _ = write_video(path, np.full((25, 48, 64, 3), level), rate=25)
    ...     splice_videos(Path(folder) / "both.mp4", [(dark, 0.2, 0.6), (bright, 0.0, 0.8)], rate=10).tolist()
    [[0.0, 0.4], [0.4, 1.2]]
    """
    width, height = (check_integer("size", value, at_least=16) for value in size)
    rate = check_number("rate", rate, at_least=0.1, at_most=1000)
    if not len(pieces):
        raise ValueError("pieces is empty: pass at least one.")
    for number, (_, start, end) in enumerate(pieces):
        if not 0 <= start < end < math.inf:
            raise ValueError(
                f"pieces[{number}] is from {start} to {end} seconds: give a start, and an end after it."
            )
    counts: list[int] = []

    def frames() -> Iterator[Picture]:
        for file, start, end in pieces:
            times = start + np.arange(max(round((end - start) * rate), 1)) / rate
            counts.append(len(times))
            yield from _frames_at(Path(file), times, (width, height))

    write_video(path, frames(), rate=rate)
    ends = np.cumsum(counts) / rate
    return np.column_stack([np.append(0.0, ends[:-1]), ends])


def _frames_at(file: Path, times: npt.NDArray[np.float64], size: tuple[int, int]) -> Iterator[Picture]:
    """Yield the frame that is shown at each time; the last one of the file stands for all later ones."""
    av = _av()
    shown: Picture | None = None
    waiting = list(times)
    try:
        with av.open(str(file)) as container:
            first: float | None = None
            for frame in container.decode(video=0):
                if frame.time is None:
                    raise DatasetError(f"{file} has frames without a time: such files cannot be cut.")
                first = frame.time if first is None else first
                # A tick of most containers is a millisecond or less.
                while waiting and shown is not None and frame.time - first > waiting[0] + 1e-3:
                    yield shown
                    waiting.pop(0)
                if not waiting:
                    return
                shown = np.asarray(frame.to_image().resize(size, Image.Resampling.BILINEAR))
    except (av.error.FFmpegError, IndexError) as error:
        raise DatasetError(f"{file} cannot be decoded as a video ({error}): replace it.") from error
    if shown is None:
        raise DatasetError(f"{file} has no frame: replace it.")
    yield from (shown for _ in waiting)


def _av() -> Any:
    try:
        import av
    except ImportError as error:
        raise ImportError(
            "Videos are decoded with PyAV, which is not installed: install it with pip install 'widemargin[video]'."
        ) from error
    return av
