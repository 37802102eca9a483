"""Compiled part of kvarium. Private: the package checks every array before it comes here."""

from collections.abc import Sequence
from typing import Any, TypeAlias

from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]

__version__: str

class CacheArrays:
    """The arrays of one layer's paged cache as kernels see them; no copy."""

    def __init__(
        self,
        key: Array,
        value: Array | None,
        *,
        layout: str,
        element_type: str,
        block_size: int,
        num_kv_heads: int,
        head_size: int,
        k_scale: float,
        v_scale: float,
    ) -> None: ...

class AttentionArrays:
    """Arrays of one attention call beside the cache; no copy."""

    def __init__(
        self,
        *,
        out: Array,
        lse: Array | None,
        query: Array,
        block_tables: Array,
        seq_lens: Array,
        alibi_slopes: Array | None,
        sinks: Array | None,
    ) -> None: ...

class AttentionVariant:
    """A family at one setting of its axes; None: its default."""

    def __init__(self, *, family: str | None, partition_size: int | None, block_n: int | None) -> None: ...
    @property
    def family(self) -> str: ...
    @property
    def partition_size(self) -> int: ...
    @property
    def block_n(self) -> int: ...

class RowArrays:
    """Block rows to be summed, arrays [num_rows] int64; no copy."""

    def __init__(self, *, block_ids: Array, first_tokens: Array, valid_tokens: Array) -> None: ...

def attention_families() -> list[tuple[str, str, str, bool, bool]]: ...
def paged_attention_v2(
    arrays: AttentionArrays,
    cache: CacheArrays,
    *,
    query_type: str,
    max_seq_len: int,
    scale: float,
    softcap: float,
    sliding_window: int,
    variant: AttentionVariant,
) -> None: ...
def merge_states(
    *,
    left_out: Array,
    left_lse: Array,
    right_out: Array,
    right_lse: Array,
    out: Array,
    lse: Array,
    element_type: str,
) -> None: ...
def write_cache(*, key: Array, value: Array, slot_mapping: Array, cache: CacheArrays, element_type: str) -> None: ...
def layers_checksum(
    *, pieces: Array, layers: Array, addresses: Sequence[int], rows: RowArrays, out: Array, aligned: bool
) -> None: ...
def weighted_sum(
    *, cache: CacheArrays, rows: RowArrays, out: Array, layer: int, first_head: int, piece_width: int
) -> None: ...
def philox(counter: Sequence[int], key: Sequence[int]) -> list[int]: ...
