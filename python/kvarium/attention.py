"""Decode attention on paged KV caches."""

from __future__ import annotations

from typing import Any, Literal, Unpack, overload

import numpy as np
from numpy.typing import NDArray

from .arrays import (
    element_type,
    require_apart,
    require_axes,
    require_dense,
    require_dtype,
    require_shape,
    require_writable,
)
from .attention_options import AttentionOptions
from .cache_layouts import Geometry, PagedCache, paged_cache, view_cache
from .compiled import core
from .device_arrays import DeviceOrHostArray
from .errors import InputError
from .places import DevicePlace, Place, place_of
from .scalars import INT64_MAX, as_integer, as_real
from .streams import CudaStream
from .variants import CacheKind, WantedVariant, attention_variant
from .workspace import Workspace, workspace_at


@overload
def paged_attention_v2(
    query: NDArray[Any],
    key_cache: DeviceOrHostArray,
    value_cache: DeviceOrHostArray | None,
    block_tables: DeviceOrHostArray,
    seq_lens: DeviceOrHostArray,
    *,
    return_lse: Literal[False] = ...,
    **options: Unpack[AttentionOptions],
) -> NDArray[Any]: ...


@overload
def paged_attention_v2(
    query: NDArray[Any],
    key_cache: DeviceOrHostArray,
    value_cache: DeviceOrHostArray | None,
    block_tables: DeviceOrHostArray,
    seq_lens: DeviceOrHostArray,
    *,
    return_lse: Literal[True],
    **options: Unpack[AttentionOptions],
) -> tuple[NDArray[Any], NDArray[np.float32]]: ...


@overload
def paged_attention_v2(
    query: DeviceOrHostArray,
    key_cache: DeviceOrHostArray,
    value_cache: DeviceOrHostArray | None,
    block_tables: DeviceOrHostArray,
    seq_lens: DeviceOrHostArray,
    *,
    return_lse: Literal[False] = ...,
    **options: Unpack[AttentionOptions],
) -> Any: ...


@overload
def paged_attention_v2(
    query: DeviceOrHostArray,
    key_cache: DeviceOrHostArray,
    value_cache: DeviceOrHostArray | None,
    block_tables: DeviceOrHostArray,
    seq_lens: DeviceOrHostArray,
    *,
    return_lse: Literal[True],
    **options: Unpack[AttentionOptions],
) -> tuple[Any, Any]: ...


