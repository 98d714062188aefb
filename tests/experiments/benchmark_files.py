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


def web_queries_arrays(n_images=16, n_queries=4, n_features=24, seed=0):
    """Arrays of the file: `n_images` of each query, every other one relevant, the first one without text.

    Relevance and query show in the features of an image; the words tell the query, and hardly the relevance.
    """
    rng = np.random.default_rng(seed)
    n_all = n_images * n_queries
    query, relevant = np.repeat(np.arange(n_queries), n_images), np.tile([0, 1], n_all // 2)
    features = rng.poisson(1.0, size=(n_all, n_features)) + np.eye(1, n_features, n_features - 1)
    features[:, 0] += 3 * relevant
    features[np.arange(n_all), 1 + query] += 4 * relevant
    counts = rng.poisson(0.3, size=(n_all, n_queries + 3))
    counts[np.arange(n_all), query] += 2
    counts[::n_images] = 0
    parts = {}
    for prefix, matrix, kind in (("image", features, np.float16), ("text", counts, np.uint16)):
        sparse = csr_matrix(matrix)
        parts |= {
            f"{prefix}_data": sparse.data.astype(kind),
            f"{prefix}_indices": sparse.indices.astype(np.uint16),
            f"{prefix}_indptr": sparse.indptr.astype(np.int32),
            f"{prefix}_shape": np.array(sparse.shape),
        }
    words = np.array(["eagle", "falcon", "heron", "ibis", "stork", "swan", "wren"])
    return parts | {
        "relevant": relevant.astype(np.uint8),
        "query": (10 + query).astype(np.int16),
        "words": words[: n_queries + 3],
    }


def write_web_queries(folder, replacements=None, **sizes):
    """Write the file, with replacements for some arrays."""
    folder.mkdir(parents=True, exist_ok=True)
    arrays = web_queries_arrays(**sizes) | (replacements or {})
    np.savez_compressed(folder / "webqueries40.npz", **arrays)


def labelled_arrays(n_classes, n_images, seed=0):
    """Non-negative features in two spaces; `n_images` of each class, which prefers the feature of its own number."""
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(n_classes), n_images)
    spaces = {}
    for name, n_features, strength in (("X", 12, 1.0), ("X_privileged", 8, 2.0)):
        matrix = rng.uniform(size=(y.size, n_features))
        matrix[np.arange(y.size), y] += strength
        spaces[name] = matrix.astype(np.float32)
    return spaces | {"y": y.astype(np.uint8)}


BOXED = ("adder", "boa", "cobra", "beach ball", "bowling ball")


def write_bounding_boxes(folder, n_images=16, **changes):
    """Write images of three snakes and two balls, with replacements for some arrays."""
    folder.mkdir(parents=True, exist_ok=True)
    names = {"classes": np.array(BOXED), "groups": np.array(["snakes"] * 3 + ["balls"] * 2)}
    np.savez(folder / "bounding_boxes.npz", **(labelled_arrays(5, n_images) | names | changes))


SCORED = ("chimpanzee", "giant panda", "leopard")


def write_human_scores(folder, n_images=16, **changes):
    """Write images of three animals; the easier an image is, the more of its class is to be seen in it."""
    folder.mkdir(parents=True, exist_ok=True)
    arrays = labelled_arrays(3, n_images)
    own = arrays["X"][np.arange(arrays["y"].size), arrays["y"]]
    arrays |= {"classes": np.array(SCORED), "easiness": 1 + 15 * (own - own.min()) / np.ptp(own)}
    np.savez(folder / "human_scores.npz", **(arrays | changes))
