"""Read an image of a results folder with its size, as something that a page can hold."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Image", "read_image"]

PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
PNG_END = b"IEND\xaeB`\x82"
SVG_SIZE = re.compile(rb'<svg[^>]*?\sviewBox="\S+ \S+ ([0-9.]+) ([0-9.]+)"')
PIXELS_PER_POINT = 96 / 72
WIDE = 1.5


@dataclass(frozen=True)
class Image:
    """An image ready to be put into a page.

    Parameters
    ----------
    uri : str
        The image itself as a ``data:`` URI.
    width, height : int
        Size in CSS pixels at which its letters have the size that they were drawn with.
    """

    uri: str
    width: int
    height: int

    @property
    def wide(self) -> bool:
        """Whether it is too wide for one of two columns: more than one and a half times as wide as high."""
        return self.width > WIDE * self.height


def read_image(folder: Path, file: str) -> Image | None:
    """Read an SVG or PNG.

    An SVG becomes an image like a PNG and no part of the page: scripts in it do not run, and the names of its
    elements cannot clash with those of other figures.

    Parameters
    ----------
    folder : Path
        The folder of an experiment.
    file : str
        Path of the image, relative to the folder.

    Returns
    -------
    Image or None
        None if it is missing, damaged, without a size, or outside of the folder.
    """
    path = folder / file
    if not path.resolve().is_relative_to(folder.resolve()) or not path.is_file():
        return None
    content = path.read_bytes()
    if content.startswith(PNG_SIGNATURE) and content.endswith(PNG_END):
        # The first chunk, IHDR, starts with width and height in pixels, as big-endian 32-bit integers.
        kind, width, height = "image/png", *(int.from_bytes(content[at : at + 4], "big") for at in (16, 20))
    elif (size := SVG_SIZE.search(content[:2000])) and content.rstrip().endswith(b"</svg>"):
        # Matplotlib's user unit is the point.
        kind, width, height = "image/svg+xml", *(round(float(n) * PIXELS_PER_POINT) for n in size.groups())
    else:
        return None
    return Image(f"data:{kind};base64,{base64.b64encode(content).decode()}", width, height)
