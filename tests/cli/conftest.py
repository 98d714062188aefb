"""What tests of the command line share."""

import pytest


@pytest.fixture(scope="session")
def indexed(tmp_path_factory):
    """A folder with tiny videos, a network, word vectors, and an index of the videos; nothing may be changed in it."""
    for package in ("av", "onnx", "onnxruntime"):
        pytest.importorskip(package)
    from cli.event_runs import call, index_options, make_folder

    folder = make_folder(tmp_path_factory.mktemp("events"))
    result = call("index", folder / "videos", *index_options(folder))
    assert result.exit_code == 0, result.output
    return folder
