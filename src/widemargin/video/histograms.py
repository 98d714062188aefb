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

__all__ = ["N_BINS", "N_LUMA_BINS", "frame_histogram"]

Histogram = npt.NDArray[np.float32]
Plane = npt.NDArray[np.uint8] | npt.NDArray[np.uint16]

# The first values of `frame_histogram` are of brightness; the rest are half of blue and half of red difference.
N_LUMA_BINS = 32
_N_CHROMA_BINS = 24
N_BINS = N_LUMA_BINS + 2 * _N_CHROMA_BINS

# How much brightness and each colour difference count. Found better than equal shares for films without colours,
# and as good for others.
_LUMA_SHARE, _CHROMA_SHARE = 0.4, 0.3
# Whole rows are read, a few of them, about so many samples in all: neighbours in memory take a quarter of the time
# of as many samples on a square grid.
_N_LUMA_SAMPLES, _N_CHROMA_SAMPLES = 24_000, 12_000
_LAYOUTS = re.compile(
    r"(?:yuva?(?P<full>j?)4\d\dp|(?P<grey>gray)|nv(?:12|16|24))(?:(?P<bits>9|10|12|14|16)le)?"
)
_FULL_RANGE = 2
_NEUTRAL = 128


def frame_histogram(frame: av.VideoFrame) -> Histogram:
    """Return the distribution of brightness and of the two colour differences over a frame.

    About 50,000 samples of evenly spaced rows are counted, whatever the size of the frame, straight from the planes of
    YUV and grey frames of 8 to 16 bits; frames of any other layout are converted first. A value counts for the two
    bins nearest to it, in proportion, so that a slight change of brightness changes the histogram slightly.

    Parameters
    ----------
    frame : av.VideoFrame
        A decoded picture.

    Returns
    -------
    array of float32 of shape (N_BINS,)
        The shares of each bin of brightness, which sum to 0.4, and of blue and of red difference, which sum to 0.3
        each. A frame without planes of colour is as one whose planes are neutral.

    Examples
    --------
    >>> import av
    >>> import numpy as np
    >>> from widemargin.video.histograms import frame_histogram
    >>> white = av.VideoFrame.from_ndarray(np.full((48, 64), 255, np.uint8), format="gray")
    >>> histogram = frame_histogram(white)
    >>> histogram.shape, round(float(histogram.sum()), 5), round(float(histogram[31]), 5)
    ((80,), 1.0, 0.4)
    """
    layout = _LAYOUTS.fullmatch(frame.format.name)
    if layout is None:
        frame = frame.reformat(format="yuv420p")
        layout = _LAYOUTS.fullmatch(frame.format.name)
        assert layout is not None
    grey = layout["grey"] is not None
    bits = int(layout["bits"] or 8)
    luma_bins, chroma_bins = _bin_weights(frame.color_range == _FULL_RANGE or bool(layout["full"]) or grey)
    luma, *chroma = _planes(frame, bits, grey)
    histogram = np.zeros(N_BINS, np.float32)
    histogram[:N_LUMA_BINS] = _LUMA_SHARE * _levels(luma, bits, _N_LUMA_SAMPLES) @ luma_bins
    parts = histogram[N_LUMA_BINS:].reshape(2, _N_CHROMA_BINS)
    if grey:
        parts[:] = _CHROMA_SHARE * chroma_bins[_NEUTRAL]
    for part, plane in zip(parts, chroma, strict=False):
        part[:] = _CHROMA_SHARE * _levels(plane, bits, _N_CHROMA_SAMPLES) @ chroma_bins
    return histogram


def _levels(plane: Plane, bits: int, n_samples: int) -> Histogram:
    """Return the share of each of 256 levels among the samples of evenly spaced rows."""
    counts = np.zeros(256, np.uint32)
    _native.plane_histogram(plane, max(1, round(plane.size / n_samples)), 1, bits - 8, counts)
    levels = counts.astype(np.float32)
    return levels / levels.sum()


def _planes(frame: av.VideoFrame, bits: int, grey: bool) -> list[Plane]:
    """Return brightness and colour differences as they lie in memory."""
    n_bytes = 1 if bits == 8 else 2
    planes: list[Plane] = []
    for plane in frame.planes[: 1 if grey else 3]:
        # Rows are padded; what is behind the last one may not be there.
        samples = np.frombuffer(memoryview(plane), f"u{n_bytes}")
        row = plane.line_size // n_bytes
        planes.append(samples[: row * plane.height].reshape(plane.height, row))
    widths = [plane.width for plane in frame.planes]
    if len(planes) == 2:
        both = planes.pop()[:, : 2 * widths[1]]
        return [planes[0][:, : widths[0]], both[:, ::2], both[:, 1::2]]
    return [samples[:, :width] for samples, width in zip(planes, widths, strict=False)]


@cache
def _bin_weights(full_range: bool) -> tuple[Histogram, Histogram]:
    """Return how much each of 256 levels counts for each bin of brightness and of a colour difference."""
    levels = np.arange(256.0)
    if full_range:
        luma, chroma = levels / 255, (levels - 128) / 127
    else:
        luma, chroma = (levels - 16) / 219, (levels - 128) / 112
    # Most colours are near to grey, where bins have to be narrow.
    spread = np.sign(chroma) * np.sqrt(np.minimum(1.0, np.abs(chroma)))
    return _shares(luma, N_LUMA_BINS), _shares((spread + 1) / 2, _N_CHROMA_BINS)


def _shares(positions: npt.NDArray[np.float64], n_bins: int) -> Histogram:
    """Return the weights of linear interpolation between `n_bins` bins with centres evenly spaced over [0, 1]."""
    places = np.clip(positions, 0.0, 1.0) * (n_bins - 1)
    return np.maximum(0.0, 1.0 - np.abs(places[:, None] - np.arange(n_bins))).astype(np.float32)
