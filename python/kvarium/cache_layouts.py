"""What the shape of a cache array says about the cache, layout by layout."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .arrays import (
    FLOAT_TYPES,
    require_aligned,
    require_axes,
    require_dense,
    require_dtype,
    require_shape,
)
from .compiled import core
from .device_arrays import DeviceArray, DeviceOrHostArray, element_name
from .errors import InputError
from .places import Place
from .scalars import as_real

SPLIT_KEY_AXES = ("num_blocks", "num_kv_heads", "head_size/x", "block_size", "x")
SPLIT_VALUE_AXES = ("num_blocks", "num_kv_heads", "head_size", "block_size")
ROW_AXES = {
    "nhd": ("num_blocks", "block_size", "num_kv_heads", "head_size"),
    "hnd": ("num_blocks", "num_kv_heads", "block_size", "head_size"),
    "packed": ("num_blocks", "num_kv_heads", "block_size", "2*head_size"),
}
LAYOUTS = ("split_x", *ROW_AXES)
VECTOR_BYTES = 16  # bytes of the innermost key axis x of split_x
STORED_FLOAT8 = {"float8_e4m3fn": "fp8_e4m3", "float8_e5m2": "fp8_e5m2"}
FLOAT8_TYPES = {"fp8_e4m3": "float8_e4m3", "fp8_e5m2": "float8_e5m2"}


@dataclass(frozen=True)
class Geometry:
    """Sizes of one layer's cache beside its number of blocks."""

    block_size: int
    num_kv_heads: int
    head_size: int


@dataclass(frozen=True)
class PagedCache:
    """The arrays of a cache with what they hold. ``value`` is None for ``packed``."""

    layout: str
    element_type: str
    key: NDArray[Any]
    value: NDArray[Any] | None


def paged_cache(
    place: Place,
    key_cache: DeviceOrHostArray,
    value_cache: DeviceOrHostArray | None,
    layout: str,
    kv_cache_dtype: str,
) -> PagedCache:
    """Check types and number of axes. Errors: TypeError, InputError."""
    if layout not in LAYOUTS:
        raise InputError(f"unknown layout {layout!r}; use one of {', '.join(LAYOUTS)}")
    if layout == "packed" and value_cache is not None:
        raise InputError("layout packed holds K and V in key_cache; pass value_cache=None")
    if layout != "packed" and value_cache is None:
        raise InputError(f"value_cache is None; layout {layout} needs an array, only packed has none")
    key = place.view("key_cache", key_cache)
    value = None if value_cache is None else place.view("value_cache", value_cache)
    if value is not None:
        require_axes("value_cache", value, ROW_AXES.get(layout, SPLIT_VALUE_AXES))
    require_axes("key_cache", key, ROW_AXES.get(layout, SPLIT_KEY_AXES))
    cache = PagedCache(layout, _cache_type(key, kv_cache_dtype), key, value)
    if value is not None:
        require_dtype("value_cache", value, key.dtype)
        _require_same_float8(key, value)
    return cache


def geometry_of(cache: PagedCache) -> Geometry:
    """Return the sizes that the shapes of ``cache`` tell."""
    shape = cache.key.shape if cache.value is None or cache.layout != "split_x" else cache.value.shape
    sizes = dict(zip(ROW_AXES.get(cache.layout, SPLIT_VALUE_AXES), shape, strict=True))
    head_size = sizes["2*head_size"] // 2 if cache.layout == "packed" else sizes["head_size"]
    return Geometry(sizes["block_size"], sizes["num_kv_heads"], head_size)