def paged_attention_v2(
    query: DeviceOrHostArray,
    key_cache: DeviceOrHostArray,
    value_cache: DeviceOrHostArray | None,
    block_tables: DeviceOrHostArray,
    seq_lens: DeviceOrHostArray,
    *,
    num_kv_heads: int,
    scale: float,
    block_size: int,
    layout: str = "split_x",
    kv_cache_dtype: str = "auto",
    partition_size: int | None = None,
    block_n: int | None = None,
    variant: str = "auto",
    alibi_slopes: DeviceOrHostArray | None = None,
    softcap: float = 0.0,
    sliding_window: int = 0,
    sinks: DeviceOrHostArray | None = None,
    k_scale: float = 1.0,
    v_scale: float = 1.0,
    out: DeviceOrHostArray | None = None,
    lse: DeviceOrHostArray | None = None,
    max_seq_len: int | None = None,
    stream: CudaStream | None = None,
    workspace: Workspace | None = None,
    return_lse: bool = False,
) -> Any:
    """Attend each sequence's newest token to its cached tokens.

    Arrays are never copied: one that would have to be is refused.  They all lie on
    the host (NumPy arrays, or tensors that support DLPack) or all on one CUDA device
    (PyTorch, CuPy, anything with DLPack or ``__cuda_array_interface__``).  On the host
    bfloat16 is ``uint16`` and fp8 ``uint8`` (``tensor.view(torch.uint16)``); device
    arrays may have their library's bfloat16, float8_e4m3fn and float8_e5m2 as well.
    x = 16 / itemsize.  On the host it returns when the result is there; on a device
    when the work is on ``stream``: nothing waits, and nothing is allocated where
    ``out`` is given and the workspace suffices (the first call of its kind compiles).
    A CUDA graph may capture the call.  Other Python threads run meanwhile.

    Parameters
    ----------
    query : [num_sequences, num_heads, head_size] float32, float16 or uint16
        The first axis may have any stride that does not make rows overlap.
        num_heads is a multiple of num_kv_heads.
    key_cache, value_cache : float32, float16, uint16, or uint8 for fp8
        Axes before the dense ones may have any stride.
        ``split_x``: key [num_blocks, num_kv_heads, head_size/x, block_size, x]
        (last two dense), value [num_blocks, num_kv_heads, head_size, block_size].
        ``nhd``: both [num_blocks, block_size, num_kv_heads, head_size].
        ``hnd``: both [num_blocks, num_kv_heads, block_size, head_size].
        ``packed``: key_cache [num_blocks, num_kv_heads, block_size, 2*head_size],
        K before V in each row, and value_cache None.
    block_tables : [num_sequences, max_num_blocks_per_sequence] int32
        Physical block of each logical block.  Entries past a sequence's last
        block, or wholly before its window, may hold anything.
    seq_lens : [num_sequences] int32
        Tokens of each sequence, the newest included.  Length 0 gives zeros and LSE -inf.
    num_kv_heads, block_size : int
        As the caches have them; compared with their shapes.
    scale : float
        Factor on query-key products, usually head_size ** -0.5.
    layout : one of split_x, nhd, hnd, packed
    kv_cache_dtype : auto (as the array says), fp8_e4m3 or fp8_e5m2
    partition_size : int, tokens
        A multiple of block_size; None: 512, on a device the choice of ``variant`` auto.
    block_n : int, tokens of one inner step
        None: 64, on a device likewise.  Refused where ``variant`` has no such axis.
    variant : auto, or a key of ``attention_variants()``
        auto: ``host``, and on a device what the rule of ``choose_variant`` takes there;
        its splits depend on the batch.
    alibi_slopes : [num_heads] float32
        logit += slope * (token - (seq_len - 1)).
    softcap : float
        logit = softcap * tanh(logit / softcap), before ALiBi; 0: off.
    sliding_window : int
        Only the last this many tokens; 0: all.
    sinks : [num_heads] float32
        Logits that weigh in the sum but carry no value.
    k_scale, v_scale : float
        Value of an fp8 element is the stored number times its scale.
    out : [num_sequences, num_heads, head_size] of the query's dtype, dense, writable
        Written and returned; memory of its own.  None: a new array, on a device one of
        the query's library (PyTorch or CuPy), allocated in the order of ``stream``.
    lse : [num_sequences, num_heads] float32, dense, writable
        The log-sum-exp is written there.  None: as ``return_lse`` says.
    max_seq_len : int, tokens
        No sequence is longer.  None: the longest of ``seq_lens`` on the host; on a
        device, where the host does not read them, what ``block_tables`` has room for.
        A bound near the longest sequence spares empty partitions and workspace; a
        sequence that is longer there gives a wrong result.
    stream : None, a handle (int), or a stream of PyTorch or CuPy, for device arrays
        The work is put there, after all that the arrays' owners have put on theirs so
        far (through DLPack, or the interface's ``stream``).  None: the stream on which
        the query's owner works now (PyTorch's current stream, the interface's
        ``stream``), else the default stream; 0 is the default stream.  Who uses the
        result on another stream, or frees an array that another stream owns, orders
        that as for any kernel.
    workspace : Workspace
        Device memory for partial results.  None: one that all calls on ``stream``
        share; pass one of its own to CUDA graphs that are replayed at the same time.
    return_lse : bool
        Also return the log-sum-exp [num_sequences, num_heads] float32, natural
        logarithm, sinks included.

    Returns
    -------
    [num_sequences, num_heads, head_size] of the query's dtype, or with
    ``return_lse`` a tuple of it and the log-sum-exp.  Relative L2 per (sequence,
    head) against float64: 1e-5 float32, 2e-3 float16, 1e-2 bfloat16.

    Errors
    ------
    TypeError for a wrong dtype or no array; InputError (a ValueError) for shapes,
    strides, block ids, lengths and options that do not fit, and for arrays of several
    places; NotConfigured where no device is, or one that is not CUDA's.  Block ids and
    lengths on a device are not checked: nothing waits to read them.

    Source: vLLM's paged_attention_v2, without the 1e-6 in its denominators.
    """
    place = place_of("query", query, stream)
    memory = workspace_at(place, workspace)
    rows = _query_rows(place, query)
    cache = paged_cache(place, key_cache, value_cache, layout, kv_cache_dtype)
    result: Any = place.empty(query, rows.shape) if out is None else out
    logs = place.empty(query, rows.shape[:2], np.float32) if return_lse and lse is None else lse
    written, logged = _outputs(place, result, logs, rows, cache)
    geometry = Geometry(
        as_integer("block_size", block_size, low=1), as_integer("num_kv_heads", num_kv_heads, low=1), rows.shape[2]
    )
    tables = _block_tables(place, block_tables, rows.shape[0])
    lengths = _per_sequence(place, "seq_lens", seq_lens, {"num_sequences": rows.shape[0]})
    arrays = core.AttentionArrays(
        out=written,
        lse=logged,
        query=rows,
        block_tables=tables,
        seq_lens=lengths,
        alibi_slopes=_per_head(place, "alibi_slopes", alibi_slopes, rows.shape[1]),
        sinks=_per_head(place, "sinks", sinks, rows.shape[1]),
    )
    viewed = view_cache(cache, geometry, k_scale=k_scale, v_scale=v_scale)
    kind, wanted = CacheKind.of(cache, geometry, rows), WantedVariant(variant, partition_size, block_n)
    core.paged_attention_v2(
        arrays,
        viewed,
        query_type=element_type("query", rows),
        max_seq_len=_longest(place, max_seq_len, lengths, tables, geometry.block_size),
        scale=as_real("scale", scale),
        softcap=as_real("softcap", softcap),
        sliding_window=as_integer("sliding_window", sliding_window, low=0, high=INT64_MAX),
        variant=attention_variant(place, wanted, viewed, kind),
        place=place.core,
        workspace=memory,
    )
    return result if not return_lse else (result, logs)


