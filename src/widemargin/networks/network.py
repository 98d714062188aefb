"""Pictures in, features and probabilities of concepts out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from widemargin.networks.errors import NetworkError, first_line
from widemargin.networks.preprocessing import Preprocessing, centre_square, normalise

__all__ = ["ImageNetwork", "NetworkOutput"]

Floats = npt.NDArray[np.float32]

# Pictures that go through the network at once, where it takes any number. EfficientNet-Lite0 is as fast with 4 to 16 on
# one thread, a fifth slower with 1 or 32; the process takes 35 MB less with 4 than with 8. Large pictures are fewer.
_BATCH = 4
_BATCH_PIXELS = 8 * 384**2


@dataclass(frozen=True, eq=False)
class NetworkOutput:
    """What a network tells of pictures.

    Parameters
    ----------
    features : array of float32 of shape (n, n_features)
        Features of each picture.
    concepts : array of float32 of shape (n, n_concepts)
        Probability of each concept in each picture, summing to 1; no columns, if the network has no classes.
    """

    features: Floats
    concepts: Floats


class ImageNetwork:
    """A network that is ready to describe pictures; `load_network` makes it.

    The same pictures give the same numbers, in whatever batches they come. One network may be used from several
    threads, but not be sent to another process: load it there.

    Parameters
    ----------
    session : onnxruntime.InferenceSession
        The network.
    name : str
        What it is called in tables and indexes.
    digest : str
        Text that is the same for networks that give the same numbers, and no others.
    input_name : str
        Name of the input.
    input_type : str
        NumPy's name of the type of its numbers.
    input_side : int
        Height and width of the input in pixels.
    channels_first : bool
        Whether the input is (n, 3, height, width), and not (n, height, width, 3).
    batch : int or None
        Number of pictures that the network takes at once; None for any number.
    convention : Preprocessing
        How pictures become input.
    feature_output : str
        Name of the output that holds the features.
    concept_output : str or None
        Name of the output that holds a number for each class; None for no concepts.
    concept_names : tuple of str
        Names of the classes.

    Raises
    ------
    NetworkError
        If the network cannot be run, its features are no row of numbers for each picture, or the number of classes is
        not that of the names.

    Examples
    --------
    >>> import numpy as np
    >>> from widemargin.networks import load_network
    >>> network = load_network()
    >>> network.name, network.n_features, len(network.concept_names), network.input_side
    ('efficientnet-lite0', 1280, 1000, 224)
    >>> output = network.describe([np.zeros((240, 320, 3), dtype=np.uint8)])
    >>> output.features.shape, output.concepts.shape
    ((1, 1280), (1, 1000))
    """

    def __init__(
        self,
        session: Any,
        *,
        name: str,
        digest: str,
        input_name: str,
        input_type: str,
        input_side: int,
        channels_first: bool,
        batch: int | None,
        convention: Preprocessing,
        feature_output: str,
        concept_output: str | None,
        concept_names: tuple[str, ...],
    ) -> None:
        self.name = name
        self.digest = digest
        self.input_side = input_side
        self.concept_names = concept_names
        self._session = session
        self._input_name = input_name
        self._input_type = np.dtype(input_type)
        self._channels_first = channels_first
        self._convention = convention
        self._outputs = [feature_output] + ([concept_output] if concept_output else [])
        self._batch = batch
        features, concepts = self._trial()
        if concepts.shape[1] != len(concept_names):
            raise NetworkError(
                f"network {name!r} tells {concepts.shape[1]} classes apart in its output {concept_output!r}, and "
                f"classes names {len(concept_names)}: pass the list of names that belongs to the network."
            )
        self.n_features = features.shape[1]

    def describe(self, pictures: Iterable[npt.ArrayLike]) -> NetworkOutput:
        """Describe pictures by their features and concepts.

        Parameters
        ----------
        pictures : iterable of array-like of uint8 of shape (height, width, 3) or (height, width)
            RGB or grey pictures of any sizes. The square in the centre of each is looked at. They are taken one after
            the other, and none is kept.

        Returns
        -------
        NetworkOutput
            Features and concepts, a row for each picture.

        Raises
        ------
        ValueError
            If a picture has another shape or type, or no pixel.
        NetworkError
            If the network fails on the pictures, or gives numbers that are not finite.
        """
        features, concepts, first = [], [], 0
        for squares in self._batches(pictures):
            count = len(squares)
            some_features, some_concepts = self._run(squares, first)
            features.append(some_features[:count])
            concepts.append(some_concepts[:count])
            first += count
        if not features:
            return NetworkOutput(
                np.zeros((0, self.n_features), dtype=np.float32),
                np.zeros((0, len(self.concept_names)), dtype=np.float32),
            )
        return NetworkOutput(np.concatenate(features), np.concatenate(concepts))

    def _batches(self, pictures: Iterable[npt.ArrayLike]) -> Iterator[npt.NDArray[np.uint8]]:
        """Yield the squares of as many pictures as go through the network at once."""
        squares = (self._square(number, picture) for number, picture in enumerate(pictures))
        count = self._batch or max(1, min(_BATCH, _BATCH_PIXELS // self.input_side**2))
        while batch := list(islice(squares, count)):
            yield np.stack(batch)

    def _square(self, number: int, picture: npt.ArrayLike) -> npt.NDArray[np.uint8]:
        try:
            return centre_square(picture, self.input_side, self._convention.centre)
        except ValueError as error:
            raise ValueError(f"pictures[{number}] {error}") from error

    def _trial(self) -> tuple[Floats, Floats]:
        """Run the network on black squares, and find out whether it really takes more than one at once."""
        if self._batch is not None:
            return self._run(self._black(self._batch), 0)
        try:
            return self._run(self._black(2), 0)
        except NetworkError:
            self._batch = 1
            return self._run(self._black(1), 0)

    def _black(self, count: int) -> npt.NDArray[np.uint8]:
        return np.zeros((count, self.input_side, self.input_side, 3), dtype=np.uint8)

    def _run(self, squares: npt.NDArray[np.uint8], first: int) -> tuple[Floats, Floats]:
        """Return features and concepts of squares, the first of which is of picture `first`."""
        count = len(squares)
        if self._batch is not None and count < self._batch:
            squares = np.concatenate([squares, np.repeat(squares[-1:], self._batch - count, axis=0)])
        values = normalise(squares, self._convention, channels_first=self._channels_first)
        try:
            arrays = self._session.run(
                self._outputs, {self._input_name: values.astype(self._input_type, copy=False)}
            )
        except Exception as error:  # onnxruntime has a dozen classes of errors without a common one.
            raise NetworkError(f"network {self.name!r} cannot be run: {first_line(error)}.") from error
        rows = [
            self._rows(name, array, len(squares))[:count]
            for name, array in zip(self._outputs, arrays, strict=True)
        ]
        for array in rows:
            finite = np.isfinite(array).all(axis=1)
            if not finite.all():
                raise NetworkError(
                    f"network {self.name!r} gives numbers that are not finite for "
                    f"pictures[{first + int(np.argmin(finite))}]: check the network and preprocess."
                )
        concepts = probabilities(rows[1]) if len(rows) > 1 else np.zeros((count, 0), dtype=np.float32)
        return rows[0], concepts

    def _rows(self, output: str, array: Any, count: int) -> Floats:
        """Return an output as a row of numbers for each picture."""
        shape = np.shape(array)
        if not isinstance(array, np.ndarray) or array.dtype.kind not in "fiu":
            raise NetworkError(
                f"output {output!r} of network {self.name!r} is no array of numbers: name another."
            )
        if len(shape) < 2 or shape[0] != count or array.size == 0 or array.size != count * max(shape[1:]):
            raise NetworkError(
                f"output {output!r} of network {self.name!r} has shape {shape} for {count} picture(s), expected a row "
                "of numbers for each: name another output."
            )
        return array.reshape(count, -1).astype(np.float32, copy=False)


def probabilities(scores: Floats) -> Floats:
    """Return probabilities that sum to 1 in each row, by softmax where they do not yet.

    A row is taken for probabilities if no number is negative and they sum to 1 within 0.005, which leaves room for
    networks that count in half precision.

    Parameters
    ----------
    scores : array of float32 of shape (n, n_classes)
        Finite numbers.

    Returns
    -------
    array of float32 of shape (n, n_classes)
        Probabilities.
    """
    done = (scores >= 0).all(axis=1) & (np.abs(scores.sum(axis=1) - 1) < 0.005)
    exponentials = np.exp(scores - scores.max(axis=1, keepdims=True))
    softmax = exponentials / exponentials.sum(axis=1, keepdims=True)
    return np.where(done[:, None], scores, softmax)
