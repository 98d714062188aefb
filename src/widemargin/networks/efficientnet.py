"""EfficientNet-Lite0 as an ONNX graph, made from weights under the names that its PyTorch version gives them.

A stem, sixteen blocks and a head, without squeeze-and-excitation, and with ReLU6 for every nonlinearity (Tan and Le,
EfficientNet, ICML 2019, Table 1; the Lite variants leave out what phones cannot compute fast). A block widens its
input by a 1 x 1 convolution (all but the first block), convolves each channel on its own, and narrows it by another
1 x 1 convolution; its input is added where the sizes agree. Widths and kernels are those of the weights; only the
strides are not in them.

The weights were trained in TensorFlow: a convolution of stride 2 pads more on the right and the bottom ("SAME"), and
batch normalisation adds 0.001 to the variance. As it is linear when a network is used, it is multiplied into the
convolution before it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from widemargin.networks.errors import NetworkError
from widemargin.networks.onnx_file import onnx_package

__all__ = ["BUILDER_VERSION", "SIDE", "STRIDES", "build_efficientnet_lite0"]

Array = npt.NDArray[Any]

BUILDER_VERSION = 1
"""Raised whenever the same weights give another graph."""

SIDE = 224
"""Height and width of the input in pixels."""

STRIDES = (1, 2, 1, 2, 1, 2, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1)
"""Stride of the middle convolution of each block."""

_EPSILON = 1e-3
# The format of 2021, which every version of onnxruntime that the package allows can read.
_OPSET, _IR = 13, 8


def build_efficientnet_lite0(weights: Mapping[str, Array], metadata: Mapping[str, str]) -> bytes:
    """Build the network from its weights.

    The input ``pictures`` is (n, 3, 224, 224), as `PREPROCESSING` describes under "lite"; the outputs are ``features``,
    the mean over the picture of the last convolution, and ``probabilities`` of the classes.

    Parameters
    ----------
    weights : mapping of str to array
        Weights by name.
    metadata : mapping of str to str
        Notes that the file shall carry on itself.

    Returns
    -------
    bytes
        The network in the format ONNX.

    Raises
    ------
    ImportError
        If onnx is missing.
    NetworkError
        If a weight is missing, or the weights are not those of this network.
    """
    try:
        return _Builder(weights).network(metadata)
    except KeyError as error:
        raise NetworkError(f"weights have no {error.args[0]!r}: pass those of EfficientNet-Lite0.") from error
    except ValueError as error:
        raise NetworkError(
            f"weights do not fit together ({error}): pass those of EfficientNet-Lite0."
        ) from error


class _Builder:
    """A graph to which layers are added one after the other."""

    def __init__(self, weights: Mapping[str, Array]) -> None:
        self._onnx = onnx_package()
        self._weights = weights
        self._nodes: list[Any] = []
        self._constants: list[Any] = []

    def network(self, metadata: Mapping[str, str]) -> bytes:
        side = SIDE
        self._constant("zero", np.float32(0))
        self._constant("six", np.float32(6))
        last, side = self._convolved("pictures", "_conv_stem", "_bn0", side, stride=2)
        for number, stride in enumerate(STRIDES):
            last, side = self._block(last, f"_blocks.{number}.", side, stride)
        last, side = self._convolved(last, "_conv_head", "_bn1", side)
        pooled = self._node("GlobalAveragePool", [last], "pooled")
        features = self._node("Flatten", [pooled], "features", axis=1)
        self._constant("_fc.weight", self._weights["_fc.weight"])
        self._constant("_fc.bias", self._weights["_fc.bias"])
        logits = self._node("Gemm", [features, "_fc.weight", "_fc.bias"], "logits", transB=1)
        self._node("Softmax", [logits], "probabilities", axis=1)
        return self._serialised(metadata)

    def _block(self, source: str, prefix: str, side: int, stride: int) -> tuple[str, int]:
        last = source
        if f"{prefix}_expand_conv.weight" in self._weights:
            last, side = self._convolved(last, f"{prefix}_expand_conv", f"{prefix}_bn0", side)
        last, side = self._convolved(
            last, f"{prefix}_depthwise_conv", f"{prefix}_bn1", side, stride=stride, by_channel=True
        )
        last, side = self._convolved(last, f"{prefix}_project_conv", f"{prefix}_bn2", side, bounded=False)
        expansion = self._weights.get(f"{prefix}_expand_conv.weight")
        width = (
            len(self._weights[f"{prefix}_depthwise_conv.weight"]) if expansion is None else expansion.shape[1]
        )
        if stride == 1 and width == len(self._weights[f"{prefix}_project_conv.weight"]):
            last = self._node("Add", [source, last], f"{prefix}sum")
        return last, side

    def _convolved(
        self,
        source: str,
        name: str,
        normalisation: str,
        side: int,
        *,
        stride: int = 1,
        by_channel: bool = False,
        bounded: bool = True,
    ) -> tuple[str, int]:
        """Add a convolution with its normalisation, and ReLU6 if it is bounded; return its name and the new side."""
        kernel, bias = self._folded(name, normalisation)
        self._constant(f"{name}.weight", kernel)
        self._constant(f"{name}.bias", bias)
        size = kernel.shape[2]
        new_side = -(-side // stride)
        padding = max(0, (new_side - 1) * stride + size - side)
        before, after = padding // 2, padding - padding // 2
        last = self._node(
            "Conv",
            [source, f"{name}.weight", f"{name}.bias"],
            f"{name}.sum" if bounded else f"{name}.output",
            kernel_shape=[size, size],
            strides=[stride, stride],
            pads=[before, before, after, after],
            group=len(kernel) if by_channel else 1,
        )
        if bounded:
            last = self._node("Clip", [last, "zero", "six"], f"{name}.output")
        return last, new_side

    def _folded(self, name: str, normalisation: str) -> tuple[Array, Array]:
        """Return kernel and bias of a convolution and the normalisation after it."""
        kernel, mean, variance, scale, shift = (
            np.asarray(self._weights[key], dtype=np.float64)
            for key in (
                f"{name}.weight",
                f"{normalisation}.running_mean",
                f"{normalisation}.running_var",
                f"{normalisation}.weight",
                f"{normalisation}.bias",
            )
        )
        if kernel.ndim != 4:
            raise ValueError(f"{name}.weight has {kernel.ndim} axes, expected 4")
        factor = scale / np.sqrt(variance + _EPSILON)
        return kernel * factor[:, None, None, None], shift - factor * mean

    def _constant(self, name: str, values: Any) -> None:
        array = np.ascontiguousarray(values, dtype=np.float32).reshape(np.shape(values))
        self._constants.append(self._onnx.numpy_helper.from_array(array, name))

    def _node(self, operation: str, sources: list[str], name: str, **attributes: Any) -> str:
        self._nodes.append(self._onnx.helper.make_node(operation, sources, [name], name=name, **attributes))
        return name

    def _serialised(self, metadata: Mapping[str, str]) -> bytes:
        helper, single = self._onnx.helper, self._onnx.TensorProto.FLOAT
        classes, width = self._weights["_fc.weight"].shape
        graph = helper.make_graph(
            self._nodes,
            "efficientnet-lite0",
            [helper.make_tensor_value_info("pictures", single, ["n", 3, SIDE, SIDE])],
            [
                helper.make_tensor_value_info("features", single, ["n", width]),
                helper.make_tensor_value_info("probabilities", single, ["n", classes]),
            ],
            self._constants,
        )
        model = helper.make_model(
            graph, opset_imports=[helper.make_opsetid("", _OPSET)], ir_version=_IR, producer_name="widemargin"
        )
        helper.set_model_props(model, dict(metadata))
        return bytes(model.SerializeToString(deterministic=True))
