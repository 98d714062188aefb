"""Read a picture as pixels: the one place that opens image files, whoever made them."""

from __future__ import annotations

import os
import warnings
from pathlib import Path
from typing import Any, Literal, get_args

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageOps

from widemargin.validation import check_choice, check_integer

__all__ = ["LARGEST_PICTURE", "LONGEST_SIDE", "PictureError", "PictureMode", "read_picture"]

Pixels = npt.NDArray[np.uint8]
PictureMode = Literal["L", "RGB"]

LARGEST_PICTURE = 2**26
"""Most pixels of a picture unless asked otherwise: 64 megapixels, more than most cameras take."""

LONGEST_SIDE = 2**16
"""Most pixels in a row or column of a picture."""

# Raster formats whose decoders are part of Pillow or its wheels. Others, such as PostScript, start further programs.
_FORMATS = ("BMP", "GIF", "JPEG", "PNG", "PPM", "TIFF", "WEBP")


class PictureError(ValueError):
    """A picture is missing, damaged, too large, or of a kind that is not read."""


def read_picture(
    source: str | os.PathLike[str] | npt.NDArray[Any],
    mode: PictureMode = "L",
    *,
    max_pixels: int = LARGEST_PICTURE,
) -> Pixels:
    """Return the pixels of a picture, upright, in 8 bits.

    A file is turned as its EXIF orientation says. Of a file with several pictures the first is read. Pictures of 16
    bits lose the lower eight. Transparent parts are seen before white. Grey is made of colours as Pillow does, with
    the weights 0.299, 0.587 and 0.114 of red, green and blue.

    Parameters
    ----------
    source : str, Path or ndarray
        A file (BMP, GIF, JPEG, PNG, PPM, TIFF or WebP), or pixels of shape (height, width), (height, width, 3) for red,
        green and blue, or (height, width, 4) with opacity; type uint8, or uint16 if grey.
    mode : {"L", "RGB"}, default="L"
        Grey or colours.
    max_pixels : int, default=67108864
        Largest number of pixels that is read, at least 1; a side may have 65,536 in any case. What the header of a file
        claims is compared with it before any pixel is decoded.

    Returns
    -------
    ndarray of uint8 of shape (height, width) or (height, width, 3)
        The pixels. An array that is as asked comes back without a copy.

    Raises
    ------
    PictureError
        If a file is missing, damaged, truncated, of another format or too large, or an array is empty, too large or of
        another shape; the message names the file.
    TypeError
        If `source` is neither a path nor an array, or an array is of another type.
    ValueError
        If `mode` is none of the words allowed, or `max_pixels` is not positive.

    Examples
    --------
    >>> import numpy as np
    >>> from widemargin.features import read_picture
    >>> red = np.zeros((2, 3, 3), dtype=np.uint8)
    >>> red[..., 0] = 255
    >>> read_picture(red)
    array([[76, 76, 76],
           [76, 76, 76]], dtype=uint8)
    """
    check_choice("mode", mode, get_args(PictureMode))
    max_pixels = check_integer("max_pixels", max_pixels, at_least=1)
    if isinstance(source, np.ndarray):
        return _read_array(source, mode, max_pixels)
    if not isinstance(source, str | os.PathLike):
        raise TypeError(
            f"A picture must be the path of a file or an array of pixels, got {type(source).__name__}: pass one of "
            "these."
        )
    return _read_file(Path(source), mode, max_pixels)


def _read_array(pixels: npt.NDArray[Any], mode: PictureMode, max_pixels: int) -> Pixels:
    """Return pixels that are in memory in the mode that is asked for."""
    is_grey = pixels.ndim == 2
    if not is_grey and not (pixels.ndim == 3 and pixels.shape[2] in (3, 4)):
        raise PictureError(
            f"The picture is an array of shape {pixels.shape}: expected is (height, width), (height, width, 3) or "
            "(height, width, 4)."
        )
    if pixels.size == 0:
        raise PictureError(f"The picture is an array of shape {pixels.shape}, without a pixel: leave it out.")
    _check_size("The picture", pixels.shape[1], pixels.shape[0], max_pixels)
    if is_grey and pixels.dtype == np.uint16:
        pixels = (pixels >> 8).astype(np.uint8)
    if pixels.dtype != np.uint8:
        raise TypeError(
            f"The picture is an array of type {pixels.dtype}: expected is uint8, or uint16 if grey, so scale "
            "intensities to [0, 255] and convert them."
        )
    if pixels.ndim == (2 if mode == "L" else 3) and pixels.shape[2:] != (4,):
        return pixels
    return _convert(Image.fromarray(np.ascontiguousarray(pixels)), mode)


def _read_file(path: Path, mode: PictureMode, max_pixels: int) -> Pixels:
    """Return the pixels of a file; whatever its decoder raises becomes one kind of error."""
    if not os.path.isfile(path):
        raise PictureError(f"{path} is no file: check the name and the folder.")
    try:
        with warnings.catch_warnings():
            # Decoders warn of what does not keep them from decoding, such as metadata that they cannot read.
            warnings.simplefilter("ignore")
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(path, formats=_FORMATS) as image:
                _check_size(str(path), image.width, image.height, max_pixels)
                upright = ImageOps.exif_transpose(image)
                return _convert(_to_8_bits(upright, path), mode)
    except PictureError:
        raise
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise PictureError(f"{path} is too large for a picture ({error}): scale it down.") from error
    # Decoders raise errors of many kinds at damaged files: of the system, of parsing, of arithmetic.
    except Exception as error:
        raise PictureError(
            f"{path} cannot be read as a picture ({error}): it is damaged, truncated or of another format than "
            f"{', '.join(_FORMATS)}; replace it or leave it out."
        ) from error


def _check_size(name: str, width: int, height: int, max_pixels: int) -> None:
    """Raise PictureError if a picture is larger than what is read."""
    if width * height > max_pixels or max(width, height) > LONGEST_SIDE:
        raise PictureError(
            f"{name} has {width} x {height} pixels: at most {max_pixels} are read, {LONGEST_SIDE} a side; scale it "
            "down, or raise max_pixels."
        )


def _to_8_bits(image: Image.Image, path: Path) -> Image.Image:
    """Return an image of more than 8 bits in 8 bits, others as they are."""
    if image.mode.startswith("I"):
        values = np.asarray(image)
        if values.min() < 0 or values.max() >= 2**16:
            raise PictureError(
                f"{path} has intensities outside [0, 65535]: save it with 8 or 16 bits a pixel."
            )
        return Image.fromarray((values >> 8).astype(np.uint8))
    if image.mode == "F":
        raise PictureError(f"{path} has fractions as intensities: save it with 8 or 16 bits a pixel.")
    return image


def _convert(image: Image.Image, mode: PictureMode) -> Pixels:
    """Return the pixels of an 8-bit image, transparent parts before white."""
    if image.has_transparency_data:
        image = image.convert("RGBA")
        before = Image.new("RGBA", image.size, "white")
        image = Image.alpha_composite(before, image)
    return np.array(image if image.mode == mode else image.convert(mode))
