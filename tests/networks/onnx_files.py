"""Tiny networks in ONNX files: the mean colour of a picture is what they compute with."""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

# A row for each of four features, which weigh the mean red, green and blue.
MIXING = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]], dtype=np.float32)
# A row for each of three classes: the reddest, the greenest, the bluest.
TELLING = np.array([[5, 0, 0, 0], [0, 5, 0, 0], [0, 0, 5, 0]], dtype=np.float32)


def colour_model(
    *,
    shape=("n", 3, 8, 8),
    type=TensorProto.FLOAT,
    channels_first=True,
    outputs=("features", "logits"),
    softmax=False,
    metadata=None,
    opset=13,
):
    """The model: colours (n, 3) -> mixed (n, 4) -> features, cut at zero -> logits (n, 3) [-> probabilities]."""
    dtype = helper.tensor_dtype_to_np_dtype(type)
    source = "pictures"
    nodes = []
    if not channels_first:
        nodes.append(helper.make_node("Transpose", [source], ["turned"], perm=[0, 3, 1, 2]))
        source = "turned"
    nodes += [
        helper.make_node("GlobalAveragePool", [source], ["pooled"]),
        helper.make_node("Flatten", ["pooled"], ["colours"]),
        helper.make_node("Gemm", ["colours", "mixing"], ["mixed"], transB=1),
        helper.make_node("Relu", ["mixed"], ["features"]),
        helper.make_node("Gemm", ["features", "telling"], ["logits"], transB=1),
    ]
    if softmax:
        nodes.append(helper.make_node("Softmax", ["logits"], ["probabilities"], axis=1))
    sizes = {"features": 4, "logits": 3, "probabilities": 3}
    graph = helper.make_graph(
        nodes,
        "colours",
        [helper.make_tensor_value_info("pictures", type, list(shape))],
        [helper.make_tensor_value_info(name, type, [shape[0], sizes[name]]) for name in outputs],
        [
            numpy_helper.from_array(MIXING.astype(dtype), "mixing"),
            numpy_helper.from_array(TELLING.astype(dtype), "telling"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
    helper.set_model_props(model, metadata or {})
    return model


def write_colour_model(path, **options):
    onnx.save_model(colour_model(**options), path)
    return path
