"""Decode attention on paged KV caches."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, Unpack, overload

import numpy as np
from numpy.typing import NDArray

from .arrays import (
    HostArray,
    as_numpy,
    element_type,
    require_apart,
    require_axes,
    require_dense,
    require_dtype,
    require_shape,
    require_writable,
)
from .attention_options import AttentionOptions
from .cache_layouts import Geometry, paged_cache, view_cache
from .compiled import core
from .errors import InputError
from .scalars import INT64_MAX, as_integer, as_real


class AttentionTraits(NamedTuple):
    """What an attention family promises.

    ``device``: cpu or cuda.  ``batch_invariant``: a sequence's result is
    bit-identical alone or in any batch, and for any physical block order.
    ``uses_block_n``: whether the argument ``block_n`` changes how it runs.
    """

    description: str
    device: str
    batch_invariant: bool
    uses_block_n: bool


def attention_variants() -> dict[str, AttentionTraits]:
    """Return the attention families of this build by the name that ``variant`` takes."""
    return {family[0]: AttentionTraits(*family[1:]) for family in core.attention_families()}


@overload
def paged_attention_v2(
    query: HostArray,
    key_cache: HostArray,
    value_cache: HostArray | None,
    block_tables: HostArray,
    seq_lens: HostArray,
    *,
    return_lse: Literal[False] = ...,
    **options: Unpack[AttentionOptions],
) -> NDArray[Any]: ...


@overload
def paged_attention_v2(
    query: HostArray,
    key_cache: HostArray,
    value_cache: HostArray | None,
    block_tables: HostArray,
    seq_lens: HostArray,
    *,
    return_lse: Literal[True],
    **options: Unpack[AttentionOptions],
) -> tuple[NDArray[Any], NDArray[np.float32]]: ...


def paged_attention_v2(
    query: HostArray,
    key_cache: HostArray,
    value_cache: HostArray | None,
    block_tables: HostArray,
    seq_lens: HostArray,
    *,
    num_kv_heads: int,
    scale: float,
    block_size: int,
    layout: str = "split_x",
    kv_cache_dtype: str = "auto",
    partition_size: int | None = None,
    block_n: int | None = None,
    variant: str = "auto",
    alibi_slopes: HostArray | None = None,
    softcap: float = 0.0,
    sliding_window: int = 0,
    sinks: HostArray | None = None,
    k_scale: float = 1.0,
    v_scale: float = 1.0,
    out: HostArray | None = None,
    stream: None = None,
    return_lse: bool = False,
) -> NDArray[Any] | tuple[NDArray[Any], NDArray[np.float32]]:
    """Attend each sequence's newest token to its cached tokens.

    Arrays are NumPy arrays or host tensors that support DLPack, and are never
    copied: one that would have to be is refused.  bfloat16 is ``uint16`` (of a
    PyTorch tensor: ``tensor.view(torch.uint16)``).  x = 16 / itemsize.  Returns
    when the result is there; other Python threads run meanwhile.

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
        A multiple of block_size; None: 512.
    block_n : int, tokens of one inner step
        None: 64.  Refused where ``variant`` has no such axis.
    variant : auto, or a key of ``attention_variants()``
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
        Written and returned; memory of its own.  None: a new array.
    stream : None
        Streams belong to devices; host arrays take None.
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
    strides, block ids, lengths and options that do not fit; NotConfigured for
    memory of a device.

    Source: vLLM's paged_attention_v2, without the 1e-6 in its denominators.
    """
    if stream is not None:
        raise InputError("stream belongs to device arrays; these lie on the host, pass None")
    rows = _query_rows(query)
    cache = paged_cache(key_cache, value_cache, layout, kv_cache_dtype)
    result: Any = np.empty(rows.shape, rows.dtype) if out is None else out
    written = _output("out", result, rows)
    require_apart("out", written, {"query": rows, "key_cache": cache.key, "value_cache": cache.value})
    lse = np.empty(rows.shape[:2], np.float32) if return_lse else None
    geometry = Geometry(
        as_integer("block_size", block_size, low=1), as_integer("num_kv_heads", num_kv_heads, low=1), rows.shape[2]
    )
    lengths = _per_sequence("seq_lens", seq_lens, {"num_sequences": rows.shape[0]})
    core.paged_attention_v2(
        core.AttentionArrays(
            out=written,
            lse=lse,
            query=rows,
            block_tables=_block_tables(block_tables, rows.shape[0]),
            seq_lens=lengths,
            alibi_slopes=_per_head("alibi_slopes", alibi_slopes, rows.shape[1]),
            sinks=_per_head("sinks", sinks, rows.shape[1]),
        ),
        view_cache(cache, geometry, k_scale=k_scale, v_scale=v_scale),
        query_type=element_type("query", rows),
        max_seq_len=max(0, int(lengths.max(initial=0))),
        scale=as_real("scale", scale),
        softcap=as_real("softcap", softcap),
        sliding_window=as_integer("sliding_window", sliding_window, low=0, high=INT64_MAX),
        variant=_variant(variant, partition_size, block_n),
    )
    return result if lse is None else (result, lse)


def merge_states(
    left_out: HostArray, left_lse: HostArray, right_out: HostArray, right_lse: HostArray
) -> tuple[NDArray[Any], NDArray[np.float32]]:
    """Merge two attention results over disjoint tokens, as if attended at once (cascade attention).

    ``left_out`` and ``right_out`` [..., head_size] float32, float16 or uint16
    (bfloat16), such as [num_sequences, num_heads, head_size]; ``left_lse`` and
    ``right_lse`` [...] float32, natural logarithm, -inf where a part was empty.
    All dense, never copied.

    Returns new arrays (out, lse) of the same shapes and dtypes; two empty parts
    give zeros and -inf.  Deterministic; other Python threads run meanwhile.

    Errors: TypeError for a wrong dtype; InputError for shapes or strides that do not fit.

    Source: cascade attention as in FlashInfer's merge_state.
    """
    left, right = as_numpy("left_out", left_out), as_numpy("right_out", right_out)
    kind = element_type("left_out", left)
    if left.ndim == 0:
        raise InputError("left_out has no axes; use [..., head_size]")
    lses = [as_numpy("left_lse", left_lse), as_numpy("right_lse", right_lse)]
    _require_like("right_out", right, left.shape, left.dtype)
    _require_like("left_out", left, left.shape, left.dtype)
    _require_like("left_lse", lses[0], left.shape[:-1], np.dtype(np.float32))
    _require_like("right_lse", lses[1], left.shape[:-1], np.dtype(np.float32))
    out, lse = np.empty(left.shape, left.dtype), np.empty(left.shape[:-1], np.float32)
    core.merge_states(
        left_out=left, left_lse=lses[0], right_out=right, right_lse=lses[1], out=out, lse=lse, element_type=kind
    )
    return out, lse


def _query_rows(query: HostArray) -> NDArray[Any]:
    rows = as_numpy("query", query)
    element_type("query", rows)
    require_axes("query", rows, ("num_sequences", "num_heads", "head_size"))
    require_dense("query", rows, free_axes=1)
    row_bytes = rows.shape[1] * rows.shape[2] * rows.itemsize
    if rows.shape[0] > 1 and rows.strides[0] < row_bytes:
        raise InputError(f"query has rows of {row_bytes} bytes only {rows.strides[0]} bytes apart; pass a copy")
    return rows


def _output(name: str, out: HostArray, rows: NDArray[Any]) -> NDArray[Any]:
    array = as_numpy(name, out)
    _require_like(name, array, rows.shape, rows.dtype)
    require_writable(name, array)
    return array


def _require_like(name: str, array: NDArray[Any], shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
    require_dtype(name, array, dtype)
    if array.shape != shape:
        raise InputError(f"{name} has shape {array.shape}; use {shape}")
    require_dense(name, array)


def _per_sequence(name: str, value: HostArray, shape: dict[str, int]) -> NDArray[Any]:
    array = as_numpy(name, value)
    require_dtype(name, array, np.int32)
    require_shape(name, array, shape)
    require_dense(name, array)
    return array


def _block_tables(value: HostArray, num_sequences: int) -> NDArray[Any]:
    array = as_numpy("block_tables", value)
    require_axes("block_tables", array, ("num_sequences", "max_num_blocks_per_sequence"))
    shape = {"num_sequences": num_sequences, "max_num_blocks_per_sequence": array.shape[1]}
    return _per_sequence("block_tables", array, shape)


def _per_head(name: str, value: HostArray | None, num_heads: int) -> NDArray[Any] | None:
    if value is None:
        return None
    array = as_numpy(name, value)
    require_dtype(name, array, np.float32)
    require_shape(name, array, {"num_heads": num_heads})
    require_dense(name, array)
    return array


def _variant(name: str, partition_size: int | None, block_n: int | None) -> core.AttentionVariant:
    sizes = {"partition_size": partition_size, "block_n": block_n}
    axes = {axis: None if size is None else as_integer(axis, size, low=1) for axis, size in sizes.items()}
    variant = core.AttentionVariant(family=None if name == "auto" else name, **axes)
    traits = attention_variants().get(variant.family)
    if traits is not None and traits.device != "cpu":
        raise InputError(
            f"variant {variant.family} runs on device {traits.device} and these arrays lie on the host; use host"
        )
    if block_n is not None and traits is not None and not traits.uses_block_n:
        raise InputError(f"variant {variant.family} has no block_n; leave it None")
    return variant
