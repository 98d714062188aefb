"""CENTRIST step by step: one pixel, one patch, one histogram at a time."""

import numpy as np


def census_transform(pixels):
    """Return the code of each inner pixel, comparing it with one neighbour after the other."""
    height, width = pixels.shape
    codes = np.zeros((max(height - 2, 0), max(width - 2, 0)), dtype=int)
    for i in range(codes.shape[0]):
        for j in range(codes.shape[1]):
            bits = ""
            for row in (i, i + 1, i + 2):
                for column in (j, j + 1, j + 2):
                    if (row, column) != (i + 1, j + 1):
                        bits += "1" if pixels[i + 1, j + 1] >= pixels[row, column] else "0"
            codes[i, j] = int(bits, 2)
    return codes


def patches(codes, patch_size, step):
    """Return {(top, left): histogram} of all patches that lie inside."""
    height, width = codes.shape
    return {
        (top, left): np.bincount(
            codes[top : top + patch_size, left : left + patch_size].ravel(), minlength=256
        )
        for top in range(0, height - patch_size + 1, step)
        for left in range(0, width - patch_size + 1, step)
    }


def unary(histogram, top):
    """Return the unary code of a histogram: for each bin, `top` zeros and ones."""
    return (np.arange(1, top + 1) <= np.asarray(histogram, dtype=int)[:, None]).ravel().astype(float)


def squared_distances(histograms, members_of_words, top):
    """Return squared distances to the means of the unary codes of some histograms, a column a word."""
    points = np.array([unary(histogram, top) for histogram in histograms])
    centres = np.array([np.mean([unary(m, top) for m in members], axis=0) for members in members_of_words])
    return ((points[:, None] - centres) ** 2).sum(axis=2)


def window_shares(words_of_patches, shape, patch_size, n_blocks, n_words):
    """Return the shares of words in the blocks of one scale, each block asked of each patch."""
    blocks = [(i, j) for i in range(n_blocks) for j in range(n_blocks)]
    blocks += [(i + 0.5, j + 0.5) for i in range(n_blocks - 1) for j in range(n_blocks - 1)]
    shares = np.zeros((len(blocks), n_words))
    for k, (i, j) in enumerate(blocks):
        for (top, left), word in words_of_patches.items():
            row, column = ((start + patch_size / 2) * n_blocks for start in (top, left))
            is_inside = (
                i * shape[0] <= row < (i + 1) * shape[0] and j * shape[1] <= column < (j + 1) * shape[1]
            )
            shares[k, word] += is_inside
    return shares / np.maximum(shares.sum(axis=1, keepdims=True), 1)
