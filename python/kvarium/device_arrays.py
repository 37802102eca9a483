"""Arrays in the memory of a CUDA device, seen through their owner's protocol and never copied."""

from __future__ import annotations

from typing import Any, NoReturn, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .arrays import HostArray, SupportsDLPack
from .compiled import core
from .errors import InputError
from .streams import known_stream

# DLPack's device kinds that CUDA kernels read: device memory and managed memory.
CUDA_KINDS = (2, 13)
DLPACK_VERSION = (1, 0)

# Element types by DLPack's (type code, bits): name, and the NumPy type of their bits.
TYPES = {
    (0, 8): ("int8", "i1"),
    (0, 16): ("int16", "i2"),
    (0, 32): ("int32", "i4"),
    (0, 64): ("int64", "i8"),
    (1, 8): ("uint8", "u1"),
    (1, 16): ("uint16", "u2"),
    (1, 32): ("uint32", "u4"),
    (1, 64): ("uint64", "u8"),
    (2, 16): ("float16", "f2"),
    (2, 32): ("float32", "f4"),
    (4, 16): ("bfloat16", "u2"),
    (10, 8): ("float8_e4m3fn", "u1"),
    (12, 8): ("float8_e5m2", "u1"),
}
TYPESTRINGS = {f"<{bits}": name for name, bits in TYPES.values() if name[0] in "iu" or bits[0] == "f"}
TYPESTRINGS |= {"|i1": "int8", "|u1": "uint8"}


class SupportsCudaArrayInterface(Protocol):
    """A device array of another library, such as CuPy or Numba."""

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        """Return address, shape, strides and type, and from version 3 on the stream to wait for."""


DeviceOrHostArray: TypeAlias = HostArray | SupportsCudaArrayInterface


class DeviceArray(np.ndarray[Any, np.dtype[Any]]):
    """Address, shape and strides of device memory as NumPy describes them; the host can neither read nor write it.

    ``element_name`` is the type its owner gave it, of which ``dtype`` holds the bits:
    uint16 for bfloat16, uint8 for fp8.  ``owner`` keeps the memory.
    """

    element_name: str
    owner: Any
    __array_ufunc__ = None  # type: ignore[assignment]

    def __getitem__(self, index: Any) -> NoReturn:
        """Raise TypeError: the memory is not the host's."""
        raise TypeError("elements of device memory cannot be read by the host")

    def __repr__(self) -> str:
        """Say what it is without reading it."""
        return f"DeviceArray(shape={self.shape}, strides={self.strides}, element_name={self.element_name!r})"

    __str__ = __repr__


class MemoryHeader:
    """What NumPy reads to describe memory that it does not touch."""

    def __init__(self, address: int, shape: tuple[int, ...], strides: tuple[int, ...] | None, bits: str) -> None:
        # NumPy takes memory of its own for address 0, which empty arrays may have.
        self.__array_interface__ = {
            "version": 3,
            "data": (address, False),
            "shape": shape,
            "strides": strides,
            "typestr": ("|" if bits.endswith("1") else "<") + bits,
        }


def cuda_device_of(name: str, value: Any) -> int | None:
    """Return the number of the CUDA device that holds ``value``, None for memory of the host or no array.

    Errors: InputError for an interface that names memory no device knows; NotConfigured
    where no driver is that could tell.
    """
    if isinstance(value, np.ndarray):
        return None
    if hasattr(value, "__dlpack_device__"):
        kind, number = value.__dlpack_device__()
        return int(number) if int(kind) in CUDA_KINDS else None
    interface = getattr(value, "__cuda_array_interface__", None)
    if interface is None:
        return None
    address = interface["data"][0]
    device = 0 if address == 0 else core.device_of_address(address)
    if device is None:
        raise InputError(
            f"{name} names address {address:#x}, which lies in no memory that CUDA knows; pass device memory"
        )
    return device


def view_on_device(name: str, value: Any, place: core.DevicePlace) -> DeviceArray:
    """View device memory whose contents are there for work on the place's stream, as its protocol orders it.

    Errors: TypeError for a type kvarium has no name for, InputError for what cannot be viewed.
    """
    if hasattr(value, "__dlpack__"):
        return _from_dlpack(name, value, place)
    return _from_interface(name, value.__cuda_array_interface__, value, place)


def _from_dlpack(name: str, value: SupportsDLPack, place: core.DevicePlace) -> DeviceArray:
    # -1 spares the producer an event: it works on that very stream.
    is_same = known_stream(value, place.device) == place.stream
    capsule = _capsule(name, value, -1 if is_same else place.stream)
    address, shape, strides, (code, bits, lanes), _, is_read_only = core.read_dlpack(capsule)
    if (code, bits) not in TYPES or lanes != 1:
        raise TypeError(f"{name} has DLPack type code {code} of {bits} bits and {lanes} lanes; use {_type_names()}")
    element_name, dtype = TYPES[code, bits]
    in_bytes = None if strides is None else tuple(stride * bits // 8 for stride in strides)
    return _device_array(MemoryHeader(address, shape, in_bytes, dtype), element_name, is_read_only, capsule)


def _capsule(name: str, value: Any, stream: int) -> Any:
    try:
        try:
            return value.__dlpack__(stream=stream, max_version=DLPACK_VERSION)
        except TypeError:  # a producer from before version 1
            return value.__dlpack__(stream=stream)
    except (BufferError, RuntimeError, TypeError) as error:
        raise TypeError(
            f"{name} cannot be viewed through DLPack ({error}); detach it, and view types its library does not "
            "export as integers of the same size"
        ) from error


def _from_interface(name: str, interface: dict[str, Any], owner: Any, place: core.DevicePlace) -> DeviceArray:
    element_name = TYPESTRINGS.get(interface["typestr"])
    if element_name is None:
        raise TypeError(f"{name} has type string {interface['typestr']!r}; use {_type_names()}")
    if interface.get("mask") is not None:
        raise InputError(f"{name} is masked; pass an array without a mask")
    address, is_read_only = interface["data"]
    shape = tuple(interface["shape"])
    if address == 0 and 0 not in shape:
        raise InputError(f"{name} has shape {shape} at address 0; pass an array that has memory")
    producer = interface.get("stream")
    if producer == 0:
        raise InputError(f"{name} names stream 0, which the interface leaves open; its owner must name 1 or 2")
    if producer is not None and producer != place.stream:
        core.order_streams(place, earlier=producer)
    bits = interface["typestr"][1:]
    header = MemoryHeader(address, shape, interface.get("strides"), bits)
    return _device_array(header, element_name, is_read_only, owner)


def _device_array(header: MemoryHeader, element_name: str, is_read_only: bool, owner: Any) -> DeviceArray:
    array = np.asarray(header).view(DeviceArray)
    array.element_name = element_name
    array.owner = owner
    if is_read_only:
        array.flags.writeable = False
    return array


def _type_names() -> str:
    return "an integer, float32, float16, bfloat16, float8_e4m3fn or float8_e5m2"


def element_name(array: NDArray[Any]) -> str:
    """Return the name its owner gave the type of an array's elements."""
    return array.element_name if isinstance(array, DeviceArray) else array.dtype.name
