"""The levels of a plane, counted by NumPy."""

import numpy as np


def plane_histogram(plane, row_step, column_step, shift):
    """Return how many of the samples read have each of 256 levels."""
    rows = slice(min(row_step // 2, plane.shape[0] - 1), None, row_step)
    columns = slice(min(column_step // 2, plane.shape[1] - 1), None, column_step)
    levels = np.minimum(plane[rows, columns].astype(int) >> shift, 255)
    return np.bincount(levels.ravel(), minlength=256)
