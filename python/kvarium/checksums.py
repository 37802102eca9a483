"""Checksums over paged KV caches."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypedDict, Unpack, overload

import numpy as np
from numpy.typing import NDArray

from .arrays import (
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
from .device_arrays import DeviceOrHostArray
from .errors import InputError
from .places import DevicePlace, Place, place_of
from .scalars import INT64_MAX, as_integer
from .streams import CudaStream

PIECE_AXES = ("num_blocks", "kernel_blocks", "heads", "tokens", "pieces")


def layers_checksum(
    pieces: DeviceOrHostArray | Sequence[DeviceOrHostArray],
    layers: DeviceOrHostArray,
    block_ids: DeviceOrHostArray,
    first_tokens: DeviceOrHostArray,
    valid_tokens: DeviceOrHostArray,
    out: DeviceOrHostArray,
    aligned: bool,
    *,
    stream: CudaStream | None = None,
) -> None:
    """Add each layer's weighted piece sum of each block row into its column of ``out``.

    For row r and each layer (address, layer * 65536 + first head, column)::

        out[r, column] += sum over kernel block, head, token t < valid_tokens[r], piece p of
            (2*(layer*65536 + first_head + head) + 1) * (2*((first_tokens[r] + t)*pieces + p) + 1) * x   (mod 2^64)

    x is the piece read as unsigned; t counts tokens over the whole block.  Arrays
    are never copied: arrays of the host, or of one CUDA device, as
    ``paged_attention_v2`` takes them.  Integer sums: the same bits on any number of
    threads and on a device.  There it returns when the work is on ``stream``, without
    an allocation and without waiting.

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
        layer * 65536 + number of its first head; column of ``out``.  On a device the
        host does not read them: every address must be there, also with a list (0 is
        no address of memory, and a wrong one is not reported), and a layer whose
        column lies outside ``out`` adds nothing.
    block_ids : [n] int64
        Logical blocks, indices into axis 0 of ``pieces``.
    first_tokens : [n] int64
        Position in the request of each block's first token; 0: positions in the block.
    valid_tokens : [n] int64
        Tokens summed from each block's start; clamped to the block.
    out : [n, num_columns] int64 or uint64
        Added to.  Columns lie side by side, rows anywhere; writable, memory of its own.
    aligned : bool
        Promises that all addresses are multiples of 16 bytes; checked (on a device
        that of ``pieces``, not those in ``layers``).
    stream : None, or a stream as ``paged_attention_v2`` takes it

    Errors
    ------
    TypeError for a wrong dtype; InputError for block ids, heads, columns, shapes or
    strides that do not fit, and for unaligned addresses under ``aligned``.  On a
    device nothing waits to report block ids: a row outside ``pieces`` adds nothing.

    Source: vLLM's kv_checksum layers_checksum.
    """
    place = place_of(*_first_pieces(pieces), stream)
    table = place.view("layers", layers)
    require_dtype("layers", table, np.int64)
    require_axes("layers", table, ("num_layers", "columns"))
    require_shape("layers", table, {"num_layers": table.shape[0], "columns": 3})
    require_dense("layers", table)
    arrays = _pieces(place, pieces, len(table))
    rows = _rows(place, block_ids, first_tokens, valid_tokens)
    sums = _accumulator(place, out, len(rows[0]))
    require_apart("out", sums, {f"pieces[{index}]": array for index, array in enumerate(arrays)})
    row_arrays = core.RowArrays(block_ids=rows[0], first_tokens=rows[1], valid_tokens=rows[2])
    if isinstance(place, DevicePlace):
        _require_aligned_pieces(arrays, bool(aligned))
        core.layers_checksum_on_device(
            pieces=arrays[0], layers=table, rows=row_arrays, out=sums, aligned=bool(aligned), place=place.core
        )
        return
    core.layers_checksum(
        pieces=arrays[0],
        layers=table,
        addresses=_addresses(arrays, table, isinstance(pieces, Sequence)),
        rows=row_arrays,
        out=sums,
        aligned=bool(aligned),
    )


class SumOptions(TypedDict, total=False):
    """The keyword arguments of ``weighted_sum`` beside the layout; it documents them."""

    layer: int
    first_head: int
    piece_width: int
    kv_cache_dtype: str
    stream: CudaStream | None


@overload
def weighted_sum(
    key_cache: NDArray[Any],
    value_cache: DeviceOrHostArray | None,
    block_ids: DeviceOrHostArray,
    first_tokens: DeviceOrHostArray,
    valid_tokens: DeviceOrHostArray,
    *,
    layout: str,
    out: None = ...,
    **options: Unpack[SumOptions],
) -> NDArray[np.uint64]: ...


@overload
def weighted_sum(
    key_cache: DeviceOrHostArray,
    value_cache: DeviceOrHostArray | None,
    block_ids: DeviceOrHostArray,
    first_tokens: DeviceOrHostArray,
    valid_tokens: DeviceOrHostArray,
    *,
    layout: str,
    out: DeviceOrHostArray | None = ...,
    **options: Unpack[SumOptions],
) -> Any: ...


def weighted_sum(
    key_cache: DeviceOrHostArray,
    value_cache: DeviceOrHostArray | None,
    block_ids: DeviceOrHostArray,
    first_tokens: DeviceOrHostArray,
    valid_tokens: DeviceOrHostArray,
    *,
    layout: str,
    layer: int = 0,
    first_head: int = 0,
    piece_width: int = 8,
    kv_cache_dtype: str = "auto",
    out: DeviceOrHostArray | None = None,
    stream: CudaStream | None = None,
) -> Any:
    """Sum the cells of block rows, weighted by position: the same value in every layout.

    The formula of ``layers_checksum`` over cell bytes: of each token and KV head,
    K elements then V elements, little-endian, cut into pieces of ``piece_width``
    bytes.  Values add up over layers, heads and ranks modulo 2^64.  Arrays of a CUDA
    device are taken as ``paged_attention_v2`` takes them; there it returns when the
    work is on ``stream``, without waiting.

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
    out : [n] int64 or uint64, dense, writable
        Written and returned.  None: a new array; of PyTorch int64, else uint64.
    stream : None, or a stream as ``paged_attention_v2`` takes it

    Returns
    -------
    [n] uint64, or ``out``.

    Errors
    ------
    TypeError for a wrong dtype; InputError for block ids, shapes, strides or widths that do not fit.
    On a device nothing waits to report block ids: a row outside the cache sums to 0.

    Source: kvarium's definition of cell bytes; the formula is vLLM's kv_checksum.
    """
    place = place_of("key_cache", key_cache, stream)
    cache = paged_cache(place, key_cache, value_cache, layout, kv_cache_dtype)
    rows = _rows(place, block_ids, first_tokens, valid_tokens)
    result: Any = place.empty(key_cache, (len(rows[0]),), np.uint64) if out is None else out
    core.weighted_sum(
        cache=view_cache(cache, geometry_of(cache)),
        rows=core.RowArrays(block_ids=rows[0], first_tokens=rows[1], valid_tokens=rows[2]),
        out=_sums(place, result, len(rows[0])),
        layer=as_integer("layer", layer, low=0, high=INT64_MAX),
        first_head=as_integer("first_head", first_head, low=0, high=INT64_MAX),
        piece_width=as_integer("piece_width", piece_width, low=1),
        place=place.core,
    )
    return result


def _first_pieces(
    pieces: DeviceOrHostArray | Sequence[DeviceOrHostArray],
) -> tuple[str, DeviceOrHostArray]:
    """Return the array that decides where the call runs, with its name."""
    if not isinstance(pieces, Sequence):
        return "pieces", pieces
    if not pieces:
        raise InputError("pieces is an empty list; pass one array for each layer")
    return "pieces[0]", pieces[0]


def _pieces(
    place: Place, pieces: DeviceOrHostArray | Sequence[DeviceOrHostArray], num_layers: int
) -> list[NDArray[Any]]:
    """View the arrays, which are laid out alike."""
    if not isinstance(pieces, Sequence):
        array = place.view("pieces", pieces)
        _require_pieces("pieces", array)
        return [array]
    if len(pieces) != num_layers:
        raise InputError(f"pieces lists {len(pieces)} arrays but layers has {num_layers} rows; use one array a layer")
    arrays = [place.view(f"pieces[{index}]", array) for index, array in enumerate(pieces)]
    for index, array in enumerate(arrays):
        _require_pieces(f"pieces[{index}]", array)
        _require_alike(index, array, arrays[0])
    return arrays


def _require_alike(index: int, array: NDArray[Any], first: NDArray[Any]) -> None:
    if (array.shape, array.strides, array.dtype) != (first.shape, first.strides, first.dtype):
        raise InputError(
            f"pieces[{index}] has shape {array.shape}, strides {array.strides} and dtype {array.dtype}, pieces[0] "
            f"{first.shape}, {first.strides} and {first.dtype}; layers of one call are laid out alike"
        )


def _address(array: NDArray[Any]) -> int:
    return int(array.__array_interface__["data"][0])


def _addresses(arrays: list[NDArray[Any]], table: NDArray[np.int64], is_list: bool) -> list[int]:
    """Return each layer's address; those of a list are the arrays' own."""
    if not is_list:
        return [int(given) or _address(arrays[0]) for given in table[:, 0]]
    for index, array in enumerate(arrays):
        given, own = int(table[index, 0]), _address(array)
        if given not in (0, own):
            raise InputError(f"layers[{index}, 0] is {given} but pieces[{index}] lies at {own}; pass that address or 0")
    return [_address(array) for array in arrays]


def _require_aligned_pieces(arrays: list[NDArray[Any]], aligned: bool) -> None:
    for index, array in enumerate(arrays):
        if aligned and _address(array) % 16 != 0:
            raise InputError(
                f"pieces[{index}] is not at a 16-byte aligned address although aligned is true; pass aligned = False"
            )


def _require_pieces(name: str, array: NDArray[Any]) -> None:
    if array.dtype.kind not in "iu" or not array.dtype.isnative:
        raise TypeError(f"{name} has dtype {array.dtype}; use integers of 8, 16, 32 or 64 bits in native byte order")
    require_axes(name, array, PIECE_AXES)
    require_aligned(name, array)


def _rows(place: Place, *arrays: DeviceOrHostArray) -> list[NDArray[np.int64]]:
    names = ("block_ids", "first_tokens", "valid_tokens")
    rows = [place.view(name, array) for name, array in zip(names, arrays, strict=True)]
    for name, array in zip(names, rows, strict=True):
        require_dtype(name, array, np.int64)
        require_axes(name, array, ("n",))
        require_shape(name, array, {"n": len(rows[0])})
        require_dense(name, array)
    return rows


def _sums(place: Place, out: DeviceOrHostArray, num_rows: int) -> NDArray[Any]:
    array = place.view("out", out)
    require_dtype("out", array, np.int64, np.uint64)
    require_shape("out", array, {"n": num_rows})
    require_dense("out", array)
    require_writable("out", array)
    return array


def _accumulator(place: Place, out: DeviceOrHostArray, num_rows: int) -> NDArray[Any]:
    array = place.view("out", out)
    require_dtype("out", array, np.int64, np.uint64)
    require_axes("out", array, ("n", "num_columns"))
    require_shape("out", array, {"n": num_rows, "num_columns": array.shape[1]})
    require_dense("out", array, free_axes=1)
    require_writable("out", array)
    if num_rows > 1 and abs(array.strides[0]) < array.shape[1] * array.itemsize:
        raise InputError(f"out has rows {array.strides[0]} bytes apart that overlap; pass rows of their own memory")
    return array
