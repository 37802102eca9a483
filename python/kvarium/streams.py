"""CUDA streams of any library as the integers the driver knows."""

from __future__ import annotations

import sys
from typing import Any, Protocol, TypeAlias

from .errors import InputError

# The driver's handle of the default stream that waits for others; 2 is each thread's own default stream.
LEGACY_STREAM = 1


class SupportsCudaStream(Protocol):
    """A stream that speaks CUDA's stream protocol, or torch.cuda.Stream, which has ``cuda_stream``."""

    def __cuda_stream__(self) -> tuple[int, int]:
        """Return the protocol's version and the handle."""


class TorchStream(Protocol):
    """A torch.cuda.Stream."""

    @property
    def cuda_stream(self) -> int:
        """The handle."""


class CupyStream(Protocol):
    """A cupy.cuda.Stream."""

    @property
    def ptr(self) -> int:
        """The handle."""


CudaStream: TypeAlias = int | SupportsCudaStream | TorchStream | CupyStream


def stream_handle(stream: CudaStream, device: int) -> int:
    """Return the handle of a stream, the default stream's for 0.

    Errors: TypeError for no stream, InputError for one of another device.
    """
    handle = _handle(stream)
    if handle < 0:
        raise InputError(f"stream is {handle}; pass the handle of a stream, which is not negative")
    owner = getattr(stream, "device_index", getattr(stream, "device_id", device))
    if isinstance(owner, int) and owner >= 0 and owner != device:
        raise InputError(f"stream belongs to CUDA device {owner} and the arrays lie on device {device}; use one device")
    return handle or LEGACY_STREAM


def known_stream(value: Any, device: int) -> int | None:
    """Return the stream on which the owner of ``value`` works now, where that can be known.

    PyTorch's current stream; else the stream that the CUDA array interface names
    (CuPy's current stream).
    """
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(value, torch.Tensor):
        return int(torch.cuda.current_stream(device).cuda_stream) or LEGACY_STREAM
    interface = getattr(value, "__cuda_array_interface__", None) or {}
    return interface.get("stream") or None


def current_stream(value: Any, device: int) -> int:
    """Return ``known_stream``, else the default stream."""
    return known_stream(value, device) or LEGACY_STREAM


def _handle(stream: Any) -> int:
    if isinstance(stream, int) and not isinstance(stream, bool):
        return stream
    for name in ("cuda_stream", "ptr"):
        if isinstance(getattr(stream, name, None), int):
            return int(getattr(stream, name))
    if hasattr(stream, "__cuda_stream__"):
        return int(stream.__cuda_stream__()[1])
    raise TypeError(f"stream is a {type(stream).__name__}; pass a handle (int), a torch.cuda.Stream or a CuPy stream")
