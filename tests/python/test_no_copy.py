"""Arrays cross without a copy: NumPy views of any outer strides, and tensors through DLPack."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from attention_cases import LAYOUTS, build_cache
from checksum_cases import address
from numpy.typing import NDArray
from small_batch import HEAD_SIZE, NUM_HEADS, OPTIONS, SmallBatch

import kvarium
from kvarium.arrays import as_numpy


class ForeignTensor:
    """A host tensor of some other library: nothing but DLPack."""

    def __init__(self, array: NDArray[Any], device: int = 1) -> None:
        self.array = array
        self.device = device

    def __dlpack__(self, **options: Any) -> Any:
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self.device, 0


def spread(array: NDArray[Any], free_axes: int) -> NDArray[Any]:
    """Copy into a larger array so that every one of the first axes has a gap of its own."""
    shape = [size + 1 if axis < free_axes else size for axis, size in enumerate(array.shape)]
    inner = np.zeros(shape, array.dtype)[tuple(slice(0, size) for size in array.shape)]
    inner[...] = array
    return inner


def attend(batch: SmallBatch, query: Any, cache: tuple[Any, Any], **options: Any) -> Any:
    return kvarium.paged_attention_v2(query, *cache, batch.block_tables, batch.seq_lens, **OPTIONS, **options)


@pytest.mark.parametrize("variant", ["host", "host_reference"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_outer_strides_of_caches_are_free(batch: SmallBatch, layout: str, variant: str) -> None:
    key, value = build_cache(batch.keys, batch.values, layout)
    free_key_axes = 3 if layout == "split_x" else 4
    gapped = spread(key, free_key_axes - 1), None if value is None else spread(value, 3)
    assert not gapped[0].flags.c_contiguous

    dense = attend(batch, batch.query, (key, value), layout=layout, variant=variant)
    strided = attend(batch, batch.query, gapped, layout=layout, variant=variant)

    np.testing.assert_array_equal(strided, dense)


def test_keys_and_values_may_share_one_allocation(batch: SmallBatch) -> None:
    both = np.stack([batch.keys, batch.values], axis=1)

    shared = attend(batch, batch.query, (both[:, 0], both[:, 1]), layout="hnd")

    np.testing.assert_array_equal(shared, attend(batch, batch.query, (batch.keys, batch.values), layout="hnd"))


def test_blocks_may_run_backwards(batch: SmallBatch) -> None:
    backwards = np.flip(batch.keys, 0).copy()[::-1], np.flip(batch.values, 0).copy()[::-1]
    assert backwards[0].strides[0] < 0

    mirrored = attend(batch, batch.query, backwards, layout="hnd")

    np.testing.assert_array_equal(mirrored, attend(batch, batch.query, (batch.keys, batch.values), layout="hnd"))


def test_the_query_may_be_a_slice_of_a_fused_projection(batch: SmallBatch) -> None:
    fused = np.zeros((3, NUM_HEADS + 4, HEAD_SIZE), np.float32)
    fused[:, :NUM_HEADS] = batch.query
    cache = batch.keys, batch.values

    sliced = attend(batch, fused[:, :NUM_HEADS], cache, layout="hnd")

    np.testing.assert_array_equal(sliced, attend(batch, batch.query, cache, layout="hnd"))


def test_the_result_lies_in_the_array_that_was_given(batch: SmallBatch) -> None:
    out = np.full_like(batch.query, np.nan)

    result = attend(batch, batch.query, (batch.keys, batch.values), layout="hnd", out=out)

    assert result is out
    np.testing.assert_array_equal(out, attend(batch, batch.query, (batch.keys, batch.values), layout="hnd"))


def test_a_change_under_a_view_changes_the_result(batch: SmallBatch) -> None:
    memory = np.zeros(2 * batch.keys.size, np.float32)
    cache = tuple(half.reshape(batch.keys.shape) for half in np.split(memory, 2))
    tensors = ForeignTensor(cache[0]), ForeignTensor(cache[1])
    assert not attend(batch, batch.query, tensors, layout="hnd").any()

    memory[:] = np.concatenate([batch.keys.ravel(), batch.values.ravel()])

    expected = attend(batch, batch.query, (batch.keys, batch.values), layout="hnd")
    np.testing.assert_array_equal(attend(batch, batch.query, tensors, layout="hnd"), expected)


def test_a_tensor_is_viewed_at_its_own_address() -> None:
    array = np.arange(24, dtype=np.uint16).reshape(4, 6)[1:, ::2]

    viewed = as_numpy("query", ForeignTensor(array))

    assert address(viewed) == address(array)
    assert (viewed.shape, viewed.strides, viewed.dtype) == (array.shape, array.strides, array.dtype)
    assert as_numpy("query", array) is array


def test_every_argument_may_be_a_foreign_tensor(batch: SmallBatch) -> None:
    out = np.empty_like(batch.query)
    arrays = (batch.query, batch.keys, batch.values, batch.block_tables, batch.seq_lens)
    tensor = ForeignTensor(out)

    result = kvarium.paged_attention_v2(*map(ForeignTensor, arrays), layout="hnd", out=tensor, **OPTIONS)

    assert result is tensor
    np.testing.assert_array_equal(out, attend(batch, batch.query, (batch.keys, batch.values), layout="hnd"))


def test_write_cache_writes_into_a_foreign_tensor() -> None:
    key_cache, value_cache = np.zeros((2, 4, 16, 8), np.float32), np.zeros((2, 4, 16, 8), np.float32)
    new = np.ones((1, 4, 8), np.float32)

    kvarium.write_cache(
        new, 2 * new, ForeignTensor(key_cache), ForeignTensor(value_cache), np.array([17]), block_size=16, layout="hnd"
    )

    assert key_cache[1, :, 1].all() and key_cache.sum() == 32 and value_cache.sum() == 64


def test_memory_of_another_kind_of_device_is_refused(batch: SmallBatch) -> None:
    on_device = ForeignTensor(batch.query, device=10)

    with pytest.raises(kvarium.NotConfigured, match="query lies in the memory of a device that is not CUDA's"):
        attend(batch, on_device, (batch.keys, batch.values), layout="hnd")


def test_checksums_add_into_rows_that_lie_apart() -> None:
    pieces = np.arange(3 * 16 * 4, dtype=np.uint64).reshape(3, 1, 1, 16, 4)
    rows = np.array([0, 2, 1]), np.zeros(3, np.int64), np.full(3, 16)
    layers, memory = np.array([[0, 0, 1]]), np.zeros((3, 5), np.uint64)
    dense = np.zeros((3, 2), np.uint64)

    kvarium.layers_checksum(pieces, layers, *rows, memory[:, 1:3], False)
    kvarium.layers_checksum(pieces, layers, *rows, dense, False)

    np.testing.assert_array_equal(memory[:, 1:3], dense)
    assert dense[:, 1].all() and not memory[:, [0, 1, 3, 4]].any()


def test_checksums_see_a_change_under_a_view() -> None:
    memory = np.zeros(2 * 16 * 8, np.int64)
    pieces = memory[::2].reshape(2, 1, 1, 16, 4)[::-1]
    rows = np.array([1]), np.array([0]), np.array([16])

    memory[0] = -1  # piece 0 of token 0, in block 1 seen backwards
    out = np.zeros((1, 1), np.int64)
    kvarium.layers_checksum([pieces], np.array([[0, 0, 0]]), *rows, out, False)

    assert out[0, 0] == -1


def test_everything_that_is_written_may_be_given(batch: SmallBatch) -> None:
    cache = batch.keys, batch.values
    expected, expected_lse = attend(batch, batch.query, cache, layout="hnd", return_lse=True)
    out, lse, sums = np.zeros_like(batch.query), np.zeros(batch.query.shape[:2], np.float32), np.zeros(2, np.int64)
    rows = np.array([0, 5]), np.array([0, 16]), np.array([16, 3])

    assert attend(batch, batch.query, cache, layout="hnd", out=out, lse=lse) is out
    summed = kvarium.weighted_sum(*cache, *rows, layout="hnd", out=sums)
    np.testing.assert_array_equal(lse, expected_lse)
    merged = kvarium.merge_states(out, lse, np.zeros_like(out), np.full_like(lse, -np.inf), out=out, lse=lse)

    assert summed is sums and merged[0] is out and merged[1] is lse
    np.testing.assert_array_equal(sums.view(np.uint64), kvarium.weighted_sum(*cache, *rows, layout="hnd"))
    np.testing.assert_allclose(out, expected, rtol=1e-6)


def test_max_seq_len_is_a_bound(batch: SmallBatch) -> None:
    cache = batch.keys, batch.values

    bounded = attend(batch, batch.query, cache, layout="hnd", max_seq_len=64)

    np.testing.assert_array_equal(bounded, attend(batch, batch.query, cache, layout="hnd"))
    with pytest.raises(kvarium.InputError, match=r"seq_lens\[2\] is 64; use 0 to max_seq_len 63"):
        attend(batch, batch.query, cache, layout="hnd", max_seq_len=63)
