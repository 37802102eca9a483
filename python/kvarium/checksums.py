"""Checksums over paged KV caches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .arrays import (
    HostArray,
    as_numpy,
    require_aligned,
    require_apart,
    require_axes,
    require_dense,
    require_dtype,
    require_shape,
    require_writable,
)
from .cache_layouts import geometry_of, paged_cache, view_cache
from .compiled import core
from .errors import InputError
from .scalars import INT64_MAX, as_integer

PIECE_AXES = ("num_blocks", "kernel_blocks", "heads", "tokens", "pieces")


def layers_checksum(
    pieces: HostArray | Sequence[HostArray],
    layers: HostArray,
    block_ids: HostArray,
    first_tokens: HostArray,
    valid_tokens: HostArray,
    out: HostArray,
    aligned: bool,
) -> None:
    """Add each layer's weighted piece sum of each block row into its column of ``out``.

    For row r and each layer (address, layer * 65536 + first head, column)::

        out[r, column] += sum over kernel block, head, token t < valid_tokens[r], piece p of
            (2*(layer*65536 + first_head + head) + 1) * (2*((first_tokens[r] + t)*pieces + p) + 1) * x   (mod 2^64)

    x is the piece read as unsigned; t counts tokens over the whole block.  Arrays
    are never copied.  Integer sums: the same bits on any number of threads.

    Parameters
    ----------
    pieces : list of arrays, one a layer, or one array
        Each [num_blocks, kernel_blocks, heads, tokens, pieces], signed or unsigned
        integers of 8, 16, 32 or 64 bits, any strides, negative ones included.  The
        arrays of a list have one shape, dtype and strides.  With one array, sister
        layers of its shape, dtype and strides are read at the addresses in
        ``layers``, **which are trusted**: a wrong address reads wrong memory or
        ends the process.
    layers : [num_layers, 3] int64
        Columns: address of piece [0, 0, 0, 0, 0] (0: the layer's array of the list,
        or the one array; with a list, nothing but that address is allowed);
        layer * 65536 + number of its first head; column of ``out``.
    block_ids : [n] int64
        Logical blocks, indices into axis 0 of ``pieces``.
    first_tokens : [n] int64
        Position in the request of each block's first token; 0: positions in the block.
    valid_tokens : [n] int64
        Tokens summed from each block's start; clamped to the block.
    out : [n, num_columns] int64 or uint64
        Added to.  Columns lie side by side, rows anywhere; writable, memory of its own.
    aligned : bool
        Promises that all addresses are multiples of 16 bytes; checked.

    Errors
    ------
    TypeError for a wrong dtype; InputError for block ids, heads, columns, shapes or
    strides that do not fit, and for unaligned addresses under ``aligned``.

    Source: vLLM's kv_checksum layers_checksum.
    """
    table = as_numpy("layers", layers)
    require_dtype("layers", table, np.int64)
    require_axes("layers", table, ("num_layers", "columns"))
    require_shape("layers", table, {"num_layers": table.shape[0], "columns": 3})
    require_dense("layers", table)
    arrays, addresses = _layers(pieces, table)
    rows = _rows(block_ids, first_tokens, valid_tokens)
    sums = _accumulator(out, len(rows[0]))
    require_apart("out", sums, {f"pieces[{index}]": array for index, array in enumerate(arrays)})
    core.layers_checksum(
        pieces=arrays[0],
        layers=table,
        addresses=addresses,
        rows=core.RowArrays(block_ids=rows[0], first_tokens=rows[1], valid_tokens=rows[2]),
        out=sums,
        aligned=bool(aligned),
    )


def weighted_sum(
    key_cache: HostArray,
    value_cache: HostArray | None,
    block_ids: HostArray,
    first_tokens: HostArray,
    valid_tokens: HostArray,
    *,
    layout: str,
    layer: int = 0,
    first_head: int = 0,
    piece_width: int = 8,
    kv_cache_dtype: str = "auto",
) -> NDArray[np.uint64]:
    """Sum the cells of block rows, weighted by position: the same value in every layout.

    The formula of ``layers_checksum`` over cell bytes: of each token and KV head,
    K elements then V elements, little-endian, cut into pieces of ``piece_width``
    bytes.  Values add up over layers, heads and ranks modulo 2^64.

    Parameters
    ----------
    key_cache, value_cache : shapes and types as ``paged_attention_v2`` takes them, by ``layout``
        Never copied; value_cache is None for ``packed``.
    block_ids : [n] int64
        Physical blocks.
    first_tokens : [n] int64
        Position in the request of each block's first token; 0: positions in the block.
    valid_tokens : [n] int64
        Tokens summed from each block's start; clamped to the block.
    layout : one of split_x, nhd, hnd, packed
    layer, first_head : int
        Global numbers of this layer and of the cache's first KV head.
    piece_width : 1, 2, 4 or 8 bytes
    kv_cache_dtype : auto (as the array says), fp8_e4m3 or fp8_e5m2

    Returns
    -------
    [n] uint64.

    Errors
    ------
    TypeError for a wrong dtype; InputError for block ids, shapes, strides or widths that do not fit.

    Source: kvarium's definition of cell bytes; the formula is vLLM's kv_checksum.
    """
    cache = paged_cache(key_cache, value_cache, layout, kv_cache_dtype)
    rows = _rows(block_ids, first_tokens, valid_tokens)
    out = np.empty(len(rows[0]), np.uint64)
    core.weighted_sum(
        cache=view_cache(cache, geometry_of(cache)),
        rows=core.RowArrays(block_ids=rows[0], first_tokens=rows[1], valid_tokens=rows[2]),
        out=out,
        layer=as_integer("layer", layer, low=0, high=INT64_MAX),
        first_head=as_integer("first_head", first_head, low=0, high=INT64_MAX),
        piece_width=as_integer("piece_width", piece_width, low=1),
    )
    return out


def _layers(pieces: HostArray | Sequence[HostArray], table: NDArray[np.int64]) -> tuple[list[NDArray[Any]], list[int]]:
    """Return the arrays and each layer's address."""
    if not isinstance(pieces, Sequence):
        array = as_numpy("pieces", pieces)
        _require_pieces("pieces", array)
        own = array.__array_interface__["data"][0]
        return [array], [int(address) or own for address in table[:, 0]]
    if not pieces:
        raise InputError("pieces is an empty list; pass one array for each layer")
    arrays = [as_numpy(f"pieces[{index}]", array) for index, array in enumerate(pieces)]
    if len(arrays) != len(table):
        raise InputError(f"pieces lists {len(arrays)} arrays but layers has {len(table)} rows; use one array a layer")
    return arrays, [_layer_address(index, arrays, int(table[index, 0])) for index in range(len(arrays))]


