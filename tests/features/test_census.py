"""The census transform and histograms of patches, against one pixel and one patch at a time."""

import numpy as np
import pytest

from reference import centrist as reference
from widemargin.features import census
from widemargin.features.census import census_transform, patch_grid, patch_histograms


def random_picture(shape, seed=0):
    # Few intensities, so that neighbours are often equal.
    return np.random.default_rng(seed).integers(0, 6, size=shape, dtype=np.uint8)


def test_codes_of_a_hand_worked_picture():
    pixels = np.array([[9, 1, 9], [5, 5, 9], [5, 9, 0]], dtype=np.uint8)
    # Top left to bottom right: 9, 1, 9, 5, 9, 5, 9, 0; the bit is 1 where the centre, 5, is at least as bright.
    assert census_transform(pixels).tolist() == [[0b01010101]]


@pytest.mark.parametrize("shape", [(3, 3), (12, 17), (17, 3)])
def test_codes_are_those_of_one_pixel_at_a_time(shape):
    pixels = random_picture(shape)
    codes = census_transform(pixels)
    assert codes.dtype == np.uint8
    np.testing.assert_array_equal(codes, reference.census_transform(pixels))


@pytest.mark.parametrize("shape", [(1, 1), (2, 9), (9, 2), (2, 2)])
def test_pictures_without_inner_pixels_have_no_codes(shape):
    codes = census_transform(np.zeros(shape, dtype=np.uint8))
    assert codes.shape == (max(shape[0] - 2, 0), max(shape[1] - 2, 0))


def test_codes_do_not_change_with_brightness_and_contrast():
    pixels = random_picture((20, 20))
    np.testing.assert_array_equal(census_transform(pixels), census_transform(pixels * 40 + 7))


@pytest.mark.parametrize(("patch_size", "step"), [(16, 8), (8, 8), (6, 2), (5, 1)])
@pytest.mark.parametrize("shape", [(16, 16), (37, 50), (16, 31)])
def test_histograms_are_those_of_one_patch_at_a_time(shape, patch_size, step):
    codes = np.random.default_rng(1).integers(0, 256, size=shape, dtype=np.uint8)
    expected = reference.patches(codes, patch_size, step)
    (histograms,) = patch_histograms(codes, patch_size, step)
    n_rows, n_columns = patch_grid(shape, patch_size, step)
    assert histograms.shape == (n_rows, n_columns, 256)
    assert len(expected) == n_rows * n_columns
    for (top, left), counts in expected.items():
        np.testing.assert_array_equal(histograms[top // step, left // step], counts)


def test_bands_are_parts_of_the_whole(monkeypatch):
    codes = np.random.default_rng(2).integers(0, 256, size=(90, 40), dtype=np.uint8)
    (whole,) = patch_histograms(codes, 16, 8)
    # Four cells in a row fit into each thousand counts, so that bands have three rows of patches, the last one less.
    monkeypatch.setattr(census, "_MOST_COUNTS", 3 * 5 * 256)
    bands = list(patch_histograms(codes, 16, 8))
    assert [len(band) for band in bands] == [3, 3, 3, 1]
    np.testing.assert_array_equal(np.concatenate(bands), whole)


@pytest.mark.parametrize("shape", [(15, 40), (40, 15), (0, 0)])
def test_no_patch_where_none_fits(shape):
    assert patch_grid(shape, 16, 8) == (0, 0)
    assert list(patch_histograms(np.zeros(shape, dtype=np.uint8), 16, 8)) == []


def test_large_patches_do_not_overflow():
    codes = np.full((256, 256), 7, dtype=np.uint8)
    (histograms,) = patch_histograms(codes, 256, 128)
    assert histograms[0, 0, 7] == 256 * 256
