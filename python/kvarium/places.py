"""Where a call runs: on the host, or on a stream of a CUDA device. Its arrays all lie there."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import DTypeLike, NDArray

from .arrays import as_numpy, require_host_array
from .compiled import core
from .device_arrays import DeviceArray, DeviceOrHostArray, cuda_device_of, view_on_device
from .errors import InputError
from .foreign_memory import empty_of_owner
from .streams import CudaStream, current_stream, stream_handle


class HostPlace:
    """The host. ``first`` names the array that decided so."""

    core = None

    def __init__(self, first: str) -> None:
        self.first = first

    def view(self, name: str, value: DeviceOrHostArray) -> NDArray[Any]:
        """View an array of the host. Errors: as ``as_numpy``; InputError for one that lies elsewhere."""
        device = cuda_device_of(name, value)
        if device is not None:
            raise InputError(
                f"{name} lies on CUDA device {device} but {self.first} on the host; all arrays of a call lie in one "
                "place"
            )
        return as_numpy(name, value)  # type: ignore[arg-type]

    def empty(self, like: Any, shape: tuple[int, ...], dtype: DTypeLike | None = None) -> Any:
        """Allocate an array of ``dtype``, or of the type of ``like``."""
        return np.empty(shape, as_numpy("like", like).dtype if dtype is None else dtype)


class DevicePlace:
    """A CUDA device and the stream a call is put on."""

    def __init__(self, first: str, device: int, stream: int) -> None:
        self.first = first
        self.device = device
        self.stream = stream
        self.core = core.DevicePlace(device=device, stream=stream)

    def view(self, name: str, value: DeviceOrHostArray) -> DeviceArray:
        """View an array of this device; its contents are there for later work on the stream.

        Errors: TypeError for a type that is not known; InputError for an array that lies elsewhere.
        """
        if isinstance(value, DeviceArray):
            return value
        device = cuda_device_of(name, value)
        if device is None:
            require_host_array(name, value)
            raise InputError(
                f"{name} lies on the host but {self.first} on CUDA device {self.device}; all arrays of a call lie in "
                "one place"
            )
        if device != self.device:
            raise InputError(
                f"{name} lies on CUDA device {device} but {self.first} on device {self.device}; all arrays of a call "
                "lie in one place"
            )
        return view_on_device(name, value, self.core)

    def empty(self, like: Any, shape: tuple[int, ...], dtype: DTypeLike | None = None) -> Any:
        """Allocate through the library that owns ``like``, in the order of the stream. Errors: InputError."""
        return empty_of_owner(like, shape, dtype, self.device, self.stream)


Place: TypeAlias = HostPlace | DevicePlace


def place_of(name: str, value: DeviceOrHostArray, stream: CudaStream | None) -> Place:
    """Return the place of the array that decides where a call runs.

    ``stream`` None is the stream on which the array's owner works now.
    Errors: TypeError for no array or no stream; InputError for a stream of the host
    or of another device; NotConfigured for memory that is neither the host's nor CUDA's.
    """
    device = cuda_device_of(name, value)
    if device is not None:
        handle = current_stream(value, device) if stream is None else stream_handle(stream, device)
        return DevicePlace(name, device, handle)
    require_host_array(name, value)
    if stream is not None:
        raise InputError("stream belongs to device arrays; these lie on the host, pass None")
    return HostPlace(name)

