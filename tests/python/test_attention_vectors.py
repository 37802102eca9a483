"""paged_attention_v2 against the published vectors."""

from __future__ import annotations

import numpy as np
import pytest
from attention_cases import (
    ELEMENT_TYPES,
    LAYOUTS,
    TOLERANCES,
    build_cache,
    case_names,
    encode,
    read_case,
    worst_relative_error,
)

import kvarium


def partition_sizes(seq_lens: np.ndarray) -> list[int]:
    """64, 512 and one beyond the longest sequence, all multiples of every block size."""
    return [64, 512, (int(seq_lens.max()) // 256 + 1) * 256]


def test_the_vector_file_holds_eight_cases() -> None:
    assert len(case_names()) == 8


@pytest.mark.parametrize("element_type", ELEMENT_TYPES)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("variant", ["host", "host_reference"])
@pytest.mark.parametrize("name", case_names())
def test_attention_reproduces_the_vector_in_every_layout_type_and_partition_size(
    name: str, variant: str, layout: str, element_type: str
) -> None:
    case = read_case(name)
    cache = build_cache(encode(case.keys, element_type), encode(case.values, element_type), layout)
    query = encode(case.query, element_type)

    for partition_size in partition_sizes(case.seq_lens):
        out, lse = kvarium.paged_attention_v2(
            query,
            *cache,
            case.block_tables,
            case.seq_lens,
            layout=layout,
            variant=variant,
            partition_size=partition_size,
            return_lse=True,
            **case.options,
        )

        assert out.shape == query.shape and out.dtype == query.dtype
        assert worst_relative_error(out, case.expected_output) <= TOLERANCES[element_type]
        np.testing.assert_allclose(lse, case.expected_lse, rtol=1e-5, atol=1e-5)


def test_the_defaults_are_the_host_family_with_partitions_of_512_and_steps_of_64() -> None:
    case = read_case("gqa4_d128_b16_edges")
    arrays = (case.query, *build_cache(case.keys, case.values, "split_x"), case.block_tables, case.seq_lens)

    default = kvarium.paged_attention_v2(*arrays, **case.options)
    explicit = kvarium.paged_attention_v2(
        *arrays, variant="host", layout="split_x", partition_size=512, block_n=64, **case.options
    )

    np.testing.assert_array_equal(default, explicit)


def test_an_explicit_partition_size_and_block_n_bind() -> None:
    case = read_case("gqa8_d128_b32_long")
    arrays = (
        case.query.astype(np.float32),
        *build_cache(case.keys.astype(np.float32), case.values.astype(np.float32), "hnd"),
        case.block_tables,
        case.seq_lens,
    )
    runs = [
        kvarium.paged_attention_v2(*arrays, layout="hnd", partition_size=size, block_n=step, **case.options)
        for size, step in [(512, 64), (64, 64), (512, 16)]
    ]

    # Sums in another order differ in the last bits.
    assert not np.array_equal(runs[0], runs[1])
    assert not np.array_equal(runs[0], runs[2])
