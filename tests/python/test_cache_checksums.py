from __future__ import annotations

import zlib
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import kvarium

NUM_LAYERS, NUM_BLOCKS, NUM_KV_HEADS, BLOCK_SIZE, HEAD_SIZE = 3, 5, 2, 16, 8
SHAPE = (NUM_BLOCKS, NUM_KV_HEADS, BLOCK_SIZE, HEAD_SIZE)  # of layout hnd
BLOCKS = np.array([4, 1, 0])
FIRST = np.array([0, 16, 32])
VALID = np.array([16, 16, 5])


def layers(seed: int) -> list[NDArray[np.float16]]:
    random = np.random.default_rng(seed)
    return [random.standard_normal(SHAPE).astype(np.float16) for _ in range(NUM_LAYERS)]


KEYS, VALUES = layers(1), layers(2)
CACHE = kvarium.LayeredCache(KEYS, VALUES, layout="hnd", first_layer=7)


def cells(row: int) -> bytes:
    """The valid cells of a row by layer, head and token, K before V in each."""
    parts = []
    for key, value in zip(KEYS, VALUES, strict=True):
        both = np.concatenate([key[BLOCKS[row]], value[BLOCKS[row]]], axis=-1)
        parts.append(both[:, : VALID[row]].tobytes())
    return b"".join(parts)


@pytest.mark.parametrize(("family", "reference"), [("crc32", zlib.crc32), ("adler32", zlib.adler32)])
def test_byte_hashes_equal_zlib_over_the_cells_of_all_layers(family: str, reference: Any) -> None:
    found = kvarium.checksum(family, CACHE, BLOCKS, FIRST, VALID)

    assert found[:, 0].tolist() == [reference(cells(row)) for row in range(len(BLOCKS))]


@pytest.mark.parametrize("piece_width", [8, 4])
def test_weighted_sum_is_the_sum_of_the_layers_own(piece_width: int) -> None:
    found = kvarium.checksum("weighted_sum", CACHE, BLOCKS, FIRST, VALID, piece_width=piece_width)

    expected = sum(
        kvarium.weighted_sum(
            key, value, BLOCKS, FIRST, VALID, layout="hnd", layer=7 + layer, piece_width=piece_width
        ).astype(object)
        for layer, (key, value) in enumerate(zip(KEYS, VALUES, strict=True))
    )
    assert found[:, 0].tolist() == [int(value) % 2**64 for value in expected]


@pytest.mark.parametrize("traits", kvarium.checksum_families(), ids=lambda traits: traits.name)
def test_every_family_sums_every_row_and_says_what_it_is(traits: kvarium.ChecksumTraits) -> None:
    found = kvarium.checksum(traits.name, CACHE, BLOCKS, FIRST, VALID)

    assert found.dtype == np.uint64
    assert found.shape[0] == len(BLOCKS)
    assert traits.description and "zero_means_absent" in traits.settings
    alone = kvarium.checksum(traits.name, CACHE, BLOCKS[1:2], FIRST[1:2], VALID[1:2])
    np.testing.assert_array_equal(alone[0], found[1])


def test_the_canary_binds_token_ids() -> None:
    token_ids = np.arange(3 * BLOCK_SIZE).reshape(3, BLOCK_SIZE)

    found = kvarium.checksum("kv_canary", CACHE, BLOCKS, FIRST, VALID, token_ids=token_ids, canary_data="none")

    slots = found[0].reshape(BLOCK_SIZE, 4)
    assert slots[:, 0].tolist() == list(range(BLOCK_SIZE))
    assert slots[:, 1].tolist() == list(range(BLOCK_SIZE))


WRONG_INPUTS = {
    "family": (("crc", {}), "unknown checksum family 'crc'; use one of"),
    "setting": (("crc32", {"piece_width": 4}), "checksum 'crc32' takes no 'piece_width'"),
    "byte_order": (("crc32", {"byte_order": "row"}), "unknown byte_order 'row'; use one of cell, memory"),
    "width": (("weighted_sum", {"piece_width": 3}), "piece width is 3 bytes"),
    "canary": (("kv_canary", {"canary_data": "some"}), "unknown canary_data 'some'"),
}


@pytest.mark.parametrize("name", WRONG_INPUTS)
def test_a_wrong_family_or_setting_is_named(name: str) -> None:
    (family, settings), words = WRONG_INPUTS[name]
    arguments: dict[str, Any] = settings

    with pytest.raises(kvarium.InputError, match=words):
        kvarium.checksum(family, CACHE, BLOCKS, FIRST, VALID, **arguments)


def test_a_block_outside_the_cache_is_refused() -> None:
    with pytest.raises(kvarium.InputError, match=r"block_ids\[1\] is 5; use 0 to 4"):
        kvarium.checksum("crc32", CACHE, np.array([0, 5]), FIRST[:2], VALID[:2])


def test_rows_of_another_type_or_number_are_refused() -> None:
    with pytest.raises(TypeError, match="first_tokens has dtype int32"):
        kvarium.checksum("crc32", CACHE, BLOCKS, FIRST.astype(np.int32), VALID)
    with pytest.raises(kvarium.InputError, match="valid_tokens has size 2 in axis 0 where num_rows is 3"):
        kvarium.checksum("crc32", CACHE, BLOCKS, FIRST, VALID[:2])
    with pytest.raises(kvarium.InputError, match="token_ids has size 8 in axis 1 where block_size is 16"):
        kvarium.checksum("crc32", CACHE, BLOCKS, FIRST, VALID, token_ids=np.zeros((3, 8), np.int64))


def test_layers_that_are_not_alike_are_refused() -> None:
    with pytest.raises(kvarium.InputError, match=r"key_caches\[1\] has shape"):
        kvarium.LayeredCache([KEYS[0], KEYS[1][:3]], [VALUES[0], VALUES[1][:3]], layout="hnd")
    with pytest.raises(kvarium.InputError, match="3 key caches and 1 value caches"):
        kvarium.LayeredCache(KEYS, VALUES[:1], layout="hnd")
