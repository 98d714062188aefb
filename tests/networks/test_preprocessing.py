"""Pictures of any size become the square that a network takes, in its own numbers."""

import numpy as np
import pytest
from PIL import Image

from widemargin.networks import NetworkError
from widemargin.networks.preprocessing import PREPROCESSING, centre_square, normalise, preprocessing


def smooth(height, width):
    """A picture whose colours change slowly, so that its scaled versions can be told from its formula."""
    rows, columns = np.mgrid[0:height, 0:width]
    red = 255 * (rows + 0.5) / height
    green = 255 * (columns + 0.5) / width
    blue = 127 + 60 * np.sin(rows / height + 2 * columns / width)
    return np.stack([red, green, blue], axis=2).round().astype(np.uint8)


@pytest.mark.parametrize(
    ("height", "width"),
    [(100, 180), (256, 256), (256, 341), (341, 256), (257, 1000), (720, 1280), (1080, 700), (1500, 1001)],
)
@pytest.mark.parametrize("centre", [0.875, 1.0])
def test_square_is_the_centre_of_the_scaled_picture(height, width, centre):
    side = 64
    shorter = min(height, width)
    scaled = (round(width * side / centre / shorter), round(height * side / centre / shorter))
    picture = smooth(height, width)
    whole = np.asarray(Image.fromarray(picture).resize(scaled, Image.Resampling.BICUBIC)).astype(int)
    top, left = (whole.shape[0] - side) // 2, (whole.shape[1] - side) // 2
    expected = whole[top : top + side, left : left + side]
    square = centre_square(picture, side, centre)
    assert square.shape == (side, side, 3)
    assert square.dtype == np.uint8
    # Rounding the scaled size and the corner shifts the picture by up to one of its 64 pixels, of four steps each.
    assert np.abs(square - expected).max() <= 5


def test_details_finer_than_the_square_are_averaged():
    board = np.indices((2240, 2240)).sum(axis=0) % 2 * 255
    square = centre_square(board.astype(np.uint8), 32, 1.0)
    np.testing.assert_allclose(square, 127.5, atol=2)


def test_a_picture_of_the_right_size_is_cut_and_not_scaled():
    picture = np.random.default_rng(0).integers(0, 256, (256, 300, 3), dtype=np.uint8)
    np.testing.assert_array_equal(centre_square(picture, 224, 0.875), picture[16:240, 38:262])


@pytest.mark.parametrize("shape", [(1, 1), (1, 5000), (5000, 1), (2, 3), (7, 20000), (224, 1), (1, 224)])
def test_tiny_and_long_pictures(shape):
    picture = np.full((*shape, 3), (10, 100, 200), dtype=np.uint8)
    square = centre_square(picture, 224, 0.875)
    np.testing.assert_array_equal(square, np.broadcast_to([10, 100, 200], (224, 224, 3)))


def test_grey_pictures_have_three_equal_colours():
    picture = smooth(90, 120)[:, :, 0]
    square = centre_square(picture, 32, 0.875)
    assert square.shape == (32, 32, 3)
    np.testing.assert_array_equal(square, centre_square(picture[:, :, None], 32, 0.875))
    np.testing.assert_array_equal(square, centre_square(np.repeat(picture[:, :, None], 3, axis=2), 32, 0.875))


def test_the_picture_is_not_changed_and_need_not_be_contiguous():
    picture = smooth(300, 400)
    copy = picture.copy()
    square = centre_square(picture[::-1, ::2], 64, 0.875)
    np.testing.assert_array_equal(picture, copy)
    np.testing.assert_array_equal(square, centre_square(picture[::-1, ::2].copy(), 64, 0.875))


@pytest.mark.parametrize(
    ("picture", "words"),
    [
        (np.zeros((5, 5, 4), np.uint8), r"shape \(5, 5, 4\)"),
        (np.zeros((5, 5, 3)), "float64"),
        (np.zeros((2, 5, 5, 3), np.uint8), r"shape \(2, 5, 5, 3\)"),
        (np.zeros((0, 5, 3), np.uint8), "no pixel"),
        (np.zeros((5, 0), np.uint8), "no pixel"),
        (np.zeros(5, np.uint8), r"shape \(5,\)"),
    ],
)
def test_what_is_no_picture_is_refused(picture, words):
    with pytest.raises(ValueError, match=words):
        centre_square(picture, 32, 0.875)


PUBLISHED = {
    "imagenet": lambda p: (p / 255 - [0.485, 0.456, 0.406]) / [0.229, 0.224, 0.225],
    "lite": lambda p: (p - 127) / 128,
    "caffe": lambda p: p[..., ::-1] - [103.939, 116.779, 123.68],
    "unit": lambda p: p / 255,
    "clip": lambda p: (p / 255 - [0.48145466, 0.4578275, 0.40821073]) / [0.26862954, 0.26130258, 0.27577711],
}


@pytest.mark.parametrize("name", PREPROCESSING)
@pytest.mark.parametrize("channels_first", [True, False])
def test_conventions_are_the_published_formulas(name, channels_first):
    squares = np.random.default_rng(1).integers(0, 256, (2, 6, 6, 3), dtype=np.uint8)
    result = normalise(squares, preprocessing(name), channels_first=channels_first)
    expected = PUBLISHED[name](squares.astype(float))
    if channels_first:
        expected = expected.transpose(0, 3, 1, 2)
    assert result.dtype == np.float32
    assert result.flags.c_contiguous
    # Single precision of numbers up to 256.
    np.testing.assert_allclose(result, expected, atol=3e-5)


def test_an_unknown_convention_is_refused_with_the_known_ones():
    with pytest.raises(NetworkError, match=r"preprocess is 'vgg': pass one of 'imagenet', 'lite', 'caffe'"):
        preprocessing("vgg")
