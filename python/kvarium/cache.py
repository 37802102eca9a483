"""Writing tokens into paged KV caches."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .arrays import (
    element_type,
    require_axes,
    require_dense,
    require_dtype,
    require_shape,
    require_writable,
)
from .cache_layouts import Geometry, paged_cache, view_cache
from .compiled import core
from .device_arrays import DeviceOrHostArray
from .errors import InputError
from .places import place_of
from .scalars import as_integer
from .streams import CudaStream


def write_cache(
    key: DeviceOrHostArray,
    value: DeviceOrHostArray,
    key_cache: DeviceOrHostArray,
    value_cache: DeviceOrHostArray | None,
    slot_mapping: DeviceOrHostArray,
    *,
    block_size: int,
    layout: str = "split_x",
    kv_cache_dtype: str = "auto",
    k_scale: float = 1.0,
    v_scale: float = 1.0,
    stream: CudaStream | None = None,
) -> None:
    """Append tokens to a paged KV cache, in place.

    Arrays are never copied: arrays of the host, or of one CUDA device, as
    ``paged_attention_v2`` takes them.  On the host it returns when all is written;
    on a device when the work is on ``stream``, without an allocation and without
    waiting.

    Parameters
    ----------
    key, value : [num_tokens, num_kv_heads, head_size] float32, float16 or uint16 (bfloat16)
        Dense.  An element of the cache's own type is copied bit for bit, any other
        rounded to nearest even.
    key_cache, value_cache : shapes as ``paged_attention_v2`` takes them, by ``layout``
        float32, float16, uint16 (bfloat16) or uint8 (fp8); writable; value_cache
        is None for ``packed``.
    slot_mapping : [num_tokens] int64
        Slot of each token, block * block_size + offset; negative: padding, not written.
        Of two tokens with one slot, the later stays.
    block_size : int, tokens
        Compared with the shapes of the caches.
    layout, kv_cache_dtype : as in ``paged_attention_v2``
    k_scale, v_scale : float
        An fp8 cache stores element / scale, saturated.
    stream : None, or a stream as ``paged_attention_v2`` takes it

    Errors
    ------
    TypeError for a wrong dtype; InputError for a slot past the cache (nothing is
    written then), and for shapes or strides that do not fit.  On a device nothing
    waits to report a slot past the cache: its token is left out, and of two tokens
    with one slot either may stay.
    """
    place = place_of("key", key, stream)
    new_key, new_value = place.view("key", key), place.view("value", value)
    kind = element_type("key", new_key)
    require_axes("key", new_key, ("num_tokens", "num_kv_heads", "head_size"))
    num_tokens, num_kv_heads, head_size = new_key.shape
    require_dense("key", new_key)
    require_dtype("value", new_value, new_key.dtype)
    require_shape("value", new_value, {"num_tokens": num_tokens, "num_kv_heads": num_kv_heads, "head_size": head_size})
    require_dense("value", new_value)
    slots = place.view("slot_mapping", slot_mapping)
    require_dtype("slot_mapping", slots, np.int64)
    require_shape("slot_mapping", slots, {"num_tokens": num_tokens})
    require_dense("slot_mapping", slots)
    cache = paged_cache(place, key_cache, value_cache, layout, kv_cache_dtype)
    require_writable("key_cache", cache.key)
    if cache.value is not None:
        require_writable("value_cache", cache.value)
        _require_two_caches(cache.key, cache.value)
    geometry = Geometry(as_integer("block_size", block_size, low=1), num_kv_heads, head_size)
    core.write_cache(
        key=new_key,
        value=new_value,
        slot_mapping=slots,
        cache=view_cache(cache, geometry, k_scale=k_scale, v_scale=v_scale),
        element_type=kind,
        place=place.core,
    )


def _require_two_caches(key: NDArray[Any], value: NDArray[Any]) -> None:
    # Blocks of one allocation may hold K and V in turn, so only their beginnings can be compared.
    if key.size > 0 and key.__array_interface__["data"] == value.__array_interface__["data"]:
        raise InputError("key_cache and value_cache are the same memory; pass one array for each")