def _layer_address(index: int, arrays: list[NDArray[Any]], given: int) -> int:
    array, first = arrays[index], arrays[0]
    _require_pieces(f"pieces[{index}]", array)
    if (array.shape, array.strides, array.dtype) != (first.shape, first.strides, first.dtype):
        raise InputError(
            f"pieces[{index}] has shape {array.shape}, strides {array.strides} and dtype {array.dtype}, pieces[0] "
            f"{first.shape}, {first.strides} and {first.dtype}; layers of one call are laid out alike"
        )
    own = int(array.__array_interface__["data"][0])
    if given not in (0, own):
        raise InputError(f"layers[{index}, 0] is {given} but pieces[{index}] lies at {own}; pass that address or 0")
    return own


def _require_pieces(name: str, array: NDArray[Any]) -> None:
    if array.dtype.kind not in "iu" or not array.dtype.isnative:
        raise TypeError(f"{name} has dtype {array.dtype}; use integers of 8, 16, 32 or 64 bits in native byte order")
    require_axes(name, array, PIECE_AXES)
    require_aligned(name, array)


def _rows(*arrays: HostArray) -> list[NDArray[np.int64]]:
    names = ("block_ids", "first_tokens", "valid_tokens")
    rows = [as_numpy(name, array) for name, array in zip(names, arrays, strict=True)]
    for name, array in zip(names, rows, strict=True):
        require_dtype(name, array, np.int64)
        require_axes(name, array, ("n",))
        require_shape(name, array, {"n": len(rows[0])})
        require_dense(name, array)
    return rows


def _accumulator(out: HostArray, num_rows: int) -> NDArray[Any]:
    array = as_numpy("out", out)
    require_dtype("out", array, np.int64, np.uint64)
    require_axes("out", array, ("n", "num_columns"))
    require_shape("out", array, {"n": num_rows, "num_columns": array.shape[1]})
    require_dense("out", array, free_axes=1)
    require_writable("out", array)
    if num_rows > 1 and abs(array.strides[0]) < array.shape[1] * array.itemsize:
        raise InputError(f"out has rows {array.strides[0]} bytes apart that overlap; pass rows of their own memory")
    return array
