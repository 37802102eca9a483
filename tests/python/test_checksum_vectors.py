"""layers_checksum and weighted_sum against the published vectors, bit for bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from attention_cases import LAYOUTS, build_cache
from checksum_cases import (
    address,
    case_cells,
    layer_table,
    layer_views,
    piece_dtype,
    read_cases,
    row_arrays,
    sums,
)

import kvarium

VIEWS = {case["name"]: case for case in read_cases("views")}
CELLS = {case["name"]: case for case in read_cases("cells")}


def test_the_vector_file_holds_26_views_and_12_cell_cases() -> None:
    assert (len(VIEWS), len(CELLS)) == (26, 12)


@pytest.mark.parametrize("out_type", [np.uint64, np.int64])
@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize("name", VIEWS)
def test_a_list_of_layers_gives_the_vector_with_addresses_given_or_left_out(
    name: str, signed: bool, out_type: type[np.generic]
) -> None:
    case = VIEWS[name]
    views = layer_views(case, piece_dtype(case, signed))

    for addresses in ([0] * len(views), [address(view) for view in views]):
        out = sums(case, "out_initial", out_type)
        kvarium.layers_checksum(views, layer_table(case, addresses), *row_arrays(case), out, False)

        np.testing.assert_array_equal(out, sums(case, "out_expected", out_type))


@pytest.mark.parametrize("name", VIEWS)
def test_one_array_and_the_addresses_of_its_sister_layers_give_the_vector(name: str) -> None:
    case = VIEWS[name]
    views = layer_views(case, piece_dtype(case, False))
    out = sums(case, "out_initial", np.uint64)

    kvarium.layers_checksum(
        views[0], layer_table(case, [0, *map(address, views[1:])]), *row_arrays(case), out, aligned=False
    )

    np.testing.assert_array_equal(out, sums(case, "out_expected", np.uint64))


@pytest.mark.parametrize("axis", range(5))
def test_negative_strides_mirror_an_axis(axis: int) -> None:
    rng = np.random.default_rng(axis)
    mirrored = np.flip(rng.integers(0, 2**32, (3, 2, 4, 8, 5), dtype=np.uint32), axis)
    assert min(mirrored.strides) < 0
    rows = np.array([2, 0]), np.array([7, 100]), np.array([16, 11])
    layers = np.array([[0, 65536 + 3, 0]])
    actual, expected = np.zeros((2, 1), np.uint64), np.zeros((2, 1), np.uint64)

    kvarium.layers_checksum([mirrored], layers, *rows, actual, False)
    kvarium.layers_checksum([mirrored.copy()], layers, *rows, expected, False)

    np.testing.assert_array_equal(actual, expected)
    assert actual.all()


def cell_options(case: dict[str, Any], layout: str) -> dict[str, Any]:
    """Options of weighted_sum for a cell case."""
    options = {"layout": layout, "piece_width": case["piece_bytes"]} | {k: case[k] for k in ("layer", "first_head")}
    return options | ({"kv_cache_dtype": "fp8_e4m3"} if case["element_bytes"] == 1 else {})


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", CELLS)
def test_weighted_sum_gives_the_vector_in_every_layout(name: str, layout: str) -> None:
    case = CELLS[name]
    if layout == "split_x" and case["head_size"] * case["element_bytes"] % 16:
        pytest.skip("split_x has no such head size")
    cache = build_cache(*case_cells(case), layout)

    values = kvarium.weighted_sum(*cache, *row_arrays(case), **cell_options(case, layout))

    assert values.dtype == np.uint64
    assert [f"0x{value:016x}" for value in values] == case["expected"]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_any_number_of_valid_tokens_past_the_block_means_the_whole_block(layout: str) -> None:
    case = next(case for case in CELLS.values() if case["head_size"] * case["element_bytes"] % 16 == 0)
    cache = build_cache(*case_cells(case), layout)
    block_ids, first_tokens, _ = row_arrays(case)

    sums_of = [
        kvarium.weighted_sum(
            *cache, block_ids, first_tokens, np.full(len(block_ids), valid), **cell_options(case, layout)
        )
        for valid in (case["block_size"], case["block_size"] + 1, 2**63 - 1)
    ]

    np.testing.assert_array_equal(sums_of[1], sums_of[0])
    np.testing.assert_array_equal(sums_of[2], sums_of[0])


@pytest.mark.parametrize("piece_width", [1, 2, 4, 8])
def test_halves_of_the_heads_add_up_to_the_whole(piece_width: int) -> None:
    cells = np.random.default_rng(5).integers(0, 2**16, (2, 3, 4, 16, 64), dtype=np.uint16)
    rows = np.array([1, 2]), np.array([0, 48]), np.array([16, 9])
    options: dict[str, Any] = {"layout": "hnd", "piece_width": piece_width, "layer": 5}

    whole = kvarium.weighted_sum(*cells, *rows, **options)
    halves = [
        kvarium.weighted_sum(*cells[:, :, first : first + 2], *rows, first_head=first, **options) for first in (0, 2)
    ]

    np.testing.assert_array_equal(whole, halves[0] + halves[1])
