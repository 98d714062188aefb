"""Histograms of frames in many layouts, which are those of the same picture."""

from itertools import pairwise

import numpy as np
import pytest

from widemargin.video.histograms import N_BINS, N_LUMA_BINS, frame_histogram

av = pytest.importorskip("av")


def picture(height=96, width=128):
    rows, columns = np.mgrid[:height, :width]
    return np.stack([columns * 2 % 256, rows * 2 % 256, (rows + columns) % 256], axis=2).astype(np.uint8)


def frame(layout, **size):
    return av.VideoFrame.from_ndarray(picture(**size), format="rgb24").reformat(format=layout)


def distance(first, second):
    return np.abs(first - second).sum() / 2


# Other subsampling and depths round colours differently, by less than a bin; full range has more levels.
@pytest.mark.parametrize(
    "layout",
    [
        "yuv422p",
        "yuv444p",
        "yuvj420p",
        "yuvj444p",
        "nv12",
        "yuva420p",
        "yuv420p10le",
        "yuv444p12le",
        "yuv420p16le",
        "rgb24",
        "bgra",
        "gbrp",
        "yuyv422",
        "yuv420p10be",
    ],
)
def test_layouts_agree(layout):
    histogram = frame_histogram(frame(layout))
    assert histogram.dtype == np.float32
    assert histogram.shape == (N_BINS,)
    assert histogram.sum() == pytest.approx(1, abs=1e-5)
    assert histogram.min() >= 0
    assert distance(histogram, frame_histogram(frame("yuv420p"))) < 0.04


@pytest.mark.parametrize("layout", ["gray", "gray10le", "gray16le"])
def test_grey_is_as_colours_that_are_neutral(layout):
    histogram = frame_histogram(frame(layout))
    colourless = frame("gray").reformat(format="yuv444p")
    assert distance(histogram, frame_histogram(colourless)) < 0.04
    brightness = frame_histogram(frame("yuv444p"))[:N_LUMA_BINS]
    assert distance(histogram[:N_LUMA_BINS], brightness) < 0.04


@pytest.mark.parametrize("layout", ["yuv444p", "yuv420p10le", "gray", "rgb24"])
@pytest.mark.parametrize("size", [(1, 1), (1, 7), (33, 35), (2, 4000)])
def test_any_size(layout, size):
    height, width = size
    histogram = frame_histogram(frame(layout, height=height, width=width))
    assert histogram.sum() == pytest.approx(1, abs=1e-5)


def test_black_and_white_in_both_ranges():
    for layout in ("yuv420p", "yuvj420p", "gray"):
        for level, at in ((0, 0), (255, N_LUMA_BINS - 1)):
            flat = av.VideoFrame.from_ndarray(np.full((32, 32, 3), level, np.uint8), format="rgb24")
            histogram = frame_histogram(flat.reformat(format=layout))
            assert np.argmax(histogram) == at, layout


def test_a_slight_change_of_brightness_changes_the_histogram_slightly():
    histograms = [
        frame_histogram(av.VideoFrame.from_ndarray(np.full((32, 32), level, np.uint8), format="gray"))
        for level in range(256)
    ]
    steps = [distance(first, second) for first, second in pairwise(histograms)]
    # A level counts for two bins, whose centres are 255 / (N_LUMA_BINS - 1) levels apart.
    assert max(steps) <= (N_LUMA_BINS - 1) / 255 + 1e-5


def test_size_matters_little():
    small, large = frame_histogram(frame("yuv420p")), frame_histogram(frame("yuv420p").reformat(1280, 960))
    assert distance(small, large) < 0.05
