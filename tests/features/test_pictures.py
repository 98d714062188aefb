"""Reading pictures: what their pixels become, and what is said about files that are none."""

import struct
import zlib

import numpy as np
import pytest
from PIL import Image

from widemargin.features import PictureError, read_picture
from widemargin.features.pictures import LONGEST_SIDE


def gradient(shape=(20, 30)):
    return (np.indices(shape).sum(axis=0) * 4).astype(np.uint8)


def colours(shape=(20, 30)):
    return np.random.default_rng(0).integers(0, 256, size=(*shape, 3), dtype=np.uint8)


@pytest.mark.parametrize("ending", ["png", "bmp", "tif", "gif", "pgm"])
def test_grey_files_are_read_as_they_are(tmp_path, ending):
    file = tmp_path / f"picture.{ending}"
    Image.fromarray(gradient()).save(file)
    np.testing.assert_array_equal(read_picture(file), gradient())
    np.testing.assert_array_equal(read_picture(str(file), "RGB"), np.repeat(gradient()[..., None], 3, axis=2))


def test_colour_files_and_arrays_become_grey_alike(tmp_path):
    file = tmp_path / "picture.png"
    Image.fromarray(colours()).save(file)
    np.testing.assert_array_equal(read_picture(file, "RGB"), colours())
    grey = read_picture(file)
    # Weights in sixteen bits, rounded.
    np.testing.assert_allclose(grey, colours() @ [0.299, 0.587, 0.114], atol=0.51)
    np.testing.assert_array_equal(read_picture(colours()), grey)


def test_an_array_as_asked_is_not_copied():
    for pixels, mode in ((gradient(), "L"), (colours(), "RGB")):
        assert read_picture(pixels, mode) is pixels


@pytest.mark.parametrize("orientation", range(1, 9))
def test_pictures_are_turned_upright(tmp_path, orientation):
    file = tmp_path / "turned.png"
    exif = Image.Exif()
    exif[0x0112] = orientation
    Image.fromarray(gradient()).save(file, exif=exif)
    turns = {
        1: gradient(),
        2: gradient()[:, ::-1],
        3: gradient()[::-1, ::-1],
        4: gradient()[::-1],
        5: gradient().T,
        6: gradient()[::-1].T,
        7: gradient()[::-1, ::-1].T,
        8: gradient().T[::-1],
    }
    np.testing.assert_array_equal(read_picture(file), turns[orientation])


def test_16_bits_lose_the_lower_eight(tmp_path):
    deep = gradient().astype(np.uint16) * 256 + 77
    for ending in ("png", "tif"):
        file = tmp_path / f"deep.{ending}"
        Image.fromarray(deep).save(file)
        np.testing.assert_array_equal(read_picture(file), gradient())
    np.testing.assert_array_equal(read_picture(deep), gradient())


def test_transparent_parts_are_seen_before_white(tmp_path):
    pixels = np.zeros((4, 4, 4), dtype=np.uint8)
    pixels[:2, :, 3] = 255
    file = tmp_path / "glass.png"
    Image.fromarray(pixels).save(file)
    expected = np.repeat([[0], [0], [255], [255]], 4, axis=1)
    np.testing.assert_array_equal(read_picture(file), expected)
    np.testing.assert_array_equal(read_picture(pixels), expected)
    palette = Image.fromarray(np.array([[0, 1]], dtype=np.uint8)).convert("P")
    palette.putpalette([10, 10, 10, 20, 20, 20])
    palette.save(tmp_path / "palette.png", transparency=0)
    assert read_picture(tmp_path / "palette.png").tolist() == [[255, 20]]


def test_other_modes_of_files(tmp_path):
    Image.fromarray(gradient()).convert("1").save(tmp_path / "black_white.png")
    assert set(np.unique(read_picture(tmp_path / "black_white.png"))) == {0, 255}
    Image.fromarray(colours()).convert("CMYK").save(tmp_path / "print.tif")
    np.testing.assert_array_equal(read_picture(tmp_path / "print.tif", "RGB"), colours())


