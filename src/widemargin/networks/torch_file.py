"""Weights from a file that PyTorch wrote before its version 1.6, read without PyTorch and without running anything.

Such a file is five pickles and then the raw numbers: a magic number, a version, a note on the machine, the nested
containers that were saved, and the keys of the storages, each of which follows as its length and its numbers. A tensor
is a view of a storage: an offset, sizes and strides, all counted in numbers.

A pickle is a program, and Python's own reader runs it: what a file names is imported and called. Here the few
instructions that a dictionary of tensors is written with are carried out one by one, names stand for nothing but
themselves, and any other instruction or name ends the reading.
"""

from __future__ import annotations

import pickletools
import struct
from collections.abc import Callable
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from widemargin.networks.errors import NetworkError

__all__ = ["read_torch_file"]

Array = npt.NDArray[Any]

_MAGIC = 0x1950A86A20F9469CFC6C
_VERSION = 1001
_MAX_BYTES = 2**31
# Some 70 for each tensor; a network of a thousand layers has 400,000.
_MAX_INSTRUCTIONS = 500_000
_TYPES = {
    "torch DoubleStorage": "<f8",
    "torch FloatStorage": "<f4",
    "torch HalfStorage": "<f2",
    "torch LongStorage": "<i8",
    "torch IntStorage": "<i4",
    "torch ShortStorage": "<i2",
    "torch CharStorage": "<i1",
    "torch ByteStorage": "<u1",
}
_REBUILD = "torch._utils _rebuild_tensor_v2"
_ORDERED = "collections OrderedDict"


@dataclass(frozen=True)
class _Name:
    """What a pickle names for import: nothing but its name."""

    text: str


@dataclass(frozen=True)
class _Storage:
    key: str
    type: str
    length: int


@dataclass(frozen=True)
class _View:
    storage: _Storage
    offset: int
    sizes: tuple[int, ...]
    strides: tuple[int, ...]


class _Mark:
    """Where on the stack the items of a container start."""


class _Damaged(Exception):
    """What is wrong with a file, in words that follow its name."""


def read_torch_file(path: str | Path) -> dict[str, Array]:
    """Read a dictionary of tensors from a file in PyTorch's legacy format.

    Parameters
    ----------
    path : str or Path
        The file, of at most 2 GiB.

    Returns
    -------
    dict of str to array
        The tensors by name, as read-only views of the content of the file, contiguous or not, as they were saved.

    Raises
    ------
    NetworkError
        If the file cannot be read, is damaged, or holds anything but a dictionary of tensors.
    """
    path = Path(path)
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise NetworkError(f"weights {path} are larger than 2 GiB: pass another file.")
        content = path.read_bytes()
    except OSError as error:
        raise NetworkError(f"weights {path} cannot be read ({error.strerror}): pass another file.") from error
    try:
        return _tensors(content)
    except _Damaged as error:
        raise NetworkError(
            f"weights {path} {error}: pass a dictionary of tensors in PyTorch's legacy format that is whole."
        ) from error


def _tensors(content: bytes) -> dict[str, Array]:
    stream = BytesIO(content)
    if _unpickled(stream) != _MAGIC or _unpickled(stream) != _VERSION:
        raise _Damaged("are not in PyTorch's legacy format")
    machine = _unpickled(stream)
    if not isinstance(machine, dict) or machine.get("little_endian") is not True:
        raise _Damaged("were not written by a machine with the least significant byte first")
    saved = _unpickled(stream)
    keys = _unpickled(stream)
    if not isinstance(saved, dict) or not isinstance(keys, list):
        raise _Damaged("hold no dictionary of tensors")
    views: dict[str, _View] = {}
    for name, view in saved.items():
        if not isinstance(view, _View):
            raise _Damaged(f"hold {name!r:.80}, which is no tensor")
        views[name] = view
    numbers = _storages(
        content, stream.tell(), keys, {view.storage.key: view.storage for view in views.values()}
    )
    return {name: _viewed(name, view, numbers) for name, view in views.items()}


