"""Any network in an ONNX file: what was not said is found out, and what is wrong is said."""

import json
import threading

import numpy as np
import pytest

from widemargin.networks import ImageNetwork, NetworkError, NetworkOutput, load_network

onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

from onnx import TensorProto, helper, numpy_helper  # noqa: E402

from networks.onnx_files import MIXING, TELLING, colour_model, write_colour_model  # noqa: E402

NAMES = ("red", "green", "blue")
COLOURS = np.array([[200, 30, 10], [0, 255, 0], [90, 80, 100]])


def plain(colours=COLOURS, size=(12, 20)):
    return [np.full((*size, 3), colour, dtype=np.uint8) for colour in colours]


def expected_features(colours, formula=lambda p: p / 255):
    return np.maximum(formula(np.asarray(colours, dtype=float)) @ MIXING.T, 0)


def softmax(scores):
    exponentials = np.exp(scores - scores.max(axis=1, keepdims=True))
    return exponentials / exponentials.sum(axis=1, keepdims=True)


def check(network, *, atol=1e-5):
    output = network.describe(plain())
    assert isinstance(network, ImageNetwork)
    assert isinstance(output, NetworkOutput)
    features = expected_features(COLOURS)
    assert output.features.dtype == output.concepts.dtype == np.float32
    np.testing.assert_allclose(output.features, features, atol=atol)
    np.testing.assert_allclose(output.concepts, softmax(features @ TELLING.T), atol=atol)


@pytest.mark.parametrize("batch", ["n", None, 1, 2, 5])
@pytest.mark.parametrize("channels_first", [True, False])
@pytest.mark.parametrize("side", [8, "side", None])
def test_every_layout_batch_and_size(tmp_path, batch, channels_first, side):
    shape = (batch, 3, side, side) if channels_first else (batch, side, side, 3)
    path = write_colour_model(tmp_path / "colours.onnx", shape=shape, channels_first=channels_first)
    network = load_network(path, classes=NAMES, preprocess="unit")
    # onnxruntime adds the numbers of a picture one by one in single precision.
    check(network, atol=1e-5 if side == 8 else 5e-4)
    assert network.name == "colours"
    assert network.n_features == 4
    assert network.concept_names == NAMES
    assert network.input_side == (8 if side == 8 else 224)


def test_half_precision(tmp_path):
    path = write_colour_model(tmp_path / "colours.onnx", type=TensorProto.FLOAT16)
    # Half precision has three digits, and the logits go up to 5.
    check(load_network(path, classes=NAMES, preprocess="unit"), atol=5e-3)


def test_probabilities_are_left_as_they_are(tmp_path):
    path = write_colour_model(tmp_path / "colours.onnx", outputs=("features", "probabilities"), softmax=True)
    check(load_network(path, classes=NAMES, preprocess="unit"))


def test_no_classes_no_concepts(tmp_path):
    path = write_colour_model(tmp_path / "tower.onnx", outputs=("features",))
    network = load_network(path, preprocess="unit")
    output = network.describe(plain())
    assert network.concept_names == ()
    assert output.concepts.shape == (3, 0)
    np.testing.assert_allclose(output.features, expected_features(COLOURS), atol=1e-5)
    empty = network.describe([])
    assert empty.features.shape == (0, 4)
    assert empty.concepts.shape == (0, 0)


@pytest.mark.parametrize("outputs", [("logits",), ("probabilities",), ("logits", "features")])
def test_features_are_found_where_there_is_no_output_for_them(tmp_path, outputs):
    path = write_colour_model(tmp_path / "colours.onnx", outputs=outputs, softmax=True)
    check(load_network(path, classes=NAMES, preprocess="unit"))


def test_a_result_inside_the_network_can_be_the_features(tmp_path):
    path = write_colour_model(tmp_path / "colours.onnx", outputs=("probabilities",), softmax=True)
    network = load_network(path, classes=NAMES, feature_output="mixed", preprocess="imagenet")
    output = network.describe(plain())
    means, deviations = np.array([0.485, 0.456, 0.406]), np.array([0.229, 0.224, 0.225])
    mixed = ((COLOURS / 255 - means) / deviations) @ MIXING.T
    assert mixed.min() < 0
    np.testing.assert_allclose(output.features, mixed, atol=1e-4)
    network = load_network(path, feature_output="pooled", preprocess="unit")
    np.testing.assert_allclose(network.describe(plain()).features, COLOURS / 255, atol=1e-5)
    network = load_network(path, feature_output="logits", concept_output="logits", classes=NAMES)
    assert network.n_features == 3


