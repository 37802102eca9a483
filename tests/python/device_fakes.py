"""Device arrays without a device: what a library would hand over, with addresses nobody reads."""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import kvarium
from kvarium import _core

CODES = {"i": 0, "u": 1, "f": 2, "bfloat16": 4, "float8_e4m3fn": 10, "float8_e5m2": 12}
CUDA_KIND = 2


class Tensor(ctypes.Structure):
    """DLTensor, then what a DLManagedTensor has after it."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_kind", ctypes.c_int32),
        ("device_number", ctypes.c_int32),
        ("num_axes", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
    )


class VersionedTensor(ctypes.Structure):
    """DLManagedTensorVersioned."""

    _fields_ = (
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", ctypes.c_void_p),
        ("flags", ctypes.c_uint64),
        ("tensor", Tensor),
    )


def new_capsule(pointer: int, name: bytes) -> Any:
    new = ctypes.pythonapi.PyCapsule_New
    new.restype, new.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    return new(pointer, name, None)


class FakeTensor:
    """A device tensor with the shape and strides of a NumPy array; it notes the streams it was asked for.

    ``element`` names a type NumPy has only the bits of.
    """

    def __init__(self, array: NDArray[Any], element: str = "", device: int = 0) -> None:
        self.array = array
        self.element = element
        self.device = device
        self.address = array.__array_interface__["data"][0]
        self.streams: list[int] = []
        self.is_read_only = False
        self.lanes = 1
        self.kept: list[Any] = []

    def fields(self) -> Tensor:
        axes = self.array.ndim
        shape = (ctypes.c_int64 * axes)(*self.array.shape)
        strides = (ctypes.c_int64 * axes)(*(stride // self.array.itemsize for stride in self.array.strides))
        self.kept += [shape, strides]
        code = CODES[self.element or self.array.dtype.kind]
        data = ctypes.c_void_p(self.address - 64)
        return Tensor(data, CUDA_KIND, self.device, axes, code, 8 * self.array.itemsize, self.lanes, shape, strides, 64)

    def __dlpack__(self, *, stream: int) -> Any:
        self.streams.append(stream)
        self.kept.append(self.fields())
        return new_capsule(ctypes.addressof(self.kept[-1]), b"dltensor")

    def __dlpack_device__(self) -> tuple[int, int]:
        return CUDA_KIND, self.device


class VersionedFakeTensor(FakeTensor):
    """The same as of DLPack 1."""

    major_version = 1

    def __dlpack__(self, *, stream: int, max_version: tuple[int, int] | None = None) -> Any:
        assert max_version is not None
        self.streams.append(stream)
        self.kept.append(VersionedTensor(self.major_version, 0, None, None, int(self.is_read_only), self.fields()))
        return new_capsule(ctypes.addressof(self.kept[-1]), b"dltensor_versioned")


class InterfaceOnly:
    """An array with nothing but ``__cuda_array_interface__``."""

    def __init__(self, **changes: Any) -> None:
        interface = {"version": 3, "typestr": "<f4", "shape": (2, 3), "strides": None, "data": (4096, False)}
        self.__cuda_array_interface__ = interface | changes


def without_device() -> None:
    """Skip where a device is: there, the addresses of fakes would be read."""
    try:
        _core.device_of_address(4096)
    except kvarium.NotConfigured:
        return
    pytest.skip("a CUDA device is here; fakes would be read by it")