def merge_states(
    left_out: DeviceOrHostArray,
    left_lse: DeviceOrHostArray,
    right_out: DeviceOrHostArray,
    right_lse: DeviceOrHostArray,
    *,
    out: DeviceOrHostArray | None = None,
    lse: DeviceOrHostArray | None = None,
    stream: CudaStream | None = None,
) -> tuple[Any, Any]:
    """Merge two attention results over disjoint tokens, as if attended at once (cascade attention).

    ``left_out`` and ``right_out`` [..., head_size] float32, float16 or uint16
    (bfloat16), such as [num_sequences, num_heads, head_size]; ``left_lse`` and
    ``right_lse`` [...] float32, natural logarithm, -inf where a part was empty.
    All dense, never copied; of the host or of one CUDA device, where the work is put on
    ``stream`` as by ``paged_attention_v2`` and nothing waits.

    Returns (out, lse) of the same shapes and dtypes, ``out`` and ``lse`` where they
    are given (they may be inputs), else new arrays; two empty parts give zeros and
    -inf.  Deterministic; other Python threads run meanwhile.

    Errors: TypeError for a wrong dtype; InputError for shapes or strides that do not fit.

    Source: cascade attention as in FlashInfer's merge_state.
    """
    place = place_of("left_out", left_out, stream)
    left, right = place.view("left_out", left_out), place.view("right_out", right_out)
    kind = element_type("left_out", left)
    if left.ndim == 0:
        raise InputError("left_out has no axes; use [..., head_size]")
    lses = [place.view("left_lse", left_lse), place.view("right_lse", right_lse)]
    rows, float32 = left.shape[:-1], np.dtype(np.float32)
    _require_like("right_out", right, left.shape, left.dtype)
    _require_like("left_out", left, left.shape, left.dtype)
    _require_like("left_lse", lses[0], rows, float32)
    _require_like("right_lse", lses[1], rows, float32)
    merged: Any = place.empty(left_out, left.shape) if out is None else out
    merged_lse: Any = place.empty(left_out, rows, float32) if lse is None else lse
    core.merge_states(
        left_out=left,
        left_lse=lses[0],
        right_out=right,
        right_lse=lses[1],
        out=_output("out", place.view("out", merged), left.shape, left.dtype),
        lse=_output("lse", place.view("lse", merged_lse), rows, float32),
        element_type=kind,
        place=place.core,
    )
    return merged, merged_lse


