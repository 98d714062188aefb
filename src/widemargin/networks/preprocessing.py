"""From a picture of any size to the square of numbers that a network was trained on.

Networks agree on a square input and disagree on the numbers in it. Five conventions cover the usual networks; each is a
`Preprocessing` with one formula: `(pixels - mean) / scale` for each colour, of the square in the centre of the picture.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from PIL import Image

from widemargin.networks.errors import NetworkError

__all__ = ["PREPROCESSING", "Preprocessing", "centre_square", "normalise", "preprocessing"]

Picture = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Preprocessing:
    """How the pixels of a picture become the input of a network.

    Parameters
    ----------
    name : str
        What the convention is called.
    mean, scale : tuple of three floats
        For each colour, in the order of the network, what is subtracted from pixels from 0 to 255, and by what the
        difference is divided.
    centre : float, default=0.875
        Side of the square that is cut from the centre of the picture, as a share of the shorter side; above 0, at
        most 1.
    reverse : bool, default=False
        Whether the network takes blue first, and not red.
    """

    name: str
    mean: tuple[float, float, float]
    scale: tuple[float, float, float]
    centre: float = 224 / 256
    reverse: bool = False


def _of_units(
    name: str,
    mean: tuple[float, float, float],
    deviation: tuple[float, float, float],
    centre: float = 224 / 256,
) -> Preprocessing:
    """Return the convention of a network whose mean and deviation were published for pixels from 0 to 1."""
    red, green, blue = (255.0 * value for value in mean)
    red_scale, green_scale, blue_scale = (255.0 * value for value in deviation)
    return Preprocessing(name, (red, green, blue), (red_scale, green_scale, blue_scale), centre)


PREPROCESSING = {
    convention.name: convention
    for convention in (
        _of_units("imagenet", (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)),
        Preprocessing("lite", (127.0, 127.0, 127.0), (128.0, 128.0, 128.0)),
        Preprocessing("caffe", (103.939, 116.779, 123.68), (1.0, 1.0, 1.0), reverse=True),
        Preprocessing("unit", (0.0, 0.0, 0.0), (255.0, 255.0, 255.0)),
        _of_units(
            "clip", (0.48145466, 0.4578275, 0.40821073), (0.26862954, 0.26130258, 0.27577711), centre=1.0
        ),
    )
}
"""The conventions by name; see `load_network` for what each is for."""


def preprocessing(name: str) -> Preprocessing:
    """Return the convention of a name.

    Parameters
    ----------
    name : str
        A key of `PREPROCESSING`.

    Returns
    -------
    Preprocessing
        The convention.

    Raises
    ------
    NetworkError
        If there is none of this name.
    """
    if name not in PREPROCESSING:
        raise NetworkError(f"preprocess is {name!r}: pass one of {', '.join(map(repr, PREPROCESSING))}.")
    return PREPROCESSING[name]


def centre_square(picture: Any, side: int, centre: float) -> Picture:
    """Cut the square from the centre of a picture and bring it to a given side.

    The result is that of scaling the shorter side to `side / centre` and cutting `side` pixels from the middle, without
    the work on what would be thrown away. New pixels are interpolated by bicubic curves over the area that each has.

    Parameters
    ----------
    picture : array of uint8 of shape (height, width, 3), (height, width, 1) or (height, width)
        RGB or grey.
    side : int
        Side of the square in pixels, at least 1.
    centre : float
        Side of the square as a share of the shorter side of the picture.

    Returns
    -------
    array of uint8 of shape (side, side, 3)
        The square.

    Raises
    ------
    ValueError
        If the picture has another shape or type, or no pixel.
    """
    pixels = np.asarray(picture)
    if pixels.ndim == 3 and pixels.shape[2] == 1:
        pixels = pixels[:, :, 0]
    if pixels.dtype != np.uint8 or not (pixels.ndim == 2 or (pixels.ndim == 3 and pixels.shape[2] == 3)):
        raise ValueError(
            f"has shape {np.shape(picture)} and type {pixels.dtype}, expected (height, width, 3) or (height, width) "
            "of uint8: convert it to RGB."
        )
    if pixels.size == 0:
        raise ValueError(f"has shape {np.shape(picture)}, so no pixel: leave it out.")
    square = _scaled(pixels, side, centre)
    return square if square.ndim == 3 else np.repeat(square[:, :, None], 3, axis=2)


def _scaled(pixels: Picture, side: int, centre: float) -> Picture:
    """Return the square in the centre, grey if the picture is."""
    height, width = pixels.shape[:2]
    length = min(height, width) * centre
    if length == side:
        top, left = (height - side) // 2, (width - side) // 2
        return pixels[top : top + side, left : left + side]
    # Pillow copies all it gets before it cuts: what is far from the square is left out first, and in very large
    # pictures some rows, of which four for each new one are enough.
    step = max(1, int(length) // (4 * side))
    margin = int(length) + 8
    top, left = max(0, (height - margin) // 2), max(0, (width - margin) // 2)
    near = np.ascontiguousarray(pixels[top : height - top : step, left : width - left])
    rows = length / step
    vertical, horizontal = (near.shape[0] - rows) / 2, (near.shape[1] - length) / 2
    box = (horizontal, vertical, horizontal + length, vertical + rows)
    # Averaging whole blocks of pixels first, as far as the side allows, changes a pixel by about one step of 256, and
    # takes half the time.
    image = Image.fromarray(near).resize((side, side), Image.Resampling.BICUBIC, box=box, reducing_gap=1.0)
    return np.asarray(image)


def normalise(
    squares: Picture, convention: Preprocessing, *, channels_first: bool
) -> npt.NDArray[np.float32]:
    """Turn squares of pixels into the input of a network.

    Parameters
    ----------
    squares : array of uint8 of shape (n, side, side, 3)
        RGB.
    convention : Preprocessing
        What the network was trained on.
    channels_first : bool
        Whether the network takes (n, 3, side, side), and not (n, side, side, 3).

    Returns
    -------
    array of float32
        The input, in the order of memory that the network takes.
    """
    order = (2, 1, 0) if convention.reverse else (0, 1, 2)
    count, side = squares.shape[:2]
    shape = (count, 3, side, side) if channels_first else (count, side, side, 3)
    result = np.empty(shape, dtype=np.float32)
    for target, source in enumerate(order):
        plane = result[:, target] if channels_first else result[:, :, :, target]
        np.subtract(
            squares[:, :, :, source], np.float32(convention.mean[target]), out=plane, dtype=np.float32
        )
        np.multiply(plane, np.float32(1.0 / convention.scale[target]), out=plane)
    return result