def test_an_output_that_is_no_row_comes_last(tmp_path):
    model = colour_model(shape=("n", 8, 8, 3), channels_first=False, outputs=("features",))
    maps = helper.make_tensor_value_info("turned", TensorProto.FLOAT, ["n", 3, 8, 8])
    model.graph.output.insert(0, maps)
    onnx.save_model(model, tmp_path / "tower.onnx")
    assert load_network(tmp_path / "tower.onnx").n_features == 4


def test_what_the_outputs_do_not_need_is_left_out(tmp_path):
    # The last layer would fail if it were computed: the features do not need it.
    model = colour_model(outputs=("logits",))
    model.graph.node[-1].op_type = "MatMul"
    del model.graph.node[-1].attribute[:]
    onnx.save_model(model, tmp_path / "colours.onnx")
    with pytest.raises(NetworkError):
        load_network(tmp_path / "colours.onnx", classes=NAMES)
    network = load_network(tmp_path / "colours.onnx", feature_output="features", preprocess="unit")
    np.testing.assert_allclose(network.describe(plain()).features, expected_features(COLOURS), atol=1e-5)


def test_notes_in_the_file_are_used_where_nothing_is_passed(tmp_path):
    metadata = {
        "widemargin.name": "Colours 1",
        "widemargin.preprocess": "unit",
        "widemargin.feature_output": "features",
        "widemargin.concept_output": "logits",
        "widemargin.classes": json.dumps(NAMES),
    }
    path = write_colour_model(tmp_path / "colours.onnx", metadata=metadata)
    network = load_network(path)
    assert network.name == "Colours 1"
    assert network.concept_names == NAMES
    check(network)
    other = load_network(path, preprocess="lite", classes=["r", "g", "b"], feature_output="colours")
    assert other.concept_names == ("r", "g", "b")
    np.testing.assert_allclose(other.describe(plain()).features, (COLOURS - 127) / 128, atol=1e-5)
    for note in ('["red"', '{"red": 1}', "[1, 2, 3]"):
        write_colour_model(path, metadata={**metadata, "widemargin.classes": note})
        with pytest.raises(NetworkError, match=r"'widemargin\.classes' that is no JSON list"):
            load_network(path)


def test_classes_from_a_file(tmp_path):
    path = write_colour_model(tmp_path / "colours.onnx")
    (tmp_path / "names.txt").write_text("\n".join(NAMES), encoding="utf-8")
    check(load_network(str(path), classes=tmp_path / "names.txt", preprocess="unit"))


def test_digest_tells_networks_apart_by_all_that_changes_numbers(tmp_path):
    path = write_colour_model(tmp_path / "colours.onnx")
    copy = write_colour_model(tmp_path / "copy.onnx")
    other = write_colour_model(tmp_path / "other.onnx", metadata={"note": "another file"})
    base = {"classes": NAMES, "preprocess": "unit", "feature_output": "features"}
    digest = load_network(path, **base).digest
    assert load_network(copy, **base, n_threads=2).digest == digest
    assert load_network(copy, classes=NAMES, preprocess="unit").digest == digest
    changed = [
        load_network(other, **base).digest,
        load_network(path, **{**base, "preprocess": "lite"}).digest,
        load_network(path, **{**base, "classes": ("red", "green", "violet")}).digest,
        load_network(path, **{**base, "feature_output": "mixed"}).digest,
        load_network(path, preprocess="unit", feature_output="features").digest,
    ]
    assert len({digest, *changed}) == 6


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (
            {"classes": NAMES[:2]},
            r"names 2 classes, and network .* 'features' of 4 numbers, 'logits' of 3 numbers",
        ),
        ({"classes": NAMES, "concept_output": "features"}, "tells 4 classes apart .* classes names 3"),
        ({"concept_output": "logits"}, "no classes are named: pass classes"),
        ({"feature_output": "fc6"}, r"feature_output is 'fc6', .* outputs \('features', 'logits'\)"),
        ({"feature_output": "pictures"}, "computes nothing of this name"),
        ({"preprocess": "vgg"}, "preprocess is 'vgg'"),
    ],
)
def test_what_does_not_fit_the_network_is_said(tmp_path, options, words):
    path = write_colour_model(tmp_path / "colours.onnx")
    with pytest.raises(NetworkError, match=words):
        load_network(path, **options)


