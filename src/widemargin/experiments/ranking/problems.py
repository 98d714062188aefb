"""The data of the ranking experiments: two classes, divided anew into training and test samples in every repeat.

S. Paisitkriangkrai, C. Shen and A. van den Hengel, "Pedestrian detection with spatially pooled features and structured
ensemble learning", arXiv:1409.5209, 2014, section 3.2, uses USPS, scenes and faces.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Protocol

import numpy as np
import numpy.typing as npt
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA
from sklearn.model_selection import train_test_split

from widemargin.datasets import (
    MissingDatasetError,
    array_identity,
    load_cbcl_faces,
    load_scene_pictures,
    load_usps,
)
from widemargin.experiments.experiment import Settings
from widemargin.features import Centrist

__all__ = ["Digits", "Faces", "Problem", "Scenes", "Split", "Usps", "problems_at_hand"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Split:
    """Samples of one repeat; class 1 is the positive one.

    Parameters
    ----------
    X_train, X_test : ndarray of shape (n_samples, n_features)
        Features.
    y_train, y_test : ndarray of int of shape (n_samples,)
        Classes, 0 and 1.
    """

    X_train: FloatArray
    y_train: IntArray
    X_test: FloatArray
    y_test: IntArray


class Problem(Protocol):
    """Data of two classes."""

    @property
    def name(self) -> str:
        """What readers call it."""

    def describe(self, settings: Settings) -> str:
        """Say for a protocol what the data are, and how they are divided.

        Parameters
        ----------
        settings : Settings
            Settings of the run.

        Returns
        -------
        str
            A description, the identity of the data included.

        Raises
        ------
        DatasetError
            If the data are missing or damaged.
        """

    def draw(self, settings: Settings, seed: int) -> Split:
        """Divide the samples.

        Parameters
        ----------
        settings : Settings
            Settings of the run.
        seed : int
            Seed of the draw.

        Returns
        -------
        Split
            Training and test samples.
        """


def problems_at_hand(
    problems: Sequence[Problem], settings: Settings
) -> tuple[tuple[Problem, ...], dict[str, str]]:
    """Return the problems whose data are there, and what the protocol says about all of them.

    Parameters
    ----------
    problems : sequence of Problem
        The problems.
    settings : Settings
        Settings of the run.

    Returns
    -------
    problems : tuple of Problem
        Those whose data are there.
    descriptions : dict of str to str
        By the name of the problem, what its data are, or why it is left out.

    Raises
    ------
    MissingDatasetError
        If no problem has its data.
    DatasetError
        If data are damaged.
    """
    found, descriptions = [], {}
    first_error: MissingDatasetError | None = None
    for problem in problems:
        try:
            descriptions[problem.name] = problem.describe(settings)
        except MissingDatasetError as error:
            descriptions[problem.name] = "left out, since the data folder does not have it"
            first_error = first_error or error
        else:
            found.append(problem)
    if not found and first_error is not None:
        raise first_error
    return tuple(found), descriptions


@dataclass(frozen=True)
class Digits:
    """Even against odd digits of scikit-learn's handwritten ones, which need no data folder.

    Parameters
    ----------
    train_size : float or int, default=0.5
        Share or number of the images for training.
    """

    train_size: float = 0.5
    name: str = "digits"

    def describe(self, settings: Settings) -> str:
        """Say what the data are, see `Problem`."""
        X, y = load_digits(return_X_y=True)
        return (
            f"scikit-learn's handwritten digits, {len(X)} images of 8 x 8 pixels, sha256 {array_identity(X, y)}; even "
            f"digits are positive. For training {_amount(self.train_size)}, the others for testing"
        )

    def draw(self, settings: Settings, seed: int) -> Split:
        """Divide the samples, see `Problem`."""
        X, digits = load_digits(return_X_y=True)
        return _divide(X, (digits % 2 == 0).astype(int), self.train_size, seed)


@dataclass(frozen=True)
class Usps:
    """Even against odd digits of USPS, by the grey values of 16 x 16 pixels.

    Parameters
    ----------
    train_size : float or int, default=2000
        Share or number of the images for training.
    """

    train_size: float = 2000
    name: str = "USPS"

    def describe(self, settings: Settings) -> str:
        """Say what the data are, see `Problem`."""
        X, even = _load_usps(settings.data_folder(self.name))
        return (
            f"USPS digits, {len(X)} images of 16 x 16 pixels, both parts of the set together, sha256 "
            f"{array_identity(X, even)}; even digits are positive. For training {_amount(self.train_size)}, the others "
            "for testing"
        )

    def draw(self, settings: Settings, seed: int) -> Split:
        """Divide the samples, see `Problem`."""
        return _divide(*_load_usps(settings.data_folder(self.name)), self.train_size, seed)


@dataclass(frozen=True)
class Faces:
    """Faces against other small images, reduced by principal components.

    Parameters
    ----------
    n_others : int, default=5000
        Images without a face that are drawn, or all there are.
    variation : float, default=0.95
        Share of the variation that the components keep.
    """

    n_others: int = 5000
    variation: float = 0.95
    name: str = "faces"

    def describe(self, settings: Settings) -> str:
        """Say what the data are, see `Problem`."""
        faces, others = _load_faces(settings.data_folder(self.name))
        return (
            f"CBCL faces, training part without copies, sha256 {array_identity(faces, others)}: all {len(faces)} faces "
            f"(positive) and {min(self.n_others, len(others))} of {len(others)} other images, drawn anew in every "
            f"repeat, 19 x 19 pixels. Half of each for training, half for testing; reduced to the principal "
            f"components of the training half that keep {100 * self.variation:g} % of its variation. (The paper has "
            "another set of faces.)"
        )

    def draw(self, settings: Settings, seed: int) -> Split:
        """Divide the samples, see `Problem`."""
        faces, others = _load_faces(settings.data_folder(self.name))
        drawn = np.random.default_rng(seed).permutation(len(others))[: self.n_others]
        X = np.concatenate([faces, others[drawn]])
        y = np.repeat([1, 0], [len(faces), len(drawn)])
        split = _divide(X, y, 0.5, seed)
        components = PCA(self.variation, svd_solver="full").fit(split.X_train)
        return Split(
            components.transform(split.X_train),
            split.y_train,
            components.transform(split.X_test),
            split.y_test,
        )


@dataclass(frozen=True)
class Scenes:
    """Indoor against outdoor scenes, as bags of CENTRIST words.

    Parameters
    ----------
    n_words : int, default=50
        Words of the code book.
    """

    n_words: int = 50
    name: str = "scenes"

    def describe(self, settings: Settings) -> str:
        """Say what the data are, see `Problem`."""
        files, classes, _ = _list_scenes(settings.data_folder(self.name))
        identity = array_identity(
            np.array([path.name for path in files]),
            np.array([path.stat().st_size for path in files]),
            classes,
        )
        return (
            f"15 scene categories, {len(files)} pictures, identity of names and sizes {identity}; indoor scenes are "
            f"positive. Half of each category for training, half for testing; CENTRIST, {self.n_words} words by the "
            "histogram intersection kernel in 31 sub-windows, the code book learned anew in every repeat from its "
            "training pictures"
        )

    def draw(self, settings: Settings, seed: int) -> Split:
        """Divide the samples, see `Problem`."""
        return _describe_scenes(settings.data_folder(self.name), self.n_words, seed)


@cache
def _load_usps(folder: Path) -> tuple[FloatArray, IntArray]:
    data = load_usps(folder)
    digits = np.concatenate([data.y_train, data.y_test])
    return np.concatenate([data.X_train, data.X_test]), (digits % 2 == 0).astype(int)


@cache
def _load_faces(folder: Path) -> tuple[FloatArray, FloatArray]:
    data = load_cbcl_faces(folder)
    faces, others = (np.unique(data.X_train[data.y_train == kind], axis=0) for kind in (1, 0))
    return faces, others


@cache
def _list_scenes(folder: Path) -> tuple[tuple[Path, ...], IntArray, IntArray]:
    scenes = load_scene_pictures(folder)
    classes = np.concatenate([scenes.y_train, scenes.y_test])
    return scenes.train_files + scenes.test_files, classes, scenes.indoor[classes].astype(int)


# The features of one repeat take half a minute; the next unit of a process is mostly of another repeat.
@lru_cache(maxsize=2)
def _describe_scenes(folder: Path, n_words: int, seed: int) -> Split:
    files, classes, indoor = _list_scenes(folder)
    train, test = train_test_split(np.arange(len(files)), train_size=0.5, stratify=classes, random_state=seed)
    transformer = Centrist(n_words, random_state=seed).fit([files[k] for k in train])
    X_train, X_test = (transformer.transform([files[k] for k in part]) for part in (train, test))
    return Split(X_train, indoor[train], X_test, indoor[test])


def _divide(X: FloatArray, y: IntArray, train_size: float, seed: int) -> Split:
    X_train, X_test, y_train, y_test = train_test_split(
        X, y, train_size=train_size, stratify=y, random_state=seed
    )
    return Split(X_train, y_train, X_test, y_test)


def _amount(train_size: float) -> str:
    return "half" if train_size == 0.5 else f"{train_size:g}"
