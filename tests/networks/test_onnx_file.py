"""A file is not trusted: nothing else is read because of it, and damage ends in words, not on the terminal."""

import numpy as np
import pytest

from widemargin.networks import NetworkError, load_network

onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

from onnx import TensorProto, helper, numpy_helper  # noqa: E402

from networks.onnx_files import MIXING, colour_model, write_colour_model  # noqa: E402


def load(tmp_path, model):
    onnx.save_model(model, tmp_path / "network.onnx")
    return load_network(tmp_path / "network.onnx", preprocess="unit", feature_output="features")


def external(tensor, location):
    tensor.data_location = TensorProto.EXTERNAL
    tensor.ClearField("raw_data")
    entry = tensor.external_data.add()
    entry.key, entry.value = "location", str(location)


def test_weights_in_other_files_are_refused(tmp_path):
    (tmp_path / "weights").write_bytes(MIXING.tobytes())
    model = colour_model()
    external(model.graph.initializer[0], "weights")
    with pytest.raises(NetworkError, match="keeps the weights 'mixing' in another file"):
        load(tmp_path, model)


def test_weights_in_other_files_are_found_inside_of_nodes(tmp_path):
    (tmp_path / "weights").write_bytes(MIXING.tobytes())
    tensor = numpy_helper.from_array(MIXING, "hidden")
    external(tensor, tmp_path / "weights")
    constant = helper.make_node("Constant", [], ["hidden"])
    attribute = constant.attribute.add()
    attribute.name, attribute.type = "value", onnx.AttributeProto.TENSOR
    attribute.t.CopyFrom(tensor)
    inner = helper.make_graph([constant], "inner", [], [helper.make_empty_tensor_value_info("hidden")])
    branch = helper.make_node("If", ["pictures"], ["chosen"], then_branch=inner, else_branch=inner)
    function = helper.make_function(
        "own", "Hidden", [], ["hidden"], [constant], [helper.make_opsetid("", 13)]
    )
    at_the_top, in_a_branch, in_a_function = colour_model(), colour_model(), colour_model()
    at_the_top.graph.node.append(constant)
    in_a_branch.graph.node.append(branch)
    in_a_function.functions.append(function)
    for model in (at_the_top, in_a_branch, in_a_function):
        (tmp_path / "network.onnx").write_bytes(model.SerializeToString())
        with pytest.raises(NetworkError, match="keeps the weights 'hidden' in another file"):
            load_network(tmp_path / "network.onnx")


def test_operations_of_other_libraries_are_refused(tmp_path):
    model = colour_model()
    model.graph.node[-1].domain = "com.example"
    with pytest.raises(NetworkError, match=r"operation 'Gemm' of 'com\.example', which comes from a library"):
        load(tmp_path, model)
    context = colour_model()
    context.graph.node.append(helper.make_node("EPContext", [], ["x"], domain="com.microsoft"))
    with pytest.raises(NetworkError, match="operation 'EPContext'"):
        load(tmp_path, context)


def test_functions_that_the_file_defines_itself_are_run(tmp_path):
    model = colour_model(outputs=("features",))
    relu = next(node for node in model.graph.node if node.op_type == "Relu")
    relu.op_type, relu.domain = "CutAtZero", "own"
    body = [helper.make_node("Relu", ["x"], ["y"])]
    model.functions.append(
        helper.make_function("own", "CutAtZero", ["x"], ["y"], body, [helper.make_opsetid("", 13)])
    )
    model.opset_import.append(helper.make_opsetid("own", 1))
    features = load(tmp_path, model).describe([np.full((9, 9, 3), 255, dtype=np.uint8)]).features
    np.testing.assert_allclose(features, [[1, 1, 1, 3]], atol=1e-5)


@pytest.mark.parametrize(
    "content", [b"", b"not a network", b"\x80\x02}q\x00.", b"\0" * 1000, bytes(range(256))]
)
def test_what_is_no_network_is_refused(tmp_path, content):
    (tmp_path / "network.onnx").write_bytes(content)
    with pytest.raises(NetworkError, match=r"network .*network\.onnx is .*no ONNX file"):
        load_network(tmp_path / "network.onnx")


def test_a_file_that_cannot_be_read(tmp_path):
    with pytest.raises(NetworkError, match=r"nothing\.onnx cannot be read \(No such file"):
        load_network(tmp_path / "nothing.onnx")
    with pytest.raises(NetworkError, match="cannot be read"):
        load_network(tmp_path)
    with open(tmp_path / "large.onnx", "wb") as file:
        file.truncate(2**31)
    with pytest.raises(NetworkError, match="larger than 2 GiB"):
        load_network(tmp_path / "large.onnx")


def test_a_damaged_network_is_refused_or_run_and_says_nothing_on_the_terminal(tmp_path, capfd):
    content = write_colour_model(tmp_path / "network.onnx").read_bytes()
    random = np.random.default_rng(0)
    damaged = [content[:length] for length in range(0, len(content), 7)]
    for position in range(0, len(content), 3):
        changed = bytearray(content)
        changed[position] ^= int(random.integers(1, 256))
        damaged.append(bytes(changed))
    refused = 0
    for variant in damaged:
        (tmp_path / "network.onnx").write_bytes(variant)
        try:
            load_network(tmp_path / "network.onnx").describe([np.zeros((3, 3, 3), dtype=np.uint8)])
        except NetworkError:
            refused += 1
    assert refused > len(damaged) / 4
    assert capfd.readouterr() == ("", "")
