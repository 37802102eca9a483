"""Host arrays of any library as NumPy arrays, checked and never copied."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import DTypeLike, NDArray

from .errors import InputError, NotConfigured


class SupportsDLPack(Protocol):
    """A tensor of another library, such as a PyTorch CPU tensor."""

    def __dlpack__(self, *, stream: Any = ...) -> Any:
        """Return a capsule with the tensor's memory."""

    def __dlpack_device__(self) -> tuple[Any, int]:
        """Return the kind and number of the device that holds the memory."""


HostArray: TypeAlias = NDArray[Any] | SupportsDLPack

# DLPack's device kinds whose memory the host reads: the host itself, and host memory pinned for CUDA or ROCm.
HOST_DEVICES = (1, 3, 11)

# NumPy has no bfloat16: arrays of uint16 hold its bit patterns.
FLOAT_TYPES = {
    np.dtype(np.float32): "float32",
    np.dtype(np.float16): "float16",
    np.dtype(np.uint16): "bfloat16",
}


def as_numpy(name: str, value: HostArray) -> NDArray[Any]:
    """View ``value`` as a NumPy array over the same memory.

    Errors: TypeError for an object that is no array, or has a type NumPy lacks;
    NotConfigured for memory of a device.
    """
    if isinstance(value, np.ndarray):
        return value
    require_host_array(name, value)
    try:
        return np.from_dlpack(value)
    except (BufferError, RuntimeError, TypeError) as error:
        raise TypeError(
            f"{name} cannot be viewed as a NumPy array ({error}); view bfloat16 as uint16 and fp8 as uint8 first"
        ) from error


def require_host_array(name: str, value: Any) -> None:
    """Errors: TypeError for no array; NotConfigured for memory of a device."""
    if isinstance(value, np.ndarray):
        return
    if not hasattr(value, "__dlpack__"):
        raise TypeError(
            f"{name} is a {type(value).__name__}; pass a NumPy array or a tensor that supports DLPack or "
            "__cuda_array_interface__"
        )
    kind = int(value.__dlpack_device__()[0]) if hasattr(value, "__dlpack_device__") else HOST_DEVICES[0]
    if kind not in HOST_DEVICES:
        raise NotConfigured(
            f"{name} lies in the memory of a device that is not CUDA's (DLPack's kind {kind}); pass an array of the "
            "host or of a CUDA device"
        )


def element_type(name: str, array: NDArray[Any]) -> str:
    """Return the name of the element type of a query or of new tokens. Errors: TypeError."""
    if array.dtype not in FLOAT_TYPES:
        raise TypeError(f"{name} has dtype {array.dtype}; use float32, float16, or uint16 for bfloat16")
    return FLOAT_TYPES[array.dtype]


def require_dtype(name: str, array: NDArray[Any], *dtypes: DTypeLike) -> None:
    """Errors: TypeError unless ``array`` has one of ``dtypes``, in native byte order."""
    if array.dtype not in [np.dtype(dtype) for dtype in dtypes]:
        allowed = " or ".join(np.dtype(dtype).name for dtype in dtypes)
        raise TypeError(f"{name} has dtype {array.dtype}; use {allowed}")


def require_axes(name: str, array: NDArray[Any], axes: Sequence[str]) -> None:
    """Errors: InputError unless ``array`` has as many axes as ``axes`` names."""
    if array.ndim != len(axes):
        raise InputError(f"{name} has {array.ndim} axes, shape {array.shape}; use [{', '.join(axes)}]")


def require_shape(name: str, array: NDArray[Any], expected: dict[str, int]) -> None:
    """Errors: InputError, with both numbers, unless the sizes of ``array`` are those of ``expected`` in its order."""
    require_axes(name, array, list(expected))
    for axis, (meaning, size) in enumerate(expected.items()):
        if array.shape[axis] != size:
            raise InputError(
                f"{name} has size {array.shape[axis]} in axis {axis} where {meaning} is {size}; its shape is "
                f"{array.shape}, use [{', '.join(expected)}]"
            )


def require_dense(name: str, array: NDArray[Any], *, free_axes: int = 0) -> None:
    """Errors: InputError unless all axes but the first ``free_axes`` lie densely, each element at its alignment."""
    dense = array.itemsize
    for axis in range(array.ndim - 1, free_axes - 1, -1):
        if array.shape[axis] > 1 and array.size > 0 and array.strides[axis] != dense:
            raise InputError(
                f"{name} has a gap or another order in axis {axis} (strides {array.strides} bytes, shape "
                f"{array.shape}); it is never copied, pass numpy.ascontiguousarray({name}) (a tensor: "
                f"{name}.contiguous())"
            )
        dense *= array.shape[axis]
    require_aligned(name, array)


def require_aligned(name: str, array: NDArray[Any]) -> None:
    """Errors: InputError unless address and strides are multiples of the element's size."""
    strides = [stride for size, stride in zip(array.shape, array.strides, strict=True) if size > 1]
    if array.size > 0 and (not array.flags.aligned or any(stride % array.itemsize for stride in strides)):
        raise InputError(f"{name} has elements that straddle their alignment (a view of packed records?); pass a copy")


def require_apart(name: str, array: NDArray[Any], others: dict[str, NDArray[Any] | None]) -> None:
    """Errors: InputError when ``array``, which is written, may overlap one of ``others``, which are read meanwhile."""
    for other_name, other in others.items():
        if other is not None and np.may_share_memory(array, other):
            raise InputError(f"{name} overlaps {other_name}; pass memory of its own")


def require_writable(name: str, array: NDArray[Any]) -> None:
    """Errors: InputError for a read-only array."""
    if not array.flags.writeable:
        raise InputError(f"{name} is read-only; pass a writable array (of a tensor: tensor.numpy())")
