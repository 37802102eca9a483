"""What paged_attention_v2 and merge_states refuse, and how clearly they say so."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from attention_cases import build_cache
from small_batch import HEAD_SIZE, NUM_HEADS, OPTIONS, SmallBatch

import kvarium


def call(batch: SmallBatch, changes: dict[str, Any]) -> Any:
    arguments: dict[str, Any] = {
        "query": batch.query,
        "key_cache": batch.keys,
        "value_cache": batch.values,
        "block_tables": batch.block_tables,
        "seq_lens": batch.seq_lens,
        "layout": "hnd",
        **OPTIONS,
    }
    return kvarium.paged_attention_v2(**(arguments | changes))


def query_of(shape: tuple[int, ...], dtype: Any = np.float32) -> np.ndarray:
    return np.zeros(shape, dtype)


FITTING = (3, NUM_HEADS, HEAD_SIZE)
WRONG_INPUTS = {
    "stream": ({"stream": 0}, "stream belongs to device arrays.*pass None"),
    "layout": ({"layout": "dhn"}, "unknown layout 'dhn'; use one of split_x, nhd, hnd, packed"),
    "value_of_packed": ({"layout": "packed"}, "layout packed holds K and V in key_cache; pass value_cache=None"),
    "no_value": ({"value_cache": None}, "value_cache is None; layout hnd needs an array"),
    "split_axes": ({"layout": "split_x"}, r"value_cache|key_cache has 4 axes.*head_size/x, block_size, x\]"),
    "query_axes": ({"query": query_of((3, 64))}, r"query has 2 axes.*\[num_sequences, num_heads, head_size\]"),
    "head_size": ({"query": query_of((3, 6, 40))}, "key_cache has size 32 in axis 3 where head_size is 40"),
    "num_kv_heads": ({"num_kv_heads": 3}, "key_cache has size 2 in axis 1 where num_kv_heads is 3"),
    "block_size": ({"block_size": 32}, "key_cache has size 16 in axis 2 where block_size is 32"),
    "num_heads": ({"query": query_of((3, 5, 32))}, "num_heads is 5 but num_kv_heads is 2"),
    "sequences": ({"seq_lens": np.zeros(4, np.int32)}, "seq_lens has size 4 in axis 0 where num_sequences is 3"),
    "table_rows": (
        {"block_tables": np.zeros((2, 4), np.int32)},
        "block_tables has size 2 in axis 0 where num_seq.* is 3",
    ),
    "long_sequence": (
        {"seq_lens": np.array([65, 0, 1], np.int32)},
        r"seq_lens\[0\] is 65 but .* at most 64 tokens fit",
    ),
    "negative_length": ({"seq_lens": np.array([5, -1, 1], np.int32)}, r"seq_lens\[1\] is -1"),
    "partition_size": ({"partition_size": 40}, "partition_size is 40; use a positive multiple of block_size 16"),
    "no_partition": ({"partition_size": 0}, "partition_size is 0; use 1 to"),
    "huge_partition": ({"partition_size": 2**31}, "partition_size is 2147483648; use 1 to 2147483647"),
    "block_n": ({"block_n": 0}, "block_n is 0; use 1 to"),
    "unused_block_n": ({"block_n": 32, "variant": "host_reference"}, "variant host_reference has no block_n"),
    "variant": ({"variant": "hostt"}, "unknown attention family 'hostt'; use one of host_reference, host"),
    "device_variant": (
        {"variant": "register_mma"},
        "register_mma runs on device cuda and these arrays lie on the host",
    ),
    "kv_cache_dtype": ({"kv_cache_dtype": "fp8"}, "unknown kv_cache_dtype 'fp8'; use auto, fp8_e4m3 or fp8_e5m2"),
    "scales": ({"k_scale": 0.5}, "k_scale is 0.5 .* cache holds float32; only fp8 has scales"),
    "negative_scale": ({"v_scale": -1.0}, "v_scale -1.0; use positive numbers"),
    "scale": ({"scale": float("nan")}, "scale is nan; use a finite number"),
    "softcap": ({"softcap": -1.0}, "softcap is -1; use 0 for none or a positive finite number"),
    "window": ({"sliding_window": -1}, "sliding_window is -1; use 0 to"),
    "alibi": ({"alibi_slopes": np.zeros(2, np.float32)}, "alibi_slopes has size 2 in axis 0 where num_heads is 6"),
    "sinks": ({"sinks": np.zeros((6, 1), np.float32)}, r"sinks has 2 axes.*\[num_heads\]"),
    "out_shape": ({"out": query_of((3, 6, 16))}, r"out has shape \(3, 6, 16\); use \(3, 6, 32\)"),
    "broadcast_query": (
        {"query": np.broadcast_to(query_of((1, 6, 32)), FITTING)},
        "query has rows of 768 bytes only 0",
    ),
    "inner_gap": (
        {"query": query_of((3, 6, 64))[:, :, ::2]},
        r"query has a gap .* pass numpy.ascontiguousarray\(query\)",
    ),
    "table_gap": (
        {"block_tables": np.zeros((3, 8), np.int32)[:, ::2]},
        "block_tables has a gap or another order in axis 1",
    ),
    "out_order": ({"out": np.zeros((32, 6, 3), np.float32).T}, "out has a gap or another order"),
}


@pytest.mark.parametrize("name", WRONG_INPUTS)
def test_wrong_input_is_one_clear_line(batch: SmallBatch, name: str) -> None:
    changes, message = WRONG_INPUTS[name]

    with pytest.raises(kvarium.InputError, match=message) as caught:
        call(batch, changes)

    assert "\n" not in str(caught.value)
    assert isinstance(caught.value, ValueError)


WRONG_TYPES = {
    "query": ({"query": query_of(FITTING, np.float64)}, "query has dtype float64; use float32, float16, or uint16"),
    "big_endian": ({"query": query_of(FITTING, ">f4")}, "query has dtype >f4"),
    "list": ({"seq_lens": [1, 2, 3]}, "seq_lens is a list; pass a NumPy array or a tensor that supports DLPack"),
    "long_table": ({"block_tables": np.zeros((3, 4), np.int64)}, "block_tables has dtype int64; use int32"),
    "long_lengths": ({"seq_lens": np.zeros(3, np.int64)}, "seq_lens has dtype int64; use int32"),
    "slopes": ({"alibi_slopes": np.zeros(6)}, "alibi_slopes has dtype float64; use float32"),
    "out": ({"out": query_of(FITTING, np.float16)}, "out has dtype float16; use float32"),
    "fp8": ({"kv_cache_dtype": "fp8_e4m3"}, "key_cache has dtype float32; use uint8"),
    "integer_cache": (
        {"key_cache": query_of((12, 2, 16, 32), np.int32), "value_cache": query_of((12, 2, 16, 32), np.int32)},
        "key_cache has dtype int32; use float32, float16, uint16 for bfloat16, or uint8",
    ),
    "unlike_caches": (
        {"value_cache": query_of((12, 2, 16, 32), np.float16)},
        "value_cache has dtype float16; use float32",
    ),
    "float_block_size": ({"block_size": 16.0}, "block_size is 16.0; pass an integer"),
    "text_scale": ({"scale": "loud"}, "scale is 'loud'; pass a number"),
}


@pytest.mark.parametrize("name", WRONG_TYPES)
def test_a_wrong_type_is_a_type_error(batch: SmallBatch, name: str) -> None:
    changes, message = WRONG_TYPES[name]

    with pytest.raises(TypeError, match=message):
        call(batch, changes)


def test_a_byte_cache_must_say_which_fp8_it_holds(batch: SmallBatch) -> None:
    codes = np.zeros(batch.keys.shape, np.uint8)

    with pytest.raises(kvarium.InputError, match="key_cache is uint8; say with kv_cache_dtype"):
        call(batch, {"key_cache": codes, "value_cache": codes})


@pytest.mark.parametrize("block", [-1, 12, 2**31 - 1])
def test_a_block_id_out_of_range_is_an_error_where_it_is_attended(batch: SmallBatch, block: int) -> None:
    batch.block_tables[2, 3] = block

    with pytest.raises(kvarium.InputError, match=rf"block_tables\[2, 3\] is {block}; use 0 to 11"):
        call(batch, {})


def test_a_block_id_past_the_sequences_end_may_be_anything(batch: SmallBatch) -> None:
    expected = call(batch, {})
    batch.block_tables[0, 3] = -5
    batch.block_tables[1] = 2**31 - 1

    np.testing.assert_array_equal(call(batch, {}), expected)


@pytest.mark.parametrize(("layout", "axis"), [("split_x", 3), ("split_x", 4), ("nhd", 3), ("packed", 3)])
def test_a_gap_in_a_dense_axis_of_the_cache_is_refused(batch: SmallBatch, layout: str, axis: int) -> None:
    key, value = build_cache(batch.keys, batch.values, layout)
    doubled = np.repeat(key, 2, axis)[tuple(slice(None, None, 2 if i == axis else 1) for i in range(key.ndim))]

    with pytest.raises(kvarium.InputError, match=f"key_cache has a gap or another order in axis {axis}"):
        call(batch, {"key_cache": doubled, "value_cache": value, "layout": layout})


def test_elements_across_their_alignment_are_refused(batch: SmallBatch) -> None:
    records = np.zeros(batch.query.size * 4 + 1, np.uint8)
    crooked = records[1:].view(np.float32).reshape(batch.query.shape)

    with pytest.raises(kvarium.InputError, match="query has elements that straddle their alignment"):
        call(batch, {"query": crooked})


def test_a_read_only_out_is_refused(batch: SmallBatch) -> None:
    out = np.zeros_like(batch.query)
    out.flags.writeable = False

    with pytest.raises(kvarium.InputError, match="out is read-only"):
        call(batch, {"out": out})


@pytest.mark.parametrize("head_size", [12, 264])
def test_an_unsupported_head_size_is_refused(head_size: int) -> None:
    cache = np.zeros((2, 1, 8, head_size), np.float32)

    with pytest.raises(kvarium.InputError, match=f"head_size {head_size} is not supported"):
        kvarium.paged_attention_v2(
            np.zeros((1, 1, head_size), np.float32),
            cache,
            cache,
            np.zeros((1, 1), np.int32),
            np.ones(1, np.int32),
            num_kv_heads=1,
            scale=1.0,
            block_size=8,
            layout="hnd",
        )


def test_a_split_cache_with_groups_of_another_size_is_refused() -> None:
    key, value = np.zeros((2, 1, 8, 8, 4), np.float16), np.zeros((2, 1, 32, 8), np.float16)

    with pytest.raises(kvarium.InputError, match=r"key_cache has size 8 in axis 2 where head_size/x is 4"):
        kvarium.paged_attention_v2(
            np.zeros((1, 1, 32), np.float16),
            key,
            value,
            np.zeros((1, 1), np.int32),
            np.ones(1, np.int32),
            num_kv_heads=1,
            scale=1.0,
            block_size=8,
        )


def test_states_of_unlike_shapes_do_not_merge() -> None:
    out, lse = np.zeros((2, 3, 8), np.float32), np.zeros((2, 3), np.float32)

    with pytest.raises(kvarium.InputError, match=r"right_out has shape \(2, 2, 8\); use \(2, 3, 8\)"):
        kvarium.merge_states(out, lse, np.zeros((2, 2, 8), np.float32), lse)
    with pytest.raises(kvarium.InputError, match=r"left_lse has shape \(6,\); use \(2, 3\)"):
        kvarium.merge_states(out, lse.ravel(), out, lse)
    with pytest.raises(TypeError, match="right_lse has dtype float64; use float32"):
        kvarium.merge_states(out, lse, out, lse.astype(float))


@pytest.mark.parametrize("name", ["query", "key_cache", "value_cache"])
def test_an_output_that_overlaps_an_input_is_refused(name: str) -> None:
    batch = SmallBatch()
    source = {"query": batch.query, "key_cache": batch.keys, "value_cache": batch.values}[name]
    before = source.copy()
    out = source.reshape(-1)[: np.prod(FITTING)].reshape(FITTING)

    with pytest.raises(kvarium.InputError, match=f"out overlaps {name}; pass memory of its own"):
        call(batch, {"out": out})

    assert np.array_equal(source, before)


def test_a_wrong_key_type_is_named_before_the_value_that_differs_from_it() -> None:
    batch = SmallBatch()

    with pytest.raises(TypeError, match="key_cache has dtype float64; use float32"):
        call(batch, {"key_cache": batch.keys.astype(np.float64)})


def test_a_kv_cache_dtype_that_is_no_text_is_refused_as_unknown() -> None:
    with pytest.raises(kvarium.InputError, match=r"unknown kv_cache_dtype \[\]; use auto"):
        call(SmallBatch(), {"kv_cache_dtype": []})


@pytest.mark.parametrize("sizes", [{"partition_size": 2**30}, {"block_n": 2**30}, {"partition_size": 2**31 - 16}])
def test_partitions_and_steps_longer_than_every_sequence_take_no_memory_for_it(sizes: dict[str, int]) -> None:
    batch = SmallBatch()

    assert np.array_equal(call(batch, sizes), call(batch, {"partition_size": 64, "block_n": 64}))
