"""Colour histograms of decoded frames, read where the decoder left them."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from widemargin import _native

if TYPE_CHECKING:
    import av

__all__ = ["N_BINS", "frame_histogram"]

Histogram = npt.NDArray[np.float32]

_N_LUMA = 32
_N_CHROMA = 24
# Number of values of `frame_histogram`.
N_BINS = _N_LUMA + 2 * _N_CHROMA

# Samples read of one plane, about: enough that the noise of sampling stays far below the difference of two shots.
_N_SAMPLES = 16384
_LAYOUTS = re.compile(
    r"(?:yuva?(?P<full>j?)4\d\dp|(?P<grey>gray)|nv(?:12|16|24))(?:(?P<bits>9|10|12|14|16)le)?"
)
_FULL_RANGE = 2


def frame_histogram(frame: av.VideoFrame) -> Histogram:
    """Return the distribution of brightness and of the two colour differences over a frame.

    About 30,000 samples on a regular grid are counted, whatever the size of the frame, straight from the planes of YUV
    and grey frames of 8 to 16 bits; frames of any other layout are converted first. A value counts for the two bins
    nearest to it, in proportion, so that a slight change of brightness changes the histogram slightly.

    Parameters
    ----------
    frame : av.VideoFrame
        A decoded picture.

    Returns
    -------
    array of float32 of shape (N_BINS,)
        The shares of brightness, blue and red difference in each bin; each of the three sums to 1/3.

    Examples
    --------
    >>> import av
    >>> import numpy as np
    >>> from widemargin.video.histograms import frame_histogram
    >>> white = av.VideoFrame.from_ndarray(np.full((48, 64), 255, np.uint8), format="gray")
    >>> histogram = frame_histogram(white)
    >>> histogram.shape, round(float(histogram.sum()), 5), round(float(histogram[31]), 5)
    ((80,), 1.0, 0.33333)
    """
    layout = _LAYOUTS.fullmatch(frame.format.name)
    if layout is None:
        frame = frame.reformat(format="yuv420p")
        layout = _LAYOUTS.fullmatch(frame.format.name)
        assert layout is not None
    grey = layout["grey"] is not None
    full_range = frame.color_range == _FULL_RANGE or bool(layout["full"]) or grey
    bits = int(layout["bits"] or 8)
    counts = np.zeros((3, 256), np.uint32)
    if grey:
        counts[1:, 128] = 1
    for part, plane in enumerate(_planes(frame, bits, grey)):
        step = max(1, round((plane.size / _N_SAMPLES) ** 0.5))
        _native.plane_histogram(plane, step, step, bits - 8, counts[part])
    histogram = np.empty(N_BINS, np.float32)
    luma, chroma = _bin_weights(full_range)
    shares = counts / (3.0 * counts.sum(axis=1, keepdims=True))
    histogram[:_N_LUMA] = shares[0] @ luma
    histogram[_N_LUMA:] = (shares[1:] @ chroma).ravel()
    return histogram


def _planes(
    frame: av.VideoFrame, bits: int, grey: bool
) -> list[npt.NDArray[np.uint8] | npt.NDArray[np.uint16]]:
    """Return brightness and colour differences as they lie in memory."""
    dtype = np.uint8 if bits == 8 else np.uint16
    planes = []
    for plane in frame.planes[: 1 if grey else 3]:
        rows = np.frombuffer(plane, np.uint8)[: plane.line_size * plane.height].reshape(
            plane.height, plane.line_size
        )
        planes.append(rows[:, : plane.line_size // dtype().itemsize * dtype().itemsize].view(dtype))
    if len(planes) == 2:
        width = frame.planes[1].width
        return [planes[0][:, : frame.width], planes[1][:, : 2 * width : 2], planes[1][:, 1 : 2 * width : 2]]
    return [samples[:, : plane.width] for samples, plane in zip(planes, frame.planes, strict=False)]


@cache
def _bin_weights(full_range: bool) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return how much each of 256 levels counts for each bin of brightness and of a colour difference."""
    levels = np.arange(256.0)
    if full_range:
        luma, chroma = levels / 255, (levels - 128) / 127
    else:
        luma, chroma = (levels - 16) / 219, (levels - 128) / 112
    # Most colours are near to grey, where bins have to be narrow.
    spread = np.sign(chroma) * np.sqrt(np.minimum(1.0, np.abs(chroma)))
    return _shares(luma, _N_LUMA), _shares((spread + 1) / 2, _N_CHROMA)


def _shares(positions: npt.NDArray[np.float64], n_bins: int) -> npt.NDArray[np.float64]:
    """Return the weights of linear interpolation between `n_bins` bins with centres evenly spaced over [0, 1]."""
    places = np.clip(positions, 0.0, 1.0) * (n_bins - 1)
    return np.maximum(0.0, 1.0 - np.abs(places[:, None] - np.arange(n_bins)))
