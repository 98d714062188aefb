"""The digits in two resolutions."""

import numpy as np
from sklearn.datasets import load_digits

from widemargin.datasets import array_identity, load_privileged_digits


def test_the_coarse_image_is_the_mean_of_two_by_two_pixels():
    digits = load_privileged_digits()
    pixels, labels = load_digits(return_X_y=True)
    np.testing.assert_array_equal(digits.y, labels)
    np.testing.assert_array_equal(digits.X_privileged, pixels / 16)
    image, coarse = digits.X_privileged[7].reshape(8, 8), digits.X[7].reshape(4, 4)
    for row in range(4):
        for column in range(4):
            block = image[2 * row : 2 * row + 2, 2 * column : 2 * column + 2]
            assert coarse[row, column] == block.mean()


def test_identity_sees_values_shapes_types_and_order_but_not_layout():
    a = np.arange(6.0).reshape(2, 3)
    same = array_identity(a)
    assert same == array_identity(np.asfortranarray(a))
    others = [a.ravel(), a.astype(np.float32), a + 1e-9, a.T]
    assert len({same, *map(array_identity, others)}) == 5
    assert array_identity(a, a[0]) != array_identity(a[0], a)
