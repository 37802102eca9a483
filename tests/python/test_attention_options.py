"""Options of paged_attention_v2 that the vectors do not cover: sinks, fp8 with scales, empty batches, merging."""

from __future__ import annotations

import inspect
import typing
from typing import Any

import numpy as np
import pytest
from attention_cases import LAYOUTS, build_cache, encode
from small_batch import HEAD_SIZE, NUM_HEADS, NUM_KV_HEADS, OPTIONS, SmallBatch

import kvarium
from kvarium.attention_options import AttentionOptions


def attend(
    batch: SmallBatch, query: np.ndarray, cache: tuple[Any, Any], **options: Any
) -> tuple[np.ndarray, np.ndarray]:
    return kvarium.paged_attention_v2(
        query, *cache, batch.block_tables, batch.seq_lens, return_lse=True, **OPTIONS, **options
    )


def test_attention_equals_a_plain_softmax_in_numpy(batch: SmallBatch) -> None:
    out, lse = attend(batch, batch.query, build_cache(batch.keys, batch.values, "hnd"), layout="hnd")

    expected, expected_lse = batch.dense_attention()
    np.testing.assert_allclose(out, expected, rtol=1e-5, atol=1e-6)
    np.testing.assert_allclose(lse, expected_lse, rtol=1e-5, atol=1e-6)


def test_sinks_weigh_in_the_sum_and_in_the_log_sum_exp(batch: SmallBatch) -> None:
    cache = build_cache(batch.keys, batch.values, "hnd")
    sinks = np.linspace(-1, 2, NUM_HEADS, dtype=np.float32)

    out, lse = attend(batch, batch.query, cache, layout="hnd")
    out_with, lse_with = attend(batch, batch.query, cache, layout="hnd", sinks=sinks)

    live = batch.seq_lens > 0
    np.testing.assert_allclose(lse_with[live], np.logaddexp(lse[live], sinks), rtol=1e-5)
    factor = np.exp(lse[live] - lse_with[live])[..., None]
    np.testing.assert_allclose(out_with[live], out[live] * factor, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_an_fp8_cache_is_read_with_its_scales(batch: SmallBatch, layout: str) -> None:
    # The upper byte of a float16 is an e5m2 number.
    codes = [(cells.astype(np.float16).view(np.uint16) >> 8).astype(np.uint8) for cells in (batch.keys, batch.values)]
    exact = [(code.astype(np.uint16) << 8).view(np.float16).astype(np.float32) for code in codes]

    fp8, fp8_lse = attend(
        batch,
        batch.query,
        build_cache(*codes, layout),
        layout=layout,
        kv_cache_dtype="fp8_e5m2",
        k_scale=0.5,
        v_scale=4.0,
    )
    plain, plain_lse = attend(batch, batch.query, build_cache(exact[0] * 0.5, exact[1] * 4.0, layout), layout=layout)

    np.testing.assert_allclose(fp8, plain, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(fp8_lse, plain_lse, rtol=1e-5, atol=1e-5)


def test_a_batch_without_sequences_gives_an_empty_result(batch: SmallBatch) -> None:
    cache = build_cache(batch.keys, batch.values, "nhd")
    query = np.empty((0, NUM_HEADS, HEAD_SIZE), np.float32)

    out = kvarium.paged_attention_v2(
        query, *cache, np.empty((0, 4), np.int32), np.empty(0, np.int32), layout="nhd", **OPTIONS
    )

    assert out.shape == query.shape


def test_query_and_cache_may_differ_in_type(batch: SmallBatch) -> None:
    cache = build_cache(encode(batch.keys.astype(np.float16), "float16"), batch.values.astype(np.float16), "hnd")
    exact = build_cache(
        batch.keys.astype(np.float16).astype(np.float32), batch.values.astype(np.float16).astype(np.float32), "hnd"
    )

    mixed, _ = attend(batch, batch.query, cache, layout="hnd")
    same, _ = attend(batch, batch.query, exact, layout="hnd")

    np.testing.assert_allclose(mixed, same, rtol=1e-5, atol=1e-6)


def test_merging_two_windows_equals_attending_all_tokens(batch: SmallBatch) -> None:
    cache = build_cache(batch.keys, batch.values, "hnd")
    whole, whole_lse = attend(batch, batch.query, cache, layout="hnd")
    first_lens = np.minimum(batch.seq_lens, 16).astype(np.int32)
    arguments = (batch.query, *cache)
    first = kvarium.paged_attention_v2(
        *arguments, batch.block_tables, first_lens, layout="hnd", return_lse=True, **OPTIONS
    )
    rest_tables = np.ascontiguousarray(batch.block_tables[:, 1:])
    rest = kvarium.paged_attention_v2(
        *arguments, rest_tables, batch.seq_lens - first_lens, layout="hnd", return_lse=True, **OPTIONS
    )

    out, lse = kvarium.merge_states(*first, *rest)

    np.testing.assert_allclose(out, whole, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(lse, whole_lse, rtol=1e-5, atol=1e-6)


def test_merging_two_empty_states_gives_zeros_and_minus_infinity() -> None:
    garbage, empty = np.full((3, 8), np.nan, np.float32), np.full(3, -np.inf, np.float32)

    out, lse = kvarium.merge_states(garbage, empty, garbage, empty)

    np.testing.assert_array_equal(out, np.zeros((3, 8)))
    np.testing.assert_array_equal(lse, empty)


def test_variants_say_what_they_promise() -> None:
    variants = kvarium.attention_variants()

    assert {"host", "host_reference"} <= set(variants)
    assert variants["host"].device == "cpu" and variants["host"].batch_invariant and variants["host"].uses_block_n
    assert not variants["host_reference"].uses_block_n
    assert NUM_HEADS % NUM_KV_HEADS == 0


def test_type_checkers_know_every_option_of_the_function_and_which_are_required() -> None:
    keywords = {
        name: parameter
        for name, parameter in inspect.signature(kvarium.paged_attention_v2).parameters.items()
        if parameter.kind is inspect.Parameter.KEYWORD_ONLY and name != "return_lse"
    }
    hints = typing.get_type_hints(AttentionOptions, include_extras=True)

    assert list(hints) == list(keywords)
    for name, parameter in keywords.items():
        is_required = typing.get_origin(hints[name]) is typing.Required
        assert is_required == (parameter.default is inspect.Parameter.empty)
    assert typing.get_type_hints(kvarium.paged_attention_v2).items() >= typing.get_type_hints(AttentionOptions).items()
