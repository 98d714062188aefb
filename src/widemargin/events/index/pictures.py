"""Pictures of a video to features, concepts and thumbnails, while the decoder is at work on the next ones."""

from __future__ import annotations

import io
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from PIL import Image

from widemargin.events.index.files import StoredVideo
from widemargin.networks import ImageNetwork
from widemargin.video import KeyFrame, VideoSummary

__all__ = ["PictureDescriber", "thumbnail"]

_BATCH = 16
# Pictures of extreme shapes are large: their shorter side is what is limited.
_BATCH_BYTES = 2**26
# One batch goes through the networks, one waits, and one is gathered.
_LARGEST_QUEUE = 2
_THUMBNAIL_SIDE = 240
_THUMBNAIL_QUALITY = 80


@dataclass(frozen=True, eq=False)
class _Described:
    """What is kept of a batch of pictures: features by network, concepts, and small pictures."""

    features: tuple[npt.NDArray[Any], ...]
    concepts: npt.NDArray[Any]
    thumbnails: tuple[bytes, ...]


class PictureDescriber:
    """Describes the pictures of one video in another thread, holding a few batches of them at most.

    Parameters
    ----------
    networks : sequence of ImageNetwork
        The networks through which each picture goes. Concepts are those of the first that has classes.
    """

    def __init__(self, networks: Sequence[ImageNetwork]) -> None:
        self._networks = networks
        self._thread = ThreadPoolExecutor(max_workers=1)
        self._queue: deque[Future[_Described]] = deque()
        self._batch: list[npt.NDArray[np.uint8]] = []
        # An empty batch says how many columns there are, if the video gives no picture of a sort.
        self._done = [self._describe([])]
        self._shots: list[int | None] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.shutdown(cancel_futures=True)

    def add(self, key_frame: KeyFrame) -> None:
        """Take a picture, and wait while too many are in the queue.

        Parameters
        ----------
        key_frame : KeyFrame
            The picture.
        """
        self._shots.append(key_frame.shot)
        self._batch.append(key_frame.pixels)
        if len(self._batch) == _BATCH or sum(pixels.nbytes for pixels in self._batch) >= _BATCH_BYTES:
            self._send()

    def finish(self, summary: VideoSummary) -> StoredVideo:
        """Wait for the last pictures, and put those of shots and the extra ones in order.

        Parameters
        ----------
        summary : VideoSummary
            What the decoder told of the video.

        Returns
        -------
        StoredVideo
            All that an index keeps of the video.
        """
        self._send()
        while self._queue:
            self._done.append(self._queue.popleft().result())
        rows = {shot: row for row, shot in enumerate(self._shots)}
        own = [rows[shot] for shot in range(len(summary.shots))]
        extra = [row for row, shot in enumerate(self._shots) if shot is None]
        features = [
            np.concatenate(parts) for parts in zip(*(part.features for part in self._done), strict=True)
        ]
        concepts = np.concatenate([part.concepts for part in self._done])
        thumbnails = [picture for part in self._done for picture in part.thumbnails]
        return StoredVideo(
            summary,
            tuple(array[own] for array in features),
            concepts[own],
            tuple(array[extra] for array in features),
            concepts[extra],
            tuple(thumbnails[row] for row in own),
            tuple(thumbnails[row] for row in extra),
        )

    def _send(self) -> None:
        """Put the gathered pictures into the queue."""
        while len(self._queue) >= _LARGEST_QUEUE:
            self._done.append(self._queue.popleft().result())
        if self._batch:
            self._queue.append(self._thread.submit(self._describe, self._batch))
            self._batch = []

    def _describe(self, pictures: list[npt.NDArray[np.uint8]]) -> _Described:
        outputs = [network.describe(pictures) for network in self._networks]
        concepts = next((output.concepts for output in outputs if output.concepts.shape[1]), None)
        return _Described(
            tuple(output.features for output in outputs),
            outputs[0].concepts if concepts is None else concepts,
            tuple(thumbnail(picture) for picture in pictures),
        )


def thumbnail(pixels: npt.NDArray[np.uint8]) -> bytes:
    """Return a picture as a small JPEG file.

    Parameters
    ----------
    pixels : array of uint8 of shape (height, width, 3)
        The picture, RGB.

    Returns
    -------
    bytes
        The file; the longer side has at most 240 pixels.
    """
    picture = Image.fromarray(pixels)
    picture.thumbnail((_THUMBNAIL_SIDE, _THUMBNAIL_SIDE), Image.Resampling.BILINEAR)
    file = io.BytesIO()
    picture.save(file, "JPEG", quality=_THUMBNAIL_QUALITY)
    return file.getvalue()
