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

class DevicePlace:
    """A CUDA device and the handle of one of its streams."""

    def __init__(self, *, device: int, stream: int) -> None: ...
    @property
    def device(self) -> int: ...
    @property
    def stream(self) -> int: ...

class GrowingMemory:
    """Device memory that grows with what calls need."""

    def __init__(self, *, device: int) -> None: ...
    @property
    def device(self) -> int: ...
    @property
    def num_bytes(self) -> int: ...
    def reserve(self, num_bytes: int) -> None: ...

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
    place: DevicePlace | None,
    workspace: GrowingMemory | None,
) -> None: ...
def choose_variant(
    *,
    cache: CacheArrays,
    query_type: str,
    query_heads_per_kv_head: int,
    partition_size: int | None,
    block_n: int | None,
    place: DevicePlace,
) -> AttentionVariant: ...
def merge_states(
    *,
    left_out: Array,
    left_lse: Array,
    right_out: Array,
    right_lse: Array,
    out: Array,
    lse: Array,
    element_type: str,
    place: DevicePlace | None,
) -> None: ...
def write_cache(
    *,
    key: Array,
    value: Array,
    slot_mapping: Array,
    cache: CacheArrays,
    element_type: str,
    place: DevicePlace | None,
) -> None: ...
def layers_checksum(
    *, pieces: Array, layers: Array, addresses: Sequence[int], rows: RowArrays, out: Array, aligned: bool
) -> None: ...
def layers_checksum_on_device(
    *, pieces: Array, layers: Array, rows: RowArrays, out: Array, aligned: bool, place: DevicePlace
) -> None: ...
def weighted_sum(
    *,
    cache: CacheArrays,
    rows: RowArrays,
    out: Array,
    layer: int,
    first_head: int,
    piece_width: int,
    place: DevicePlace | None,
) -> None: ...
def read_dlpack(
    capsule: Any,
) -> tuple[int, tuple[int, ...], tuple[int, ...] | None, tuple[int, int, int], tuple[int, int], bool]: ...
def order_streams(place: DevicePlace, *, earlier: int) -> None: ...
def device_of_address(address: int) -> int | None: ...
def philox(counter: Sequence[int], key: Sequence[int]) -> list[int]: ...
