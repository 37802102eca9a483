"""What layers_checksum, weighted_sum and write_cache refuse, and how clearly they say so."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from checksum_cases import address
from numpy.lib.stride_tricks import as_strided

import kvarium

PIECES = np.zeros((4, 2, 3, 8, 5), np.uint32)
CELLS = np.zeros((4, 2, 16, 32), np.float16)
ONES = np.ones(1, np.int64)


def sum_pieces(changes: dict[str, Any]) -> None:
    arguments: dict[str, Any] = {
        "pieces": [PIECES],
        "layers": np.array([[0, 0, 0]]),
        "block_ids": ONES,
        "first_tokens": ONES,
        "valid_tokens": ONES,
        "out": np.zeros((1, 2), np.uint64),
        "aligned": False,
    }
    kvarium.layers_checksum(**(arguments | changes))


WRONG_INPUTS = {
    "no_layers": ({"pieces": []}, "pieces is an empty list"),
    "too_few_arrays": ({"layers": np.zeros((2, 3), np.int64)}, "pieces lists 1 arrays but layers has 2 rows"),
    "other_address": ({"layers": np.array([[16, 0, 0]])}, r"layers\[0, 0\] is 16 but pieces\[0\] lies at \d+"),
    "axes": ({"pieces": [PIECES[0]]}, r"pieces\[0\] has 4 axes.*kernel_blocks, heads, tokens, pieces\]"),
    "unlike": (
        {"pieces": [PIECES, PIECES[:, :1]], "layers": np.zeros((2, 3), np.int64)},
        r"pieces\[1\] has shape .* laid out alike",
    ),
    "columns": ({"layers": np.array([[0, 0, 2]])}, r"layers\[0\] adds to column 2; out has columns 0 to 1"),
    "layers_width": ({"layers": np.zeros((1, 2), np.int64)}, "layers has size 2 in axis 1 where columns is 3"),
    "heads": ({"layers": np.array([[0, 65534, 0]])}, r"layers\[0\] has head 65534 and the view 3 heads"),
    "negative_head": ({"layers": np.array([[0, -1, 0]])}, r"layers\[0\] has first head -1"),
    "block": ({"block_ids": np.array([4])}, r"block_ids\[0\] is 4; use 0 to 3"),
    "negative_block": ({"block_ids": np.array([-1])}, r"block_ids\[0\] is -1; use 0 to 3"),
    "first_token": ({"first_tokens": np.array([-1])}, r"first_tokens\[0\] is -1; use 0 or more"),
    "rows": ({"valid_tokens": np.ones(2, np.int64)}, "valid_tokens has size 2 in axis 0 where n is 1"),
    "out_rows": ({"out": np.zeros((2, 2), np.uint64)}, "out has size 2 in axis 0 where n is 1"),
    "out_axes": ({"out": np.zeros(1, np.uint64)}, r"out has 1 axes.*\[n, num_columns\]"),
    "out_columns": ({"out": np.zeros((1, 4), np.uint64)[:, ::2]}, "out has a gap or another order in axis 1"),
}


@pytest.mark.parametrize("name", WRONG_INPUTS)
def test_wrong_input_is_one_clear_line(name: str) -> None:
    changes, message = WRONG_INPUTS[name]

    with pytest.raises(kvarium.InputError, match=message) as caught:
        sum_pieces(changes)

    assert "\n" not in str(caught.value)


WRONG_TYPES = {
    "pieces": ({"pieces": [PIECES.astype(np.float32)]}, r"pieces\[0\] has dtype float32; use integers"),
    "swapped": ({"pieces": [PIECES.astype(">u4")]}, r"pieces\[0\] has dtype >u4"),
    "layers": ({"layers": np.zeros((1, 3), np.int32)}, "layers has dtype int32; use int64"),
    "block_ids": ({"block_ids": np.ones(1, np.int32)}, "block_ids has dtype int32; use int64"),
    "out": ({"out": np.zeros((1, 1), np.uint32)}, "out has dtype uint32; use int64 or uint64"),
}


@pytest.mark.parametrize("name", WRONG_TYPES)
def test_a_wrong_type_is_a_type_error(name: str) -> None:
    changes, message = WRONG_TYPES[name]

    with pytest.raises(TypeError, match=message):
        sum_pieces(changes)


def test_alignment_is_checked_not_trusted() -> None:
    memory = np.zeros(PIECES.size + 8, np.uint32)
    crooked = memory[1:] if address(memory) % 16 == 0 else memory
    pieces = crooked[: PIECES.size].reshape(PIECES.shape)

    sum_pieces({"pieces": [pieces], "aligned": False})
    with pytest.raises(kvarium.InputError, match=r"layers\[0\] is not at a 16-byte aligned address"):
        sum_pieces({"pieces": [pieces], "aligned": True})


@pytest.mark.parametrize("stride", [0, 8])
def test_rows_of_out_that_overlap_are_refused(stride: int) -> None:
    out = as_strided(np.zeros((4, 2), np.uint64), shape=(3, 2), strides=(stride, 8))
    rows = np.zeros(3, np.int64)

    with pytest.raises(kvarium.InputError, match=f"out has rows {stride} bytes apart that overlap"):
        sum_pieces({"out": out, "block_ids": rows, "first_tokens": rows, "valid_tokens": rows})


def test_a_read_only_out_is_refused() -> None:
    out = np.zeros((1, 1), np.uint64)
    out.flags.writeable = False

    with pytest.raises(kvarium.InputError, match="out is read-only"):
        sum_pieces({"out": out})


def sum_cells(changes: dict[str, Any]) -> None:
    arguments: dict[str, Any] = {
        "key_cache": CELLS,
        "value_cache": CELLS,
        "block_ids": ONES,
        "first_tokens": ONES,
        "valid_tokens": ONES,
        "layout": "hnd",
    }
    kvarium.weighted_sum(**(arguments | changes))


WRONG_CELL_INPUTS = {
    "piece_width": ({"piece_width": 3}, "piece width is 3 bytes; use 1, 2, 4 or 8"),
    "layer": ({"layer": -1}, "layer is -1; use 0 to"),
    "large_layer": ({"layer": 2**60}, "layer is 1152921504606846976; use 0 to 2\\^44"),
    "heads": ({"first_head": 65535}, "first_head 65535 and the 2 heads from it on pass 65535"),
    "block": ({"block_ids": np.array([4])}, r"block_ids\[0\] is 4; use 0 to 3"),
    "position": ({"first_tokens": np.array([2**62])}, r"first_tokens\[0\] is \d+; use 0 to 2\^61"),
    "value_shape": ({"value_cache": CELLS[:3]}, "value_cache has size 3 in axis 0 where num_blocks is 4"),
    "block_size": ({"key_cache": CELLS[:, :, :15], "value_cache": CELLS[:, :, :15]}, "block_size 15 is not supported"),
    "odd_row": (
        {"key_cache": CELLS[..., :31], "value_cache": None, "layout": "packed"},
        "size 31 in axis 3 where 2.head_size is 30",
    ),
}


@pytest.mark.parametrize("name", WRONG_CELL_INPUTS)
def test_wrong_cells_are_one_clear_line(name: str) -> None:
    changes, message = WRONG_CELL_INPUTS[name]

    with pytest.raises(kvarium.InputError, match=message):
        sum_cells(changes)


def write(changes: dict[str, Any]) -> None:
    arguments: dict[str, Any] = {
        "key": np.zeros((3, 2, 32), np.float16),
        "value": np.zeros((3, 2, 32), np.float16),
        "key_cache": CELLS.copy(),
        "value_cache": CELLS.copy(),
        "slot_mapping": np.arange(3),
        "block_size": 16,
        "layout": "hnd",
    }
    kvarium.write_cache(**(arguments | changes))


ONE_CACHE = CELLS.copy()
READ_ONLY = np.broadcast_to(CELLS[:1], CELLS.shape)
WRONG_TOKENS = {
    "one_cache": ({"key_cache": ONE_CACHE, "value_cache": ONE_CACHE}, "key_cache and value_cache are the same memory"),
    "key_axes": ({"key": np.zeros((3, 64), np.float16)}, r"key has 2 axes.*\[num_tokens, num_kv_heads, head_size\]"),
    "value_shape": ({"value": np.zeros((2, 2, 32), np.float16)}, "value has size 2 in axis 0 where num_tokens is 3"),
    "slots": ({"slot_mapping": np.arange(2)}, "slot_mapping has size 2 in axis 0 where num_tokens is 3"),
    "heads": (
        {"key": np.zeros((3, 1, 32), np.float16), "value": np.zeros((3, 1, 32), np.float16)},
        "key_cache has size 2 in axis 1 where num_kv_heads is 1",
    ),
    "key_gap": ({"key": np.zeros((3, 4, 32), np.float16)[:, ::2]}, "key has a gap or another order in axis 1"),
    "read_only": ({"value_cache": READ_ONLY}, "value_cache is read-only"),
    "block_size": ({"block_size": 8}, "key_cache has size 16 in axis 2 where block_size is 8"),
}


@pytest.mark.parametrize("name", WRONG_TOKENS)
def test_wrong_new_tokens_are_one_clear_line(name: str) -> None:
    changes, message = WRONG_TOKENS[name]

    with pytest.raises(kvarium.InputError, match=message):
        write(changes)


def test_slots_of_another_type_are_a_type_error() -> None:
    with pytest.raises(TypeError, match="slot_mapping has dtype int32; use int64"):
        write({"slot_mapping": np.arange(3, dtype=np.int32)})
    with pytest.raises(TypeError, match="value has dtype float32; use float16"):
        write({"value": np.zeros((3, 2, 32), np.float32)})


def test_sums_that_overlap_what_is_summed_are_refused() -> None:
    pieces = np.zeros((4, 2, 3, 8, 5), np.uint64)

    with pytest.raises(kvarium.InputError, match=r"out overlaps pieces\[0\]; pass memory of its own"):
        sum_pieces({"pieces": [pieces], "out": pieces.reshape(-1)[:2].reshape(1, 2)})
