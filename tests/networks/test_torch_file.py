"""Weights from PyTorch's legacy files: views as they were saved, and nothing else, whatever the file says."""

import os
import pickle
import struct
from collections import OrderedDict

import numpy as np
import pytest

from networks.torch_files import MACHINE, MAGIC, Name, Storage, Tensor, pickled, torch_file
from widemargin.networks import NetworkError
from widemargin.networks import torch_file as torch_file_module
from widemargin.networks.torch_file import read_torch_file


def numbers(count, dtype=np.float32):
    return np.arange(count).astype(dtype)


def read(tmp_path, content):
    path = tmp_path / "weights.pth"
    path.write_bytes(content)
    return read_torch_file(path)


def example():
    first, second = Storage("1", numbers(24)), Storage("2", numbers(3, np.int64), "LongStorage")
    saved = OrderedDict(
        whole=Tensor(first, 0, (2, 3, 4), (12, 4, 1)),
        turned=Tensor(first, 0, (4, 6), (1, 4)),
        part=Tensor(first, 5, (3,), (2,)),
        count=Tensor(second, 2, (), ()),
        empty=Tensor(second, 3, (0, 5), (5, 1)),
    )
    return torch_file(saved, [first, second])


def test_tensors_are_views_with_their_offsets_sizes_and_strides(tmp_path):
    tensors = read(tmp_path, example())
    assert list(tensors) == ["whole", "turned", "part", "count", "empty"]
    np.testing.assert_array_equal(tensors["whole"], numbers(24).reshape(2, 3, 4))
    np.testing.assert_array_equal(tensors["turned"], numbers(24).reshape(6, 4).T)
    np.testing.assert_array_equal(tensors["part"], [5, 7, 9])
    assert tensors["count"].shape == ()
    assert tensors["count"] == 2
    assert tensors["empty"].shape == (0, 5)
    assert tensors["whole"].dtype == np.float32
    assert tensors["count"].dtype == np.int64
    assert not any(tensor.flags.writeable for tensor in tensors.values())


@pytest.mark.parametrize(
    ("kind", "dtype"),
    [
        ("DoubleStorage", "<f8"),
        ("FloatStorage", "<f4"),
        ("HalfStorage", "<f2"),
        ("LongStorage", "<i8"),
        ("IntStorage", "<i4"),
        ("ShortStorage", "<i2"),
        ("CharStorage", "<i1"),
        ("ByteStorage", "<u1"),
    ],
)
def test_every_type_of_numbers(tmp_path, kind, dtype):
    storage = Storage("1", numbers(5, dtype), kind)
    tensors = read(tmp_path, torch_file({"x": Tensor(storage, 0, (5,), (1,))}, [storage]))
    assert tensors["x"].dtype == dtype
    np.testing.assert_array_equal(tensors["x"], range(5))


def test_a_file_cut_anywhere_is_refused(tmp_path):
    content = example()
    for length in range(len(content)):
        with pytest.raises(NetworkError, match=r"weights .*: pass a dictionary of tensors"):
            read(tmp_path, content[:length])
    with pytest.raises(NetworkError, match="more after them"):
        read(tmp_path, content + b"\0")


def test_a_file_with_a_changed_byte_is_refused_or_read(tmp_path):
    content = example()
    random = np.random.default_rng(0)
    refused = 0
    for position in range(len(content) - 8 * 3 - 4 * 24):
        changed = bytearray(content)
        changed[position] ^= random.integers(1, 256)
        try:
            tensors = read(tmp_path, bytes(changed))
        except NetworkError:
            refused += 1
        else:
            assert all(isinstance(tensor, np.ndarray) for tensor in tensors.values())
            assert all(tensor.nbytes <= 8 * 24 for tensor in tensors.values())
    assert refused > 200


class _Calls:
    """Is pickled as a call of a function."""

    def __init__(self, function, *arguments):
        self.parts = (function, arguments)

    def __reduce__(self):
        return self.parts


@pytest.mark.parametrize("protocol", [0, 1, 2, 4, 5])
@pytest.mark.parametrize("function", ["system", "eval", "mkdir"])
def test_nothing_that_a_file_calls_is_run(tmp_path, protocol, function):
    victim = tmp_path / "run"
    call = {
        "system": _Calls(os.system, f"mkdir {victim}"),
        "eval": _Calls(eval, f"__import__('os').mkdir({str(victim)!r})"),
        "mkdir": _Calls(os.mkdir, str(victim)),
    }[function]
    # Python's own reader runs it, so that it is the file that would do harm.
    pickle.loads(pickle.dumps(call, protocol))
    assert victim.exists()
    victim.rmdir()
    evil = pickle.dumps({"x": call}, protocol)
    head = [pickled(item) for item in (MAGIC, 1001, MACHINE)]
    for content in (evil, head[0] + evil, b"".join(head[:2]) + evil, b"".join(head) + evil):
        with pytest.raises(NetworkError):
            read(tmp_path, content + pickled([]))
    assert not victim.exists()


