"""Pictures of videos to features, concepts and thumbnails, while the decoder is at work on the next ones."""

from __future__ import annotations

import io
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from PIL import Image

from widemargin.events.index.files import StoredVideo
from widemargin.networks import ImageNetwork
from widemargin.video import KeyFrame, VideoSummary

__all__ = ["DescriptionQueue", "PictureDescriber", "thumbnail"]

_BATCH = 8
# Pictures of extreme shapes are large: their shorter side is what is limited.
_BATCH_BYTES = 2**24
# About sixty ordinary pictures: as many as the network describes while a short video is decoded.
_QUEUE_BYTES = 2**24
_THUMBNAIL_SIDE = 240
_THUMBNAIL_QUALITY = 80

Pictures = list[npt.NDArray[np.uint8]]


@dataclass(frozen=True, eq=False)
class _Described:
    """What the networks tell of a batch of pictures: features by network, and concepts."""

    features: tuple[npt.NDArray[Any], ...]
    concepts: npt.NDArray[Any]


class DescriptionQueue:
    """Takes pictures of one video after another through the networks, in a thread of its own and in bounded memory.

    Only one thread may put pictures into it.

    Parameters
    ----------
    networks : sequence of ImageNetwork
        The networks through which each picture goes. Concepts are those of the first that has classes.
    max_bytes : int, default=32 MB
        Memory that pictures may hold in the queue. One batch may be in it whatever its size.
    """

    def __init__(self, networks: Sequence[ImageNetwork], max_bytes: int = _QUEUE_BYTES) -> None:
        self._networks = networks
        self._max_bytes = max_bytes
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="describe")
        self._waiting: deque[tuple[Future[_Described], int]] = deque()
        self.n_bytes = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._thread.shutdown(cancel_futures=True)

    def put(self, pictures: Pictures) -> Future[_Described]:
        """Put pictures in, and wait first until there is room for them.

        Parameters
        ----------
        pictures : list of arrays of uint8 of shape (height, width, 3)
            The pictures.

        Returns
        -------
        Future
            What the networks will have told of them.
        """
        size = sum(pixels.nbytes for pixels in pictures)
        while self._waiting and (self._waiting[0][0].done() or self.n_bytes + size > self._max_bytes):
            oldest, its_size = self._waiting.popleft()
            wait((oldest,))
            self.n_bytes -= its_size
        future = self._thread.submit(self._describe, pictures)
        self._waiting.append((future, size))
        self.n_bytes += size
        return future

    def _describe(self, pictures: Pictures) -> _Described:
        outputs = [network.describe(pictures) for network in self._networks]
        concepts = next((output.concepts for output in outputs if output.concepts.shape[1]), None)
        return _Described(
            tuple(output.features for output in outputs),
            outputs[0].concepts if concepts is None else concepts,
        )


class PictureDescriber:
    """Gathers the pictures of one video into batches, and what becomes of them into the record of the video.

    Parameters
    ----------
    queue : DescriptionQueue
        Where they are described.
    """

    def __init__(self, queue: DescriptionQueue) -> None:
        self._queue = queue
        self._batch: Pictures = []
        # An empty batch says how many columns there are, if the video gives no picture of a sort.
        self._parts = [queue.put([])]
        self._thumbnails: list[bytes] = []
        self._shots: list[int | None] = []

    def add(self, key_frame: KeyFrame) -> None:
        """Take a picture, and wait while too many are in the queue.

        Parameters
        ----------
        key_frame : KeyFrame
            The picture.

        Raises
        ------
        NetworkError
            If a network failed on an earlier picture of the video.
        """
        self._shots.append(key_frame.shot)
        self._thumbnails.append(thumbnail(key_frame.pixels))
        self._batch.append(key_frame.pixels)
        if len(self._batch) == _BATCH or sum(pixels.nbytes for pixels in self._batch) >= _BATCH_BYTES:
            self.send()

    def send(self) -> None:
        """Put the gathered pictures into the queue, after the last one at the latest.

        Raises
        ------
        NetworkError
            If a network failed on an earlier picture of the video.
        """
        for part in self._parts:
            if part.done():
                part.result()
        if self._batch:
            self._parts.append(self._queue.put(self._batch))
            self._batch = []

    def finish(self, summary: VideoSummary) -> StoredVideo:
        """Wait until all pictures that were sent are described, and put those of shots and the extra ones in order.

        This may be called from another thread than the rest.

        Parameters
        ----------
        summary : VideoSummary
            What the decoder told of the video.

        Returns
        -------
        StoredVideo
            All that an index keeps of the video.

        Raises
        ------
        NetworkError
            If a network failed on a picture.
        """
        parts = [part.result() for part in self._parts]
        rows = {shot: row for row, shot in enumerate(self._shots)}
        own = [rows[shot] for shot in range(len(summary.shots))]
        extra = [row for row, shot in enumerate(self._shots) if shot is None]
        features = [np.concatenate(arrays) for arrays in zip(*(part.features for part in parts), strict=True)]
        concepts = np.concatenate([part.concepts for part in parts])
        return StoredVideo(
            summary,
            tuple(array[own] for array in features),
            concepts[own],
            tuple(array[extra] for array in features),
            concepts[extra],
            tuple(self._thumbnails[row] for row in own),
            tuple(self._thumbnails[row] for row in extra),
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