def _storages(
    content: bytes, position: int, keys: list[Any], storages: dict[str, _Storage]
) -> dict[_Storage, Array]:
    """Return the numbers of each storage; they fill the file from a position to its end."""
    numbers = {}
    for key in keys:
        storage = storages.pop(key, None) if isinstance(key, str) else None
        if storage is None:
            raise _Damaged("hold numbers that belong to no tensor, or twice those of one")
        start = position + 8
        end = start + storage.length * np.dtype(storage.type).itemsize
        if end > len(content) or struct.unpack_from("<q", content, position)[0] != storage.length:
            raise _Damaged("end early, or say two things of the length of their numbers")
        numbers[storage] = np.frombuffer(content, storage.type, storage.length, start)
        position = end
    if storages or position != len(content):
        raise _Damaged("lack the numbers of some tensors, or have more after them")
    return numbers


def _viewed(name: str, view: _View, numbers: dict[_Storage, Array]) -> Array:
    """Return the part of a storage that is a tensor."""
    if view.storage not in numbers:
        raise _Damaged(f"say two things of the storage of tensor {name!r:.80}")
    array = numbers[view.storage]
    count = 1
    last = view.offset
    for size, stride in zip(view.sizes, view.strides, strict=True):
        count *= size
        last += (size - 1) * stride
    if count > len(array) or (count and last >= len(array)) or view.offset > len(array):
        raise _Damaged(f"have a tensor {name!r:.80} that is larger than its storage")
    strides = tuple(stride * array.itemsize for stride in view.strides)
    return np.lib.stride_tricks.as_strided(array[view.offset :], view.sizes, strides, writeable=False)


def _unpickled(stream: BytesIO) -> Any:
    """Carry out the instructions of one pickle, and return what it describes."""
    stack: list[Any] = []
    memo: dict[int, Any] = {}
    try:
        for count, (instruction, argument, _) in enumerate(pickletools.genops(stream)):
            if count > _MAX_INSTRUCTIONS:
                raise _Damaged("describe more than any network has")
            if instruction.name == "STOP":
                break
            carry_out = _INSTRUCTIONS.get(instruction.name)
            if carry_out is None:
                raise _Damaged(
                    f"ask for {instruction.name}, which tensors do not need, so nothing of it was done"
                )
            carry_out(stack, memo, argument)
        (result,) = stack
    except _Damaged:
        raise
    except (
        Exception
    ) as error:  # Damage can make any step fail: a stack that is too short, a key of another type.
        raise _Damaged("are damaged, or not in PyTorch's legacy format") from error
    return result


def _push_argument(stack: list[Any], memo: dict[int, Any], argument: Any) -> None:
    stack.append(argument)


def _pushing(make: Callable[[], Any]) -> Callable[[list[Any], dict[int, Any], Any], None]:
    return lambda stack, memo, argument: stack.append(make())


def _name(stack: list[Any], memo: dict[int, Any], argument: str) -> None:
    if argument not in (_REBUILD, _ORDERED, *_TYPES):
        raise _Damaged(f"name {argument!r:.80}, which tensors do not need, so nothing of it was done")
    stack.append(_Name(argument))


def _above_mark(stack: list[Any]) -> list[Any]:
    """Take the items above the last mark, and the mark, from the stack."""
    position = len(stack) - 1
    while not isinstance(stack[position], _Mark):
        position -= 1
        if position < 0:
            raise _Damaged("are damaged")
    items = stack[position + 1 :]
    del stack[position:]
    return items


def _tuple_of(count: int) -> Callable[[list[Any], dict[int, Any], Any], None]:
    def push(stack: list[Any], memo: dict[int, Any], argument: Any) -> None:
        items = tuple(stack[-count:])
        if len(items) != count:
            raise _Damaged("are damaged")
        del stack[-count:]
        stack.append(items)

    return push


def _tuple(stack: list[Any], memo: dict[int, Any], argument: Any) -> None:
    stack.append(tuple(_above_mark(stack)))


def _set_items(stack: list[Any], memo: dict[int, Any], argument: Any) -> None:
    items = _above_mark(stack)
    _fill(stack, items[::2], items[1::2])


