"""Compiled part of kvarium. Private: the package checks every array before it comes here."""

from collections.abc import Mapping, Sequence
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

class CacheLayers:
    """The caches of a model's layers with their places in it; no copy."""

    def __init__(self, *, caches: Sequence[CacheArrays], layers: Sequence[int], first_head: int) -> None: ...

class ChecksumParameters:
    """Settings of a checksum; None: its default."""

    def __init__(
        self,
        *,
        family: str,
        piece_width: int | None,
        byte_order: str | None,
        seed: int | None,
        sampled_buffers: int | None,
        edge_width: int | None,
        canary_data: str | None,
    ) -> None: ...

class FaultRecord:
    """What a fault did; its numbers as in sim/faults/fault_record.hpp."""

    @property
    def model(self) -> str: ...
    @property
    def detail(self) -> str: ...
    @property
    def struck(self) -> str: ...
    @property
    def layer(self) -> int: ...
    @property
    def sequence(self) -> int: ...
    @property
    def logical_block(self) -> int: ...
    @property
    def physical_block(self) -> int: ...
    @property
    def kv_head(self) -> int: ...
    @property
    def token(self) -> int: ...
    @property
    def tensor(self) -> str: ...
    @property
    def byte(self) -> int: ...
    @property
    def bit(self) -> int: ...
    @property
    def field(self) -> str: ...
    @property
    def before(self) -> int: ...
    @property
    def after(self) -> int: ...
    @property
    def num_changed_bytes(self) -> int: ...
    @property
    def num_changed_attended_bytes(self) -> int: ...
    @property
    def num_struck_blocks(self) -> int: ...
    @property
    def first_token(self) -> int: ...
    @property
    def last_token(self) -> int: ...
    def byte_changes(self) -> dict[str, Array]: ...
    def table_changes(self) -> list[tuple[int, int, int, int, bool]]: ...

class FaultScene:
    """A batch's caches and tables, open to faults; written in place."""

    def __init__(
        self,
        *,
        layers: CacheLayers,
        earlier: CacheLayers | None,
        block_tables: Array,
        seq_lens: Array,
        read_lengths: Array | None,
        sliding_window: int,
    ) -> None: ...
    def inject(
        self, model: str, settings: Mapping[str, str | int | float], *, seed: int, stimulus: int, trial: int
    ) -> tuple[FaultRecord | None, str]: ...
    def apply(self, record: FaultRecord) -> None: ...
    def revert(self, record: FaultRecord) -> None: ...

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
def checksum(
    *,
    family: str,
    layers: CacheLayers,
    block_ids: Array,
    first_tokens: Array,
    valid_tokens: Array,
    token_ids: Array | None,
    parameters: ChecksumParameters,
) -> Array: ...
def checksum_families() -> list[tuple[str, str, bool, bool, list[str], list[str]]]: ...
def fault_models() -> list[tuple[str, str, str, list[str], list[str]]]: ...
def read_dlpack(
    capsule: Any,
) -> tuple[int, tuple[int, ...], tuple[int, ...] | None, tuple[int, int, int], tuple[int, int], bool]: ...
def order_streams(place: DevicePlace, *, earlier: int) -> None: ...
def device_of_address(address: int) -> int | None: ...
def philox(counter: Sequence[int], key: Sequence[int]) -> list[int]: ...
