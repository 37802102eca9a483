"""Device arrays made by the library whose arrays a call was given."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from .errors import InputError
from .streams import LEGACY_STREAM


def empty_of_owner(like: Any, shape: tuple[int, ...], dtype: DTypeLike | None, device: int, stream: int) -> Any:
    """Allocate an array of ``dtype`` (None: of ``like``) by PyTorch or CuPy, for use on ``stream``.

    Both libraries keep freed memory and hand it out in stream order, so that nothing
    waits.  PyTorch has hardly an operation for uint64: it gets int64, of the same bits.
    Errors: InputError for another library's array.
    """
    torch, cupy = sys.modules.get("torch"), sys.modules.get("cupy")
    if torch is not None and isinstance(like, torch.Tensor):
        return _torch_empty(torch, like, shape, dtype, device, stream)
    if cupy is not None and isinstance(like, cupy.ndarray):
        own = cupy.cuda.Stream.null if stream == LEGACY_STREAM else cupy.cuda.ExternalStream(stream, device)
        with cupy.cuda.Device(device), own:
            return cupy.empty(shape, like.dtype if dtype is None else dtype)
    raise InputError(
        f"no array to write was given, and kvarium does not allocate through {type(like).__module__}; pass one"
    )


def _torch_empty(
    torch: Any, like: Any, shape: tuple[int, ...], dtype: DTypeLike | None, device: int, stream: int
) -> Any:
    name = None if dtype is None else np.dtype(dtype).name.replace("uint64", "int64")
    torch_dtype = like.dtype if name is None else getattr(torch, name)
    current = torch.cuda.current_stream(device)
    if (current.cuda_stream or LEGACY_STREAM) == stream:
        return torch.empty(shape, dtype=torch_dtype, device=like.device)
    own = torch.cuda.default_stream(device)
    if stream != LEGACY_STREAM:
        own = torch.cuda.ExternalStream(stream, device=like.device)
    with torch.cuda.stream(own):
        return torch.empty(shape, dtype=torch_dtype, device=like.device)
