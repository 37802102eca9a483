"""The cases of vectors/paged_attention.h5, and paged caches built from tokens in NumPy."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

VECTORS = Path(__file__).parents[1] / "data" / "vectors"
LAYOUTS = ("split_x", "nhd", "hnd", "packed")
ELEMENT_TYPES = ("float32", "float16", "bfloat16")
TOLERANCES = {"float32": 1e-5, "float16": 2e-3, "bfloat16": 1e-2}
Array = NDArray[Any]


@dataclass(frozen=True)
class AttentionCase:
    """One case; keys and values are [num_blocks, num_kv_heads, block_size, head_size] float16."""

    name: str
    keys: Array
    values: Array
    query: Array
    block_tables: Array
    seq_lens: Array
    expected_output: Array
    expected_lse: Array
    options: dict[str, Any]


def read_case(name: str) -> AttentionCase:
    """Read one case of the vector file."""
    import h5py  # here, so that tests without the file run where it is not installed

    with h5py.File(VECTORS / "paged_attention.h5") as file:
        data = {key: dataset[()] for key, dataset in file[name].items()}
        attributes = dict(file[name].attrs)
    key = data["key_cache"]
    num_blocks, num_kv_heads, groups, block_size, x = key.shape
    keys = key.transpose(0, 1, 3, 2, 4).reshape(num_blocks, num_kv_heads, block_size, groups * x)
    options = {
        "num_kv_heads": int(attributes["num_kv_heads"]),
        "block_size": int(attributes["block_size"]),
        "scale": float(attributes["scale"]),
        "softcap": float(attributes["softcap"]),
        "sliding_window": int(attributes["sliding_window"]),
        "alibi_slopes": data.get("alibi_slopes"),
    }
    inputs = {name: data[name] for name in ("query", "block_tables", "seq_lens", "expected_output", "expected_lse")}
    return AttentionCase(name, keys, data["value_cache"].transpose(0, 1, 3, 2), options=options, **inputs)


def case_names() -> list[str]:
    """Return the names of all cases."""
    import h5py

    with h5py.File(VECTORS / "paged_attention.h5") as file:
        return sorted(file)


def encode(values: Array, element_type: str) -> Array:
    """Store values that are exact in ``element_type``."""
    if element_type == "bfloat16":
        return (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    return values.astype(element_type)


def decode(stored: Array) -> Array:
    """Return stored elements as float64; uint16 is bfloat16."""
    if stored.dtype == np.uint16:
        return (stored.astype(np.uint32) << 16).view(np.float32).astype(np.float64)
    return stored.astype(np.float64)


def build_cache(keys: Array, values: Array, layout: str) -> tuple[Array, Array | None]:
    """Return (key_cache, value_cache) from stored cells [num_blocks, num_kv_heads, block_size, head_size]."""
    if layout == "hnd":
        return keys.copy(), values.copy()
    if layout == "nhd":
        return np.ascontiguousarray(keys.swapaxes(1, 2)), np.ascontiguousarray(values.swapaxes(1, 2))
    if layout == "packed":
        return np.concatenate([keys, values], axis=-1), None
    num_blocks, num_kv_heads, block_size, head_size = keys.shape
    x = 16 // keys.itemsize
    split = keys.reshape(num_blocks, num_kv_heads, block_size, head_size // x, x).transpose(0, 1, 3, 2, 4)
    return np.ascontiguousarray(split), np.ascontiguousarray(values.swapaxes(2, 3))


def worst_relative_error(actual: Array, expected: Array) -> float:
    """Return the largest relative L2 error over rows of the last axis; a row of zeros must be zeros."""
    difference = np.linalg.norm(decode(actual) - expected, axis=-1)
    size = np.linalg.norm(expected, axis=-1)
    return float(np.max(np.where(size > 0, difference / np.where(size > 0, size, 1), difference)))