def test_number_of_threads_is_checked(tmp_path):
    path = write_colour_model(tmp_path / "colours.onnx")
    with pytest.raises(ValueError, match="n_threads"):
        load_network(path, n_threads=0)
    with pytest.raises(TypeError, match="n_threads"):
        load_network(path, n_threads=1.5)


def test_features_that_are_no_row_are_refused(tmp_path):
    path = write_colour_model(tmp_path / "colours.onnx", channels_first=False, shape=("n", 8, 8, 3))
    with pytest.raises(NetworkError, match=r"output 'turned' .* has shape \(1, 3, 8, 8\) for 1 picture"):
        load_network(path, feature_output="turned")


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        (("n", 3, 8, 9), "a height that is the width"),
        (("n", 1, 8, 8), "expected three colours"),
        (("n", 3, 8), "has 3 axes"),
        (("n", 3, 100_000, 100_000), "more than 67108864 pixels at once"),
        ((2**40, 3, 8, 8), "more than 67108864 pixels at once"),
    ],
)
def test_other_inputs_are_refused(tmp_path, shape, words):
    path = write_colour_model(tmp_path / "colours.onnx", shape=shape)
    with pytest.raises(NetworkError, match=words):
        load_network(path)


def test_two_inputs_are_refused(tmp_path):
    model = colour_model()
    model.graph.input.append(helper.make_tensor_value_info("text", TensorProto.FLOAT, ["n", 77]))
    onnx.save_model(model, tmp_path / "two.onnx")
    with pytest.raises(NetworkError, match="has the inputs 'pictures', 'text', expected one"):
        load_network(tmp_path / "two.onnx")


def test_a_network_that_only_says_that_it_takes_any_number_gets_one_at_a_time(tmp_path):
    model = colour_model(outputs=("features",))
    model.graph.initializer.append(numpy_helper.from_array(np.array([1, 3]), "one"))
    flatten = next(node for node in model.graph.node if node.op_type == "Flatten")
    flatten.op_type = "Reshape"
    flatten.input.append("one")
    onnx.save_model(model, tmp_path / "one.onnx")
    network = load_network(tmp_path / "one.onnx", preprocess="unit")
    np.testing.assert_allclose(network.describe(plain()).features, expected_features(COLOURS), atol=1e-5)


def test_numbers_that_are_not_finite_name_the_picture(tmp_path):
    # The logarithm of a colour that is missing altogether.
    model = colour_model(outputs=("features",))
    next(node for node in model.graph.node if node.op_type == "Relu").op_type = "Log"
    onnx.save_model(model, tmp_path / "log.onnx")
    with pytest.raises(NetworkError, match=r"not finite for pictures\[0\]"):
        load_network(tmp_path / "log.onnx", preprocess="unit")
    # The network is tried on black pictures, which have numbers above zero where blue is turned around.
    model.graph.initializer[0].CopyFrom(numpy_helper.from_array(-MIXING, "mixing"))
    onnx.save_model(model, tmp_path / "log.onnx")
    network = load_network(tmp_path / "log.onnx", preprocess="lite")
    pictures = plain([(3, 4, 5)] * 10 + [(3, 4, 250)] + [(3, 4, 5)])
    with pytest.raises(NetworkError, match=r"not finite for pictures\[10\]"):
        network.describe(pictures)
    assert np.isfinite(network.describe(pictures[:10]).features).all()


def test_a_wrong_picture_is_named(tmp_path):
    network = load_network(write_colour_model(tmp_path / "colours.onnx"))
    with pytest.raises(ValueError, match=r"pictures\[9\] has shape \(4, 4, 4\)"):
        network.describe(plain() * 3 + [np.zeros((4, 4, 4), np.uint8)])


def test_threads_may_share_a_network(tmp_path):
    network = load_network(write_colour_model(tmp_path / "colours.onnx"), classes=NAMES, preprocess="unit")
    results = {}

    def describe(number):
        colours = np.full((20, 3), number)
        results[number] = network.describe(plain(colours)).features

    threads = [threading.Thread(target=describe, args=(number,)) for number in range(0, 250, 50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for number, features in results.items():
        np.testing.assert_allclose(features, expected_features(np.full((20, 3), number)), atol=1e-5)
    assert len(results) == 5