def _set_item(stack: list[Any], memo: dict[int, Any], argument: Any) -> None:
    value, key = stack.pop(), stack.pop()
    _fill(stack, [key], [value])


def _fill(stack: list[Any], keys: list[Any], values: list[Any]) -> None:
    # Tuples inside tuples could be keys too, and a hundred thousand levels of them crash the interpreter.
    if not all(isinstance(key, str) for key in keys):
        raise _Damaged("hold something that has no name")
    _container(stack, dict).update(zip(keys, values, strict=True))


def _append_items(stack: list[Any], memo: dict[int, Any], argument: Any) -> None:
    items = _above_mark(stack)
    _container(stack, list).extend(items)


def _append_item(stack: list[Any], memo: dict[int, Any], argument: Any) -> None:
    item = stack.pop()
    _container(stack, list).append(item)


def _container(stack: list[Any], kind: type) -> Any:
    if not isinstance(stack[-1], kind):
        raise _Damaged("are damaged")
    return stack[-1]


def _build(stack: list[Any], memo: dict[int, Any], argument: Any) -> None:
    """Drop the attributes that PyTorch gives the outer dictionary: they say nothing of the tensors."""
    stack.pop()
    _container(stack, dict)


def _remember(stack: list[Any], memo: dict[int, Any], argument: int) -> None:
    memo[argument] = stack[-1]


def _recall(stack: list[Any], memo: dict[int, Any], argument: int) -> None:
    stack.append(memo[argument])


def _storage(stack: list[Any], memo: dict[int, Any], argument: Any) -> None:
    kind, name, key, _, length, view = stack.pop()
    if kind != "storage" or not isinstance(name, _Name) or name.text not in _TYPES or view is not None:
        raise _Damaged("hold something that is no tensor")
    if not isinstance(key, str) or type(length) is not int or length < 0:
        raise _Damaged("are damaged")
    stack.append(_Storage(key, _TYPES[name.text], length))


def _call(stack: list[Any], memo: dict[int, Any], argument: Any) -> None:
    """Do what the two functions do that a dictionary of tensors is written with."""
    arguments, name = stack.pop(), stack.pop()
    if name == _Name(_ORDERED) and arguments == ():
        stack.append({})
    elif name == _Name(_REBUILD):
        storage, offset, sizes, strides = arguments[:4]
        counts = (offset, *sizes, *strides)
        if not isinstance(storage, _Storage) or len(sizes) != len(strides) or len(sizes) > 32:
            raise _Damaged("are damaged")
        if not all(type(count) is int and 0 <= count < 2**40 for count in counts):
            raise _Damaged("are damaged")
        stack.append(_View(storage, offset, tuple(sizes), tuple(strides)))
    else:
        raise _Damaged("ask for a call that tensors do not need, so nothing of it was done")


def _nothing(stack: list[Any], memo: dict[int, Any], argument: Any) -> None:
    pass


_INSTRUCTIONS: dict[str, Callable[[list[Any], dict[int, Any], Any], None]] = {
    "PROTO": _nothing,
    "MARK": _pushing(_Mark),
    "NONE": _pushing(lambda: None),
    "NEWTRUE": _pushing(lambda: True),
    "NEWFALSE": _pushing(lambda: False),
    "EMPTY_DICT": _pushing(dict),
    "EMPTY_LIST": _pushing(list),
    "EMPTY_TUPLE": _pushing(tuple),
    "BININT": _push_argument,
    "BININT1": _push_argument,
    "BININT2": _push_argument,
    "LONG1": _push_argument,
    "BINUNICODE": _push_argument,
    "GLOBAL": _name,
    "TUPLE": _tuple,
    "TUPLE1": _tuple_of(1),
    "TUPLE2": _tuple_of(2),
    "TUPLE3": _tuple_of(3),
    "SETITEM": _set_item,
    "SETITEMS": _set_items,
    "APPEND": _append_item,
    "APPENDS": _append_items,
    "BINPUT": _remember,
    "LONG_BINPUT": _remember,
    "BINGET": _recall,
    "LONG_BINGET": _recall,
    "BINPERSID": _storage,
    "REDUCE": _call,
    "BUILD": _build,
}