def test_names_of_functions_are_refused_by_name(tmp_path):
    head = b"".join(pickled(item) for item in (MAGIC, 1001, MACHINE))
    with pytest.raises(NetworkError, match=r"name 'os system', which tensors do not need, so nothing"):
        read(tmp_path, head + pickled({"x": Name("os", "system")}))
    with pytest.raises(NetworkError, match="ask for STACK_GLOBAL, which tensors do not need"):
        read(tmp_path, head + b"\x80\x02X\x02\0\0\0osX\x06\0\0\0system\x93.")


def view(offset, sizes, strides, count=24):
    storage = Storage("1", numbers(count))
    return torch_file({"x": Tensor(storage, offset, sizes, strides)}, [storage])


@pytest.mark.parametrize(
    "content",
    [
        view(0, (25,), (1,)),
        view(1, (24,), (1,)),
        view(0, (13,), (2,)),
        view(25, (0,), (1,)),
        view(0, (25,), (0,)),
        view(0, (2**39, 2**39), (0, 0)),
        view(-1, (2,), (1,)),
        view(3, (2,), (-1,)),
        view(0, (2, 2), (1,)),
        view(0, (1,) * 33, (1,) * 33),
        view(True, (2,), (1,)),
        view(0, (2.0,), (1,)),
        view(0, None, None),
    ],
)
def test_a_tensor_stays_inside_its_storage(tmp_path, content):
    with pytest.raises(NetworkError):
        read(tmp_path, content)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "damaged"),
        (b"PK\x03\x04 a file of a newer version", "legacy format"),
        (b"\x80\x02K\x01." * 5, "not in PyTorch's legacy format"),
        (torch_file({}, [], machine={"little_endian": False}), "least significant byte first"),
        (torch_file([], []), "no dictionary"),
        (torch_file({"x": 1}, []), "'x', which is no tensor"),
        (torch_file({1: 2}, []), "no name"),
        (torch_file({}, [], keys=["1"]), "belong to no tensor"),
        (torch_file({"x": Tensor(Storage("1", numbers(2)), 0, (2,), (1,))}, []), "lack the numbers"),
    ],
)
def test_other_files_are_refused_in_words(tmp_path, content, words):
    with pytest.raises(NetworkError, match=words):
        read(tmp_path, content)


def test_the_same_storage_twice_or_of_two_types_is_refused(tmp_path):
    storage, other = Storage("1", numbers(2)), Storage("1", numbers(2, np.int32), "IntStorage")
    tensor = Tensor(storage, 0, (2,), (1,))
    with pytest.raises(NetworkError, match="twice those of one"):
        read(tmp_path, torch_file({"x": tensor}, [storage, storage]))
    with pytest.raises(NetworkError, match="two things of the storage"):
        read(tmp_path, torch_file({"x": tensor, "y": Tensor(other, 0, (2,), (1,))}, [storage]))


def test_a_length_that_differs_from_the_pickle_is_refused(tmp_path):
    content = view(0, (24,), (1,))
    start = len(content) - 8 - 4 * 24
    wrong = content[:start] + struct.pack("<q", 23) + content[start + 8 :]
    with pytest.raises(NetworkError, match="two things of the length"):
        read(tmp_path, wrong)


def test_deep_nesting_and_huge_numbers_of_instructions_are_refused(tmp_path, monkeypatch):
    head = b"".join(pickled(item) for item in (MAGIC, 1001, MACHINE))
    deep = b"\x80\x02})" + b"\x85" * 100_000
    for end in (b"N" + b"s.", b"."):
        with pytest.raises(NetworkError):
            read(tmp_path, head + deep + end + pickled([]))
    # An index of four billion is one entry here; in a list that is as long as its highest index it is all memory.
    with pytest.raises(NetworkError):
        read(tmp_path, head + b"\x80\x02}r\xff\xff\xff\xff." + pickled(["1"]))
    monkeypatch.setattr(torch_file_module, "_MAX_INSTRUCTIONS", 1000)
    with pytest.raises(NetworkError, match="more than any network"):
        read(tmp_path, head + b"\x80\x02" + b")" * 1100 + b".")


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(NetworkError, match=r"weights .*nothing\.pth cannot be read \(No such file"):
        read_torch_file(tmp_path / "nothing.pth")
    with pytest.raises(NetworkError, match="cannot be read"):
        read_torch_file(tmp_path)
