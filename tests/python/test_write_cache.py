"""write_cache against plain indexing in NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from attention_cases import ELEMENT_TYPES, LAYOUTS, build_cache, decode, encode

import kvarium

NUM_BLOCKS, BLOCK_SIZE, NUM_KV_HEADS, HEAD_SIZE = 6, 16, 3, 32
SLOTS = np.array([5, -1, 95, 16, 47, -7], np.int64)


def new_tokens(element_type: str) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(11)
    shape = (len(SLOTS), NUM_KV_HEADS, HEAD_SIZE)
    small = [rng.integers(-8, 9, shape).astype(np.float32) for _ in range(2)]
    return encode(small[0], element_type), encode(small[1], element_type)


def expected_cells(tokens: np.ndarray, background: np.ndarray) -> np.ndarray:
    cells = background.copy()
    for slot, token in zip(SLOTS, tokens, strict=True):
        if slot >= 0:
            cells[slot // BLOCK_SIZE, :, slot % BLOCK_SIZE] = token
    return cells


@pytest.mark.parametrize("element_type", ELEMENT_TYPES)
@pytest.mark.parametrize("layout", LAYOUTS)
def test_tokens_go_to_their_slots_and_padding_nowhere(layout: str, element_type: str) -> None:
    key, value = new_tokens(element_type)
    shape = (NUM_BLOCKS, NUM_KV_HEADS, BLOCK_SIZE, HEAD_SIZE)
    background = [encode(np.full(shape, number, np.float32), element_type) for number in (99, -99)]
    cache = build_cache(*background, layout)

    kvarium.write_cache(key, value, *cache, SLOTS, block_size=BLOCK_SIZE, layout=layout)

    cells = expected_cells(key, background[0]), expected_cells(value, background[1])
    for actual, expected in zip(cache, build_cache(*cells, layout), strict=True):
        if expected is not None:
            np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize(("kv_cache_dtype", "codes"), [("fp8_e4m3", [0x38, 0x7E]), ("fp8_e5m2", [0x3C, 0x7B])])
def test_an_fp8_cache_stores_quotients_by_the_scale_and_saturates(kv_cache_dtype: str, codes: list[int]) -> None:
    key = np.full((2, 1, 16), 2.0, np.float32)
    key[1] = 1e9
    caches = np.zeros((1, 1, 16, 16), np.uint8), np.zeros((1, 1, 16, 16), np.uint8)

    kvarium.write_cache(
        key,
        key / 2,
        *caches,
        np.array([0, 1]),
        block_size=16,
        layout="hnd",
        kv_cache_dtype=kv_cache_dtype,
        k_scale=2.0,
        v_scale=1.0,
    )

    for cache in caches:
        np.testing.assert_array_equal(cache[0, 0, :2, 0], codes)


def test_elements_round_to_nearest_even_in_a_cache_of_another_type() -> None:
    key = np.array([[[1 + 2**-9, 1 + 3 * 2**-9, 1 + 2**-8, 1 + 3 * 2**-8, 0, 0, 0, 0]]], np.float32)
    cache = np.zeros((1, 1, 8, 16), np.uint16)

    kvarium.write_cache(key, key, cache, None, np.array([0]), block_size=8, layout="packed")

    expected = np.array([1, 1 + 2**-7, 1, 1 + 2**-6])
    np.testing.assert_array_equal(decode(cache[0, 0, 0, :4]), expected)


def test_a_slot_past_the_cache_is_an_error_and_nothing_is_written() -> None:
    tokens: Any = np.ones((2, 1, 8), np.float32)
    caches = np.zeros((1, 1, 8, 8), np.float32), np.zeros((1, 1, 8, 8), np.float32)

    with pytest.raises(kvarium.InputError, match=r"slot_mapping\[1\] is 8; use 0 to 7"):
        kvarium.write_cache(tokens, tokens, *caches, np.array([0, 8]), block_size=8, layout="hnd")

    assert not caches[0].any() and not caches[1].any()
