"""Device memory that decode attention works in."""

from __future__ import annotations

import threading

from .compiled import core
from .errors import InputError
from .places import DevicePlace, Place
from .scalars import INT64_MAX, as_integer


class Workspace:
    """Memory of one CUDA device for the partial results of decode attention.

    A call that needs more than ``num_bytes`` makes it grow, which allocates; later
    calls that need no more allocate nothing and wait for nothing.  What it outgrew
    is kept until the object goes, since captured CUDA graphs use it.  Calls on one
    stream may share a workspace; calls that run at the same time, and a CUDA graph
    replayed beside other graphs or calls, need one each.  Keep it as long as graphs captured with it.

    Parameters: ``num_bytes`` to start with, ``device`` its CUDA device.
    Errors: InputError for a device that is not there; NotConfigured without a driver
    (where ``num_bytes`` is 0, at the first call).
    """

    def __init__(self, num_bytes: int = 0, *, device: int = 0) -> None:
        """Allocate ``num_bytes`` bytes on ``device``."""
        self.memory = core.GrowingMemory(device=as_integer("device", device, low=0))
        size = as_integer("num_bytes", num_bytes, low=0, high=INT64_MAX)
        if size > 0:
            self.memory.reserve(size)

    @property
    def device(self) -> int:
        """Number of its CUDA device."""
        return self.memory.device

    @property
    def num_bytes(self) -> int:
        """Bytes that a call may use without an allocation."""
        return self.memory.num_bytes


# By device and stream, kept for the life of the process: captured graphs may use them.
_WORKSPACES: dict[tuple[int, int, int], Workspace] = {}

# CUDA's handle of the default stream of the calling thread: as many streams as threads.
_PER_THREAD_STREAM = 2


def workspace_at(place: Place, given: Workspace | None) -> core.GrowingMemory | None:
    """Return the memory of the given workspace, or of the one that all calls on the place's stream share.

    The host has none.  Errors: TypeError, InputError.
    """
    if not isinstance(place, DevicePlace):
        if given is not None:
            raise InputError("workspace belongs to device arrays; these lie on the host, pass None")
        return None
    if given is None:
        thread = threading.get_ident() if place.stream == _PER_THREAD_STREAM else 0
        key = (place.device, place.stream, thread)
        return (_WORKSPACES.get(key) or _WORKSPACES.setdefault(key, Workspace(device=place.device))).memory
    if not isinstance(given, Workspace):
        raise TypeError(f"workspace is a {type(given).__name__}; pass a kvarium.Workspace")
    if given.device != place.device:
        raise InputError(
            f"workspace lies on CUDA device {given.device} and the arrays on device {place.device}; make one there"
        )
    return given.memory