def view_cache(
    cache: PagedCache, geometry: Geometry, *, k_scale: float = 1.0, v_scale: float = 1.0
) -> core.CacheArrays:
    """View the arrays as a cache of that geometry; they are not copied.

    Every size is compared with ``geometry``.  The last axis must be dense (of a
    ``split_x`` key the last two), all others may have any stride.
    Errors: InputError.
    """
    _require_sizes(cache, geometry)
    _require_strides("key_cache", cache.key, cache.layout)
    if cache.value is not None:
        _require_strides("value_cache", cache.value, cache.layout)
    scales = _scales(cache, k_scale, v_scale)
    return core.CacheArrays(
        cache.key,
        cache.value,
        layout=cache.layout,
        element_type=cache.element_type,
        block_size=geometry.block_size,
        num_kv_heads=geometry.num_kv_heads,
        head_size=geometry.head_size,
        k_scale=scales[0],
        v_scale=scales[1],
    )


def _cache_type(key: NDArray[Any], kv_cache_dtype: str) -> str:
    if kv_cache_dtype not in ("auto", *FLOAT8_TYPES):
        raise InputError(f"unknown kv_cache_dtype {kv_cache_dtype!r}; use auto, {' or '.join(FLOAT8_TYPES)}")
    named = STORED_FLOAT8.get(element_name(key))
    if named is not None and kv_cache_dtype not in ("auto", named):
        raise InputError(f"key_cache holds {element_name(key)} but kv_cache_dtype is {kv_cache_dtype}; use auto")
    if named is not None:
        return FLOAT8_TYPES[named]
    if kv_cache_dtype != "auto":
        require_dtype("key_cache", key, np.uint8)
        return FLOAT8_TYPES[kv_cache_dtype]
    if key.dtype == np.uint8:
        raise InputError("key_cache is uint8; say with kv_cache_dtype whether it holds fp8_e4m3 or fp8_e5m2")
    if key.dtype not in FLOAT_TYPES:
        raise TypeError(f"key_cache has dtype {key.dtype}; use float32, float16, uint16 for bfloat16, or uint8 for fp8")
    return FLOAT_TYPES[key.dtype]


def _require_same_float8(key: NDArray[Any], value: NDArray[Any]) -> None:
    # Only device arrays know that their bytes are fp8; plain bytes are taken for what kv_cache_dtype says.
    names = {element_name(array) for array in (key, value)} & set(STORED_FLOAT8)
    if isinstance(value, DeviceArray) and len(names) > 1:
        raise TypeError(
            f"value_cache holds {element_name(value)} and key_cache {element_name(key)}; use one type for both"
        )


def _require_sizes(cache: PagedCache, geometry: Geometry) -> None:
    x = VECTOR_BYTES // cache.key.itemsize
    sizes = {
        "num_blocks": cache.key.shape[0],
        "block_size": geometry.block_size,
        "num_kv_heads": geometry.num_kv_heads,
        "head_size": geometry.head_size,
        "2*head_size": 2 * geometry.head_size,
        "head_size/x": geometry.head_size // x,
        "x": x,
    }
    key_axes = ROW_AXES.get(cache.layout, SPLIT_KEY_AXES)
    require_shape("key_cache", cache.key, {axis: sizes[axis] for axis in key_axes})
    if cache.value is not None:
        value_axes = ROW_AXES.get(cache.layout, SPLIT_VALUE_AXES)
        require_shape("value_cache", cache.value, {axis: sizes[axis] for axis in value_axes})


def _require_strides(name: str, array: NDArray[Any], layout: str) -> None:
    dense_axes = 2 if layout == "split_x" and name == "key_cache" else 1
    require_dense(name, array, free_axes=array.ndim - dense_axes)
    require_aligned(name, array)


def _scales(cache: PagedCache, k_scale: float, v_scale: float) -> tuple[float, float]:
    scales = as_real("k_scale", k_scale), as_real("v_scale", v_scale)
    if min(scales) <= 0:
        raise InputError(f"k_scale is {scales[0]} and v_scale {scales[1]}; use positive numbers")
    if cache.element_type not in FLOAT8_TYPES.values() and scales != (1.0, 1.0):
        raise InputError(
            f"k_scale is {scales[0]} and v_scale {scales[1]} but the cache holds {cache.element_type}; "
            "only fp8 has scales, leave them 1"
        )
    return scales
