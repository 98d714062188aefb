"""Small generated files in the layouts of the benchmark data sets."""

import numpy as np
from scipy.sparse import csr_matrix

ANIMALS = ("chimpanzee", "giant+panda", "persian+cat", "zebra")


def write_mnist_plus(folder, n_train=12, n_test=10, seed=0):
    """Write `n_train` and `n_test` images of each digit; their upper half tells the digit, as do all scores."""
    folder.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(seed)
    for part, n_images in (("train", n_train), ("test", n_test)):
        labels = np.repeat([5, 8], n_images)
        pixels = rng.integers(0, 200, size=(2 * n_images, 100))
        pixels[:, :50] += np.where(labels == 8, 55, 0)[:, None]
        np.savetxt(folder / f"{part}_features.txt", pixels, fmt="%d", delimiter=",")
        np.savetxt(folder / f"{part}_labels.txt", labels, fmt="%d")
    labels = np.repeat([5, 8], n_train)
    for name, n_scores in (("PF", 21), ("YY", 31)):
        scores = rng.integers(0, 4, size=(2 * n_train, n_scores))
        scores[:, 0] = np.where(labels == 8, 20, 0)
        np.savetxt(folder / f"train_{name}features.txt", scores, fmt="%d", delimiter=",")


def awa10_arrays(n_images=14, n_words=30, seed=0):
    """Arrays of both files: `n_images` of each of three classes; every class prefers words and attributes."""
    rng = np.random.default_rng(seed)
    y = np.repeat([0, 1, 2], n_images)
    rate = np.ones((3, n_words))
    rate[[0, 1, 2], [0, 1, 2]] = 6
    counts = csr_matrix(rng.poisson(rate[y]) + np.eye(1, n_words, n_words - 1, dtype=int))
    attributes = rng.uniform(size=(y.size, 5)) * 0.5
    attributes[np.arange(y.size), y] += 0.5
    labels = {"y": y.astype(np.uint8), "classes": np.array(ANIMALS)}
    surf = {
        "data": counts.data.astype(np.uint16),
        "indices": counts.indices.astype(np.uint16),
        "indptr": counts.indptr.astype(np.int32),
        "shape": np.array(counts.shape),
        **labels,
    }
    return surf, {"attributes": attributes.astype(np.float32), **labels}


def write_awa10(folder, surf=None, predicted=None):
    """Write both files, with replacements for some arrays."""
    folder.mkdir(parents=True, exist_ok=True)
    surf_arrays, predicted_arrays = awa10_arrays()
    np.savez_compressed(folder / "awa10_surf.npz", **(surf_arrays | (surf or {})))
    np.savez_compressed(folder / "awa10_predicted_attributes.npz", **(predicted_arrays | (predicted or {})))
