"""Small generated files in the layouts of the data sets of the ranking tables."""

import numpy as np
from PIL import Image

SCENES = ("Kitchen", "Office", "Coast", "Street")


def usps_arrays(n_train=40, n_test=20, seed=0):
    """Arrays of the file: digits in turn; even ones are brighter in the upper half."""
    rng = np.random.default_rng(seed)
    arrays = {}
    for part, n_images in (("train", n_train), ("test", n_test)):
        digits = np.arange(n_images, dtype=np.uint8) % 10
        images = rng.integers(0, 200, size=(n_images, 256)).astype(np.uint8)
        images[:, :128] += np.where(digits % 2 == 0, 55, 0).astype(np.uint8)[:, None]
        arrays |= {f"{part}_images": images, f"{part}_digits": digits}
    return arrays


def write_usps(folder, replacements=None):
    """Write the file, with replacements for some arrays."""
    folder.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(folder / "usps.npz", **(usps_arrays() | (replacements or {})))


def cbcl_arrays(n_faces=20, n_others=40, seed=0):
    """Arrays of the file, of as many training as test images; faces are brighter in the upper half."""
    rng = np.random.default_rng(seed)
    arrays = {}
    for part in ("train", "test"):
        for kind, n_images, brightness in (("faces", n_faces, 55), ("nonfaces", n_others, 0)):
            images = rng.integers(0, 200, size=(n_images, 19, 19)).astype(np.uint8)
            images[:, :10] += np.uint8(brightness)
            arrays[f"{part}_{kind}"] = images
    return arrays


def write_cbcl_faces(folder, replacements=None):
    """Write the file, with replacements for some arrays."""
    folder.mkdir(parents=True, exist_ok=True)
    np.savez_compressed(folder / "cbcl_faces.npz", **(cbcl_arrays() | (replacements or {})))


def write_scenes(folder, n_pictures=4, classes=SCENES, seed=0):
    """Write `n_pictures` of each class and part; rooms have horizontal stripes, other scenes vertical ones."""
    rng = np.random.default_rng(seed)
    for part in ("train", "test"):
        for name in classes:
            place = folder / "scenes15" / part / name
            place.mkdir(parents=True)
            for k in range(n_pictures):
                stripes = (np.arange(80)[:, None] // 3 + np.zeros(100, dtype=int)) % 2 * 120
                if name not in ("Kitchen", "Office"):
                    stripes = (np.arange(100) // 3 + np.zeros((80, 1), dtype=int)) % 2 * 120
                pixels = stripes + rng.integers(0, 100, size=stripes.shape)
                Image.fromarray(pixels.astype(np.uint8)).save(place / f"image_{k:04d}.png")


def protein_pairs_arrays(n_positives=30, n_negatives=90, seed=0):
    """Features of both files: the first 90 are there, of the others most are missing; the first ones tell the class."""
    rng = np.random.default_rng(seed)
    arrays = {}
    for name, n_pairs, shift in (("dipsPosPair", n_positives, 1.0), ("dipsRandpairSub23w", n_negatives, 0.0)):
        values = rng.normal(size=(n_pairs, 162))
        values[:, :10] += shift
        values = values.round(3)
        values[rng.uniform(size=values.shape) < np.where(np.arange(162) < 90, 0.05, 0.8)] = -100
        arrays[name] = values
    return arrays


def write_protein_pairs(folder, replacements=None, *, with_class=True, delimiter=",", header=""):
    """Write both files, with replacements for some arrays, in a variant of the layout."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, values in (protein_pairs_arrays() | (replacements or {})).items():
        if with_class:
            values = np.column_stack([values, np.full(len(values), float(name == "dipsPosPair"))])
        np.savetxt(
            folder / f"{name}.feature", values, fmt="%g", delimiter=delimiter, header=header, comments=""
        )
