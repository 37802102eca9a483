"""What the package refuses about device arrays, and how clearly it says so; no device is needed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from device_fakes import FakeTensor, VersionedFakeTensor, without_device
from small_batch import OPTIONS, SmallBatch

import kvarium


def call(batch: SmallBatch, changes: dict[str, Any]) -> Any:
    arguments: dict[str, Any] = {
        "query": FakeTensor(batch.query),
        "key_cache": FakeTensor(batch.keys),
        "value_cache": FakeTensor(batch.values),
        "block_tables": FakeTensor(batch.block_tables),
        "seq_lens": FakeTensor(batch.seq_lens),
        "out": FakeTensor(np.zeros_like(batch.query)),
        "layout": "hnd",
        **OPTIONS,
    }
    return kvarium.paged_attention_v2(**(arguments | changes))


def read_only(array: Any) -> VersionedFakeTensor:
    tensor = VersionedFakeTensor(array)
    tensor.is_read_only = True
    return tensor


QUERY = np.zeros((3, 6, 32), np.float32)
CELLS = np.zeros((12, 2, 16, 32), np.uint8)
E4M3, E5M2 = FakeTensor(CELLS, "float8_e4m3fn"), FakeTensor(CELLS, "float8_e5m2")

WRONG_INPUTS: dict[str, tuple[dict[str, Any], str]] = {
    "host_table": (
        {"block_tables": np.zeros((3, 4), np.int32)},
        "block_tables lies on the host but query on CUDA device 0; all arrays of a call lie in one place",
    ),
    "host_query": ({"query": QUERY}, "key_cache lies on CUDA device 0 but query on the host"),
    "other_device": (
        {"value_cache": FakeTensor(np.zeros((12, 2, 16, 32), np.float32), device=1)},
        "value_cache lies on CUDA device 1 but query on device 0",
    ),
    "no_out": ({"out": None}, "no array to write was given, and kvarium does not allocate through device_fakes"),
    "read_only": ({"out": read_only(QUERY)}, "out is read-only"),
    "gap": (
        {"key_cache": FakeTensor(np.zeros((12, 2, 16, 64), np.float32)[..., ::2])},
        r"key_cache has a gap .* never copied.*key_cache.contiguous\(\)",
    ),
    "host_variant": ({"variant": "host"}, "variant host runs on device cpu and these arrays lie on a CUDA device"),
    "workspace": ({"workspace": kvarium.Workspace(device=1)}, "workspace lies on CUDA device 1 and the arrays on"),
    "fp8_name": (
        {"key_cache": E5M2, "value_cache": E5M2, "kv_cache_dtype": "fp8_e4m3"},
        "key_cache holds float8_e5m2 but kv_cache_dtype is fp8_e4m3; use auto",
    ),
    "max_seq_len": ({"max_seq_len": -1}, "max_seq_len is -1; use 0 to"),
    "stream": ({"stream": -1}, "stream is -1"),
}


@pytest.mark.parametrize("name", WRONG_INPUTS)
def test_a_mistake_is_named_in_one_line(batch: SmallBatch, name: str) -> None:
    changes, message = WRONG_INPUTS[name]

    with pytest.raises(kvarium.InputError, match=message) as raised:
        call(batch, changes)
    assert "\n" not in str(raised.value)


WRONG_TYPES: dict[str, tuple[dict[str, Any], str]] = {
    "table": ({"block_tables": FakeTensor(np.zeros((3, 4), np.int64))}, "block_tables has dtype int64; use int32"),
    "out": ({"out": FakeTensor(QUERY.astype(np.float16))}, "out has dtype float16; use float32"),
    "query": ({"query": FakeTensor(QUERY.astype(np.int32))}, "query has dtype int32; use float32, float16"),
    "mixed_fp8": (
        {"key_cache": E4M3, "value_cache": E5M2},
        "value_cache holds float8_e5m2 and key_cache float8_e4m3fn; use one type",
    ),
    "stream": ({"stream": "default"}, "stream is a str; pass a handle"),
    "workspace": ({"workspace": 4096}, "workspace is a int; pass a kvarium.Workspace"),
}


@pytest.mark.parametrize("name", WRONG_TYPES)
def test_a_wrong_type_is_a_type_error(batch: SmallBatch, name: str) -> None:
    changes, message = WRONG_TYPES[name]

    with pytest.raises(TypeError, match=message) as raised:
        call(batch, changes)
    assert "\n" not in str(raised.value)


def test_host_arrays_take_no_workspace(batch: SmallBatch) -> None:
    host = {"query": QUERY, "key_cache": batch.keys, "value_cache": batch.values, "out": None}
    host |= {"block_tables": batch.block_tables, "seq_lens": batch.seq_lens, "workspace": kvarium.Workspace()}

    with pytest.raises(kvarium.InputError, match="workspace belongs to device arrays"):
        call(batch, host)


@pytest.mark.parametrize("variant", ["auto", "gqa_packed"])
def test_without_a_device_the_reason_is_named(batch: SmallBatch, variant: str) -> None:
    without_device()

    with pytest.raises(kvarium.NotConfigured, match="device cuda is not configured") as raised:
        call(batch, {"variant": variant})
    assert "\n" not in str(raised.value)


def test_every_array_is_asked_for_the_calls_stream(batch: SmallBatch) -> None:
    without_device()
    arrays = {name: FakeTensor(array) for name, array in {"query": batch.query, "key_cache": batch.keys}.items()}

    with pytest.raises(kvarium.NotConfigured):
        call(batch, arrays | {"stream": 77})

    assert [tensor.streams for tensor in arrays.values()] == [[77], [77]]


def test_other_functions_refuse_mixed_places_too(batch: SmallBatch) -> None:
    rows = np.zeros(1, np.int64), np.zeros(1, np.int64), np.ones(1, np.int64)
    pieces = FakeTensor(np.zeros((2, 1, 1, 16, 4), np.uint64))
    new = FakeTensor(np.zeros((1, 2, 32), np.float32))

    with pytest.raises(kvarium.InputError, match="block_ids lies on the host but key_cache on CUDA device 0"):
        kvarium.weighted_sum(FakeTensor(batch.keys), FakeTensor(batch.values), *rows, layout="hnd")
    with pytest.raises(kvarium.InputError, match="layers lies on the host but pieces on CUDA device 0"):
        kvarium.layers_checksum(pieces, np.zeros((1, 3), np.int64), *rows, np.zeros((1, 1), np.int64), False)
    with pytest.raises(kvarium.InputError, match="slot_mapping lies on the host but key on CUDA device 0"):
        kvarium.write_cache(
            new, new, FakeTensor(batch.keys), FakeTensor(batch.values), rows[0], block_size=16, layout="hnd"
        )
    with pytest.raises(kvarium.InputError, match="left_lse lies on the host but left_out on CUDA device 0"):
        kvarium.merge_states(new, np.zeros((1, 2), np.float32), new, np.zeros((1, 2), np.float32))


def test_alignment_of_device_pieces_is_checked() -> None:
    memory = np.zeros(2 * 16 * 4 + 2, np.uint64)
    first = (-memory.__array_interface__["data"][0] // 8) % 2
    pieces = FakeTensor(memory[first + 1 :][: 2 * 16 * 4].reshape(2, 1, 1, 16, 4))
    rows = [FakeTensor(np.zeros(1, np.int64)) for _ in range(3)]

    with pytest.raises(kvarium.InputError, match="pieces.* is not at a 16-byte aligned address"):
        kvarium.layers_checksum(
            pieces, FakeTensor(np.zeros((1, 3), np.int64)), *rows, FakeTensor(np.zeros((1, 1), np.int64)), True
        )