def test_values_that_8_bits_cannot_hold(tmp_path):
    Image.fromarray(gradient().astype(np.float32)).save(tmp_path / "fractions.tif")
    with pytest.raises(PictureError, match=r"fractions\.tif has fractions as intensities"):
        read_picture(tmp_path / "fractions.tif")
    Image.fromarray(gradient().astype(np.int32) * 1000).save(tmp_path / "wide.tif")
    with pytest.raises(PictureError, match=r"wide\.tif has intensities outside \[0, 65535\]"):
        read_picture(tmp_path / "wide.tif")


def test_damaged_and_foreign_files_are_named(tmp_path):
    file = tmp_path / "picture.jpg"
    with pytest.raises(PictureError, match=r"picture\.jpg is no file"):
        read_picture(file)
    with pytest.raises(PictureError, match="is no file"):
        read_picture(tmp_path)
    for content in (b"", b"no picture", b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n"):
        file.write_bytes(content)
        with pytest.raises(PictureError, match=r"picture\.jpg cannot be read as a picture"):
            read_picture(file)


@pytest.mark.parametrize("ending", ["jpg", "png", "gif", "tif", "bmp", "webp"])
def test_truncated_files_are_named(tmp_path, ending):
    file = tmp_path / f"picture.{ending}"
    Image.fromarray(colours((80, 90))).save(file)
    content = file.read_bytes()
    for share in (0.02, 0.5, 0.9):
        file.write_bytes(content[: int(share * len(content))])
        with pytest.raises(PictureError, match=rf"picture\.{ending} cannot be read"):
            read_picture(file)


def claim_size(file, width, height):
    """Write a PNG whose header claims a size that its content does not have."""

    def chunk(kind, content):
        checksum = zlib.crc32(kind + content)
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", checksum)

    header = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    content = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(b"\0" * 100)) + chunk(b"IEND", b"")
    file.write_bytes(b"\x89PNG\r\n\x1a\n" + content)


@pytest.mark.parametrize(
    ("width", "height"), [(9_000, 8_000), (10_000, 10_000), (60_000, 60_000), (LONGEST_SIDE + 1, 2)]
)
def test_sizes_are_checked_before_pixels_are_decoded(tmp_path, width, height):
    file = tmp_path / "bomb.png"
    claim_size(file, width, height)
    with pytest.raises(PictureError, match=r"bomb\.png (has \d+ x \d+ pixels: at most|is too large)"):
        read_picture(file)


def test_the_size_limit_can_be_chosen(tmp_path):
    file = tmp_path / "picture.png"
    Image.fromarray(gradient()).save(file)
    assert read_picture(file, max_pixels=600).shape == (20, 30)
    for source in (file, gradient()):
        with pytest.raises(PictureError, match="has 30 x 20 pixels: at most 599 are read"):
            read_picture(source, max_pixels=599)


@pytest.mark.parametrize(
    ("source", "arguments", "kind", "complaint"),
    [
        (np.zeros(5, np.uint8), {}, PictureError, r"array of shape \(5,\)"),
        (np.zeros((5, 5, 2), np.uint8), {}, PictureError, r"array of shape \(5, 5, 2\)"),
        (np.zeros((0, 5), np.uint8), {}, PictureError, "without a pixel"),
        (np.zeros((5, 5)), {}, TypeError, "type float64: expected is uint8"),
        (np.zeros((5, 5, 3), np.uint16), {}, TypeError, "type uint16: expected is uint8, or uint16 if grey"),
        (5, {}, TypeError, "got int: pass one of these"),
        (gradient(), {"mode": "HSV"}, ValueError, "mode must be one of 'L', 'RGB', got 'HSV'"),
        (gradient(), {"max_pixels": 0}, ValueError, "max_pixels must be at least 1"),
    ],
)
def test_arguments_are_checked(source, arguments, kind, complaint):
    with pytest.raises(kind, match=complaint):
        read_picture(source, **arguments)
