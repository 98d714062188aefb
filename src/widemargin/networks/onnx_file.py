"""A network in a file of the format ONNX, which may come from anywhere and so is not trusted."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from widemargin.networks.errors import NetworkError, first_line

__all__ = ["NetworkInput", "OnnxFile", "network_input", "onnx_package", "read_onnx"]

# What a message of the format can hold at most; larger networks keep their weights in other files, which are not read.
_MAX_BYTES = 2**31 - 1
_MAX_PIXELS = 2**26
_DOMAINS = {"", "ai.onnx", "ai.onnx.ml", "com.microsoft"}


@dataclass(frozen=True, eq=False)
class OnnxFile:
    """A network as it was read.

    Parameters
    ----------
    path : Path
        The file.
    content : bytes
        All of it.
    model : onnx.ModelProto
        What it says.
    metadata : dict of str to str
        Notes that the file carries on itself.
    """

    path: Path
    content: bytes
    model: Any
    metadata: dict[str, str]


@dataclass(frozen=True)
class NetworkInput:
    """What goes into a network.

    Parameters
    ----------
    name : str
        Name of the input.
    type : str
        NumPy's name of the type of its numbers.
    side : int or None
        Height and width in pixels; None if any size is taken.
    channels_first : bool
        Whether it is (n, 3, height, width), and not (n, height, width, 3).
    batch : int or None
        Number of pictures that go in at once; None for any number.
    """

    name: str
    type: str
    side: int | None
    channels_first: bool
    batch: int | None


def onnx_package() -> Any:
    """Import onnx, which comes with an extra.

    Returns
    -------
    module
        The package.

    Raises
    ------
    ImportError
        If it is missing.
    """
    try:
        import onnx
    except ImportError as error:
        raise ImportError(
            "Networks are read with onnx, which is not installed: install it with pip install 'widemargin[video]'."
        ) from error
    return onnx


def read_onnx(path: Path) -> OnnxFile:
    """Read a network, and refuse what would make others read further files or run further code.

    Parameters
    ----------
    path : Path
        The file.

    Returns
    -------
    OnnxFile
        The network, with at least one node.

    Raises
    ------
    ImportError
        If onnx is missing.
    NetworkError
        If the file cannot be read, is larger than 2 GiB, is damaged or no ONNX file, keeps weights in other files, or
        uses operations that come from libraries of their own.
    """
    onnx = onnx_package()
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise NetworkError(f"network {path} is larger than 2 GiB: pass a smaller one.")
        content = path.read_bytes()
    except OSError as error:
        raise NetworkError(f"network {path} cannot be read ({error.strerror}): pass an ONNX file.") from error
    try:
        model = onnx.load_model_from_string(content)
    except Exception as error:  # Whichever protobuf is installed has its own class of errors.
        raise NetworkError(
            f"network {path} is damaged, or no ONNX file ({first_line(error)}): pass an ONNX file."
        ) from error
    if not model.graph.node:
        raise NetworkError(f"network {path} is empty, damaged, or no ONNX file: pass an ONNX file.")
    if not all(isinstance(text, str) for text in _texts(model)):
        raise NetworkError(f"network {path} is damaged: it has names that are no text in UTF-8.")
    _refuse_external_data(path, model, onnx.TensorProto.EXTERNAL)
    _refuse_other_operations(path, model)
    return OnnxFile(path, content, model, {entry.key: entry.value for entry in model.metadata_props})


def _refuse_external_data(path: Path, model: Any, external: int) -> None:
    for tensor in _tensors(model):
        if tensor.data_location == external:
            raise NetworkError(
                f"network {path} keeps the weights {tensor.name!r} in another file, which is not read: save it as one "
                "file, as onnx.save_model does with save_as_external_data=False."
            )


def _refuse_other_operations(path: Path, model: Any) -> None:
    own = {function.domain for function in model.functions}
    for node in _nodes(model):
        if node.domain not in _DOMAINS | own or node.op_type == "EPContext":
            raise NetworkError(
                f"network {path} uses the operation {node.op_type!r} of {node.domain!r}, which comes from a library of "
                "its own: export it with ONNX's own operations."
            )


def _graphs(model: Any) -> Iterator[Any]:
    """Yield the graph of a network and all that are inside its nodes."""
    waiting = [model.graph]
    nodes: Iterable[Any] = [node for function in model.functions for node in function.node]
    while True:
        for node in nodes:
            for attribute in node.attribute:
                waiting.extend(attribute.graphs)
                if attribute.HasField("g"):
                    waiting.append(attribute.g)
        if not waiting:
            return
        graph = waiting.pop()
        nodes = graph.node
        yield graph


def _nodes(model: Any) -> Iterator[Any]:
    for function in model.functions:
        yield from function.node
    for graph in _graphs(model):
        yield from graph.node


def _texts(model: Any) -> Iterator[str | bytes]:
    """Yield all that names something; what is no UTF-8 comes as bytes from some versions of protobuf."""
    for entry in model.metadata_props:
        yield from (entry.key, entry.value)
    for graph in _graphs(model):
        yield from (
            item.name for item in (*graph.input, *graph.output, *graph.value_info, *graph.initializer)
        )
    for node in _nodes(model):
        yield from (node.name, node.op_type, node.domain, *node.input, *node.output)


def _tensors(model: Any) -> Iterator[Any]:
    for graph in _graphs(model):
        yield from graph.initializer
        for sparse in graph.sparse_initializer:
            yield from (sparse.values, sparse.indices)
    for node in _nodes(model):
        for attribute in node.attribute:
            yield from (attribute.t, *attribute.tensors)
            for sparse in (attribute.sparse_tensor, *attribute.sparse_tensors):
                yield from (sparse.values, sparse.indices)


def network_input(file: OnnxFile) -> NetworkInput:
    """Find out what goes into a network.

    Parameters
    ----------
    file : OnnxFile
        The network.

    Returns
    -------
    NetworkInput
        Its input. Where neither axis of the colours is of a known size, the colours come first.

    Raises
    ------
    NetworkError
        If the network has other than one input, or one that is no square of three colours.
    """
    onnx = onnx_package()
    graph = file.model.graph
    constants = {tensor.name for tensor in graph.initializer}
    inputs = [item for item in graph.input if item.name not in constants]
    if len(inputs) != 1:
        names = ", ".join(repr(item.name) for item in inputs) or "none"
        raise NetworkError(f"network {file.path} has the inputs {names}, expected one, for pictures.")
    tensor = inputs[0].type.tensor_type
    types = {onnx.TensorProto.FLOAT: "float32", onnx.TensorProto.FLOAT16: "float16"}
    sizes = [size.dim_value if size.dim_value > 0 else None for size in tensor.shape.dim]
    if tensor.elem_type not in types or len(sizes) != 4:
        raise NetworkError(
            f"input {inputs[0].name!r} of network {file.path} has {len(sizes)} axes, or holds no floating point "
            "numbers; expected (n, 3, height, width) or (n, height, width, 3) in single or half precision."
        )
    channels_first = sizes[1] == 3 or (sizes[1] is None and sizes[3] != 3)
    colours, height, width = (sizes[1], *sizes[2:]) if channels_first else (sizes[3], *sizes[1:3])
    if colours not in (3, None) or (height and width and height != width):
        raise NetworkError(
            f"input {inputs[0].name!r} of network {file.path} has shape {tuple(sizes)} (None for any size), "
            "expected three colours, and a height that is the width."
        )
    if (sizes[0] or 1) * (height or width or 1) ** 2 > _MAX_PIXELS:
        raise NetworkError(
            f"input {inputs[0].name!r} of network {file.path} has shape {tuple(sizes)}, more than {_MAX_PIXELS} pixels "
            "at once: export it for fewer."
        )
    return NetworkInput(
        inputs[0].name, types[tensor.elem_type], height or width, channels_first, batch=sizes[0]
    )
