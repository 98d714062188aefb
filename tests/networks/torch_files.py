"""Files in PyTorch's legacy format, put together without PyTorch."""

import pickle
import struct
from collections import OrderedDict
from io import BytesIO
from typing import ClassVar

import numpy as np

MAGIC = 0x1950A86A20F9469CFC6C
MACHINE = {"protocol_version": 1001, "little_endian": True, "type_sizes": {"short": 2, "int": 4, "long": 4}}


class Storage:
    """Stands for numbers that follow after the pickles."""

    def __init__(self, key, numbers, kind="FloatStorage"):
        self.key, self.numbers, self.kind = key, np.asarray(numbers), kind


class Tensor:
    """Stands for a view of a storage."""

    def __init__(self, storage, offset, sizes, strides):
        self.parts = (storage, offset, sizes, strides)


class Name:
    """Is pickled as the bare name of something to import."""

    def __init__(self, module, name):
        self.module, self.name = module, name


class Pickler(pickle._Pickler):
    """Writes the stand-ins the way PyTorch writes what they stand for."""

    dispatch: ClassVar = dict(pickle._Pickler.dispatch)

    def persistent_id(self, item):
        if isinstance(item, Storage):
            return ("storage", Name("torch", item.kind), item.key, "cpu", len(item.numbers), None)
        return None

    def save_tensor(self, tensor):
        self.save_name(Name("torch._utils", "_rebuild_tensor_v2"))
        self.save((*tensor.parts, False, OrderedDict()))
        self.write(pickle.REDUCE)

    def save_name(self, name):
        self.write(pickle.GLOBAL + f"{name.module}\n{name.name}\n".encode())

    dispatch[Tensor] = save_tensor
    dispatch[Name] = save_name


def pickled(item):
    stream = BytesIO()
    Pickler(stream, protocol=2).dump(item)
    return stream.getvalue()


def torch_file(saved, storages, *, machine=MACHINE, keys=None):
    """Content of a file that holds `saved`, whose tensors are views of `storages`."""
    keys = [storage.key for storage in storages] if keys is None else keys
    head = b"".join(pickled(item) for item in (MAGIC, 1001, machine, saved, keys))
    return head + b"".join(struct.pack("<q", len(s.numbers)) + s.numbers.tobytes() for s in storages)