def _query_rows(place: Place, query: DeviceOrHostArray) -> NDArray[Any]:
    rows = place.view("query", query)
    element_type("query", rows)
    require_axes("query", rows, ("num_sequences", "num_heads", "head_size"))
    require_dense("query", rows, free_axes=1)
    row_bytes = rows.shape[1] * rows.shape[2] * rows.itemsize
    if rows.shape[0] > 1 and rows.strides[0] < row_bytes:
        raise InputError(f"query has rows of {row_bytes} bytes only {rows.strides[0]} bytes apart; pass a copy")
    return rows


def _outputs(
    place: Place, out: DeviceOrHostArray, lse: DeviceOrHostArray | None, rows: NDArray[Any], cache: PagedCache
) -> tuple[NDArray[Any], NDArray[Any] | None]:
    """View what a call writes: memory apart from what it reads."""
    inputs = {"query": rows, "key_cache": cache.key, "value_cache": cache.value}
    written = _output("out", place.view("out", out), rows.shape, rows.dtype)
    require_apart("out", written, inputs)
    if lse is None:
        return written, None
    logged = _output("lse", place.view("lse", lse), rows.shape[:2], np.dtype(np.float32))
    require_apart("lse", logged, inputs | {"out": written})
    return written, logged


def _output(name: str, array: NDArray[Any], shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
    _require_like(name, array, shape, dtype)
    require_writable(name, array)
    return array


def _require_like(name: str, array: NDArray[Any], shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
    require_dtype(name, array, dtype)
    if array.shape != shape:
        raise InputError(f"{name} has shape {array.shape}; use {shape}")
    require_dense(name, array)


def _per_sequence(place: Place, name: str, value: DeviceOrHostArray, shape: dict[str, int]) -> NDArray[Any]:
    array = place.view(name, value)
    require_dtype(name, array, np.int32)
    require_shape(name, array, shape)
    require_dense(name, array)
    return array


def _block_tables(place: Place, value: DeviceOrHostArray, num_sequences: int) -> NDArray[Any]:
    array = place.view("block_tables", value)
    require_axes("block_tables", array, ("num_sequences", "max_num_blocks_per_sequence"))
    shape = {"num_sequences": num_sequences, "max_num_blocks_per_sequence": array.shape[1]}
    return _per_sequence(place, "block_tables", array, shape)


def _longest(place: Place, given: int | None, lengths: NDArray[Any], tables: NDArray[Any], block_size: int) -> int:
    """Return the bound on sequence lengths that a call was given, or knows."""
    if given is not None:
        return as_integer("max_seq_len", given, low=0)
    if isinstance(place, DevicePlace):
        return int(tables.shape[1]) * block_size
    return max(0, int(lengths.max(initial=0)))


def _per_head(place: Place, name: str, value: DeviceOrHostArray | None, num_heads: int) -> NDArray[Any] | None:
    if value is None:
        return None
    array = place.view(name, value)
    require_dtype(name, array, np.float32)
    require_shape(name, array, {"num_heads": num_heads})
    require_dense(name, array)
    return array
