"""The options of decode attention as types, for type checkers."""

from __future__ import annotations

from typing import Required, TypedDict

from .device_arrays import DeviceOrHostArray
from .streams import CudaStream
from .workspace import Workspace


class AttentionOptions(TypedDict, total=False):
    """The keyword arguments of ``paged_attention_v2`` that do not change what it returns; it documents them."""

    num_kv_heads: Required[int]
    scale: Required[float]
    block_size: Required[int]
    layout: str
    kv_cache_dtype: str
    partition_size: int | None
    block_n: int | None
    variant: str
    alibi_slopes: DeviceOrHostArray | None
    softcap: float
    sliding_window: int
    sinks: DeviceOrHostArray | None
    k_scale: float
    v_scale: float
    out: DeviceOrHostArray | None
    lse: DeviceOrHostArray | None
    max_seq_len: int | None
    stream: CudaStream | None
    workspace: Workspace | None
