"""The cases of vectors/layers_checksum.json."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from attention_cases import VECTORS
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

Array = NDArray[Any]
Case = dict[str, Any]


def read_cases(kind: str) -> list[Case]:
    """Return the cases of ``kind``, "views" or "cells"."""
    cases: list[Case] = json.loads((VECTORS / "layers_checksum.json").read_text())[kind]
    return cases


def stream(seed: int, num_bytes: int) -> NDArray[np.uint8]:
    """Return the first bytes of the little-endian splitmix64 stream of a seed."""
    with np.errstate(over="ignore"):
        state = np.uint64(seed) + np.uint64(0x9E3779B97F4A7C15) * np.arange(1, num_bytes // 8 + 2, dtype=np.uint64)
        word = (state ^ (state >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        word = (word ^ (word >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return (word ^ (word >> np.uint64(31))).view(np.uint8)[:num_bytes]


def piece_dtype(case: Case, signed: bool) -> np.dtype[Any]:
    """Return the integer type of a case's pieces."""
    return np.dtype(f"{'i' if signed else 'u'}{case['piece_bytes']}")


def layer_views(case: Case, dtype: np.dtype[Any]) -> list[Array]:
    """Return each layer's pieces [num_blocks, kernel_blocks, heads, tokens, pieces] over its stream."""
    strides = [stride * dtype.itemsize for stride in case["strides"]]
    views = []
    for seed, num_bytes in zip(case["layer_seeds"], case["layer_bytes"], strict=True):
        memory = stream(seed, num_bytes).view(dtype)
        views.append(as_strided(memory[case["offset"] :], shape=case["shape"], strides=strides))
    return views


def address(array: Array) -> int:
    """Return the address of an array's first element."""
    return int(array.__array_interface__["data"][0])


def row_arrays(case: Case) -> tuple[Array, Array, Array]:
    """Return (block_ids, first_tokens, valid_tokens) [n] int64."""
    block_ids, first_tokens, valid_tokens = (
        np.array(case[name], np.int64) for name in ("block_ids", "first_tokens", "valid_tokens")
    )
    return block_ids, first_tokens, valid_tokens


def sums(case: Case, name: str, dtype: type[np.generic]) -> Array:
    """Return ``out_initial`` or ``out_expected`` [n, num_columns]."""
    rows = [[int(value, 16) for value in row] for row in case[name]]
    columns = len(rows[0]) if rows else 1 + max(column for _, column in case["layers"])
    return np.array(rows, np.uint64).reshape(len(rows), columns).view(dtype)


def layer_table(case: Case, addresses: list[int]) -> NDArray[np.int64]:
    """Return ``layers`` [num_layers, 3] int64 with these addresses."""
    return np.array([[at, *rest] for at, rest in zip(addresses, case["layers"], strict=True)], np.int64)


def case_cells(case: Case) -> tuple[Array, Array]:
    """Return stored K and V [num_blocks, num_kv_heads, block_size, head_size] of a cell case."""
    dtype = {1: np.dtype(np.uint8), 2: np.dtype(np.uint16), 4: np.dtype(np.float32)}[case["element_bytes"]]
    shape = (case["num_blocks"], case["block_size"], case["num_kv_heads"], case["head_size"])
    num_bytes = int(np.prod(shape)) * dtype.itemsize
    key, value = (stream(case[seed], num_bytes).view(dtype).reshape(shape) for seed in ("key_seed", "value_seed"))
    return key.swapaxes(1, 2).copy(), value.swapaxes(1, 2).copy()
