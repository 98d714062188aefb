"""Which numbers inside a network are the features, and which tell the classes apart."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from widemargin.networks.errors import NetworkError
from widemargin.networks.onnx_file import OnnxFile

__all__ = ["choose_outputs", "with_outputs"]

_LAST_LAYERS = {"Gemm", "MatMul", "Conv"}
# Operations that may stand between the last layer and the output.
_AFTER_LAST = {"Softmax", "LogSoftmax", "Identity", "Add", "Reshape", "Flatten", "Squeeze", "Cast"}


def choose_outputs(
    file: OnnxFile, feature_output: str | None, concept_output: str | None, n_classes: int
) -> tuple[str, str | None]:
    """Settle where features and concepts are read, for names that were not given too.

    Parameters
    ----------
    file : OnnxFile
        The network.
    feature_output, concept_output : str or None
        Names of outputs, or of any results inside the network; None to find one.
    n_classes : int
        Number of names of classes; without any, there is no output for concepts.

    Returns
    -------
    feature_output : str
        Name of the features: by default the first output with a row of numbers for each picture that does not tell the
        classes apart, or if there is only one that does, what goes into the layer that it comes from.
    concept_output : str or None
        Name of the numbers of the classes: by default the output of as many numbers as there are classes, or the only
        one.

    Raises
    ------
    NetworkError
        If there is no result of a name, there are names of classes for which no output can be told, or an output for
        classes that have no names.
    """
    results = {name for node in file.model.graph.node for name in node.output if name}
    for parameter, name in (("feature_output", feature_output), ("concept_output", concept_output)):
        if name is not None and name not in results:
            outputs = ", ".join(repr(output.name) for output in file.model.graph.output)
            raise NetworkError(
                f"{parameter} is {name!r}, and network {file.path} computes nothing of this name: pass one of its "
                f"outputs ({outputs}), or the name of a result inside it."
            )
    if n_classes == 0 and concept_output is not None:
        raise NetworkError(
            f"concept_output is {concept_output!r}, and no classes are named: pass classes too."
        )
    if n_classes and concept_output is None:
        concept_output = _output_of_size(file, feature_output, n_classes)
    if feature_output is None:
        others = [output for output in file.model.graph.output if output.name != concept_output]
        if others:
            feature_output = min(others, key=lambda output: not _is_row(output)).name
        else:
            feature_output = _before_last_layer(file.model.graph, concept_output)
    return feature_output, concept_output


def _output_of_size(file: OnnxFile, feature_output: str | None, n_classes: int) -> str:
    """Return the name of the output that has a number for each class."""
    outputs = list(file.model.graph.output)
    fitting = [output.name for output in outputs if _size(output) == n_classes]
    if len(fitting) == 1:
        return fitting[0]
    candidates = fitting or [output.name for output in outputs if _size(output) is None]
    others = [name for name in candidates if name != feature_output]
    if len(others) == 1:
        return others[0]
    sizes = ", ".join(f"{output.name!r} of {_size(output) or 'unknown'} numbers" for output in outputs)
    raise NetworkError(
        f"classes names {n_classes} classes, and network {file.path} has the outputs {sizes}: pass the list that "
        "belongs to it, or concept_output."
    )


def _is_row(output: Any) -> bool:
    """Tell whether an output has a row of numbers for each picture, as far as the file says."""
    return sum(size.dim_value != 1 for size in output.type.tensor_type.shape.dim[1:]) <= 1


def _size(output: Any) -> int | None:
    """Return how many numbers an output has for each picture, if the file says so."""
    sizes = [size.dim_value for size in output.type.tensor_type.shape.dim][1:]
    return max(sizes) if sizes and min(sizes) > 0 else None


def _before_last_layer(graph: Any, output: str | None) -> str:
    """Return the name of what the last layer of weights takes, or of the output itself if there is no such layer."""
    makers = {name: node for node in graph.node for name in node.output}
    name = output
    while name in makers and makers[name].input:
        node = makers[name]
        if node.op_type in _LAST_LAYERS and node.input[0] in makers:
            return node.input[0]
        if node.op_type not in _AFTER_LAST:
            break
        name = next((source for source in node.input if source in makers), None)
    return str(output)


def with_outputs(file: OnnxFile, names: list[str]) -> bytes:
    """Return a network that computes the given results, and nothing that they do not need.

    Parameters
    ----------
    file : OnnxFile
        The network; it is left as it is.
    names : list of str
        Names of results inside it.

    Returns
    -------
    bytes
        The network in the format ONNX.
    """
    if {output.name for output in file.model.graph.output} == set(names):
        return file.content
    model = type(file.model)()
    model.CopyFrom(file.model)
    graph = model.graph
    known = {item.name: item for item in (*graph.output, *graph.value_info)}
    del graph.output[:]
    for name in dict.fromkeys(names):
        output = graph.output.add()
        output.name = name
        if name in known:
            output.CopyFrom(known[name])
    needed = set(names)
    kept = []
    for node in reversed(list(graph.node)):
        if needed.intersection(node.output):
            kept.append(node)
            needed.update(_sources(node))
    kept.reverse()
    nodes = [type(node).FromString(node.SerializeToString()) for node in kept]
    del graph.node[:]
    graph.node.extend(nodes)
    weights = [tensor for tensor in graph.initializer if tensor.name not in needed]
    for tensor in weights:
        graph.initializer.remove(tensor)
    return model.SerializeToString()


def _sources(node: Any) -> Iterator[str]:
    """Yield the names of all that a node takes, inside its own graphs too."""
    yield from node.input
    for attribute in node.attribute:
        for graph in (attribute.g, *attribute.graphs):
            for inner in graph.node:
                yield from _sources(inner)
            for output in graph.output:
                yield output.name
