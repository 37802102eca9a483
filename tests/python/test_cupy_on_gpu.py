"""CuPy's arrays, through DLPack and through the CUDA array interface alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from attention_cases import LAYOUTS, TOLERANCES, build_cache, decode, worst_relative_error
from small_batch import OPTIONS, SmallBatch

import kvarium
from kvarium import _core
from kvarium.device_arrays import view_on_device
from kvarium.streams import current_stream

cupy = pytest.importorskip("cupy")
try:
    cupy.cuda.runtime.getDeviceCount()
except cupy.cuda.runtime.CUDARuntimeError as error:
    pytest.skip(f"no CUDA device that CuPy sees: {error}", allow_module_level=True)
pytestmark = pytest.mark.gpu


class InterfaceOnly:
    """An array without DLPack, as Numba's are."""

    def __init__(self, array: Any) -> None:
        self.array = array

    @property
    def __cuda_array_interface__(self) -> Any:
        return self.array.__cuda_array_interface__


def attend(batch: SmallBatch, query: Any, cache: tuple[Any, Any], wrap: Any, **options: Any) -> Any:
    rows = wrap(cupy.asarray(batch.block_tables)), wrap(cupy.asarray(batch.seq_lens))
    return kvarium.paged_attention_v2(query, *cache, *rows, **OPTIONS, **options)


@pytest.mark.parametrize("wrap", [lambda array: array, InterfaceOnly])
@pytest.mark.parametrize("element", ["float32", "float16"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_results_equal_the_hosts(batch: SmallBatch, layout: str, element: str, wrap: Any) -> None:
    query = batch.query.astype(element)
    host_cache = build_cache(batch.keys.astype(element), batch.values.astype(element), layout)
    cache = tuple(None if part is None else wrap(cupy.asarray(part)) for part in host_cache)
    out = cupy.full(query.shape, cupy.nan, element)

    result = attend(batch, wrap(cupy.asarray(query)), cache, wrap, layout=layout, out=out)

    expected = kvarium.paged_attention_v2(
        query, *host_cache, batch.block_tables, batch.seq_lens, **OPTIONS, layout=layout, variant="host_reference"
    )
    assert result is out
    assert worst_relative_error(cupy.asnumpy(out), decode(expected)) <= 2 * TOLERANCES[element]


def test_a_new_array_is_cupys(batch: SmallBatch) -> None:
    cache = cupy.asarray(batch.keys), cupy.asarray(batch.values)

    out, lse = attend(batch, cupy.asarray(batch.query), cache, lambda array: array, layout="hnd", return_lse=True)

    assert isinstance(out, cupy.ndarray) and isinstance(lse, cupy.ndarray)
    expected = kvarium.paged_attention_v2(
        batch.query, batch.keys, batch.values, batch.block_tables, batch.seq_lens, **OPTIONS, layout="hnd"
    )
    assert worst_relative_error(cupy.asnumpy(out), decode(expected)) <= 2 * TOLERANCES["float32"]


@pytest.mark.parametrize("wrap", [lambda array: array, InterfaceOnly])
def test_arrays_are_viewed_where_they_lie(wrap: Any) -> None:
    array = cupy.zeros((4, 6, 8), "float16")[1:, :, ::2]

    viewed = view_on_device("query", wrap(array), _core.DevicePlace(device=0, stream=1))

    assert viewed.__array_interface__["data"][0] == array.data.ptr
    assert (viewed.shape, viewed.strides) == (array.shape, array.strides)


def test_the_current_stream_is_taken_and_followed(batch: SmallBatch) -> None:
    stream = cupy.cuda.Stream(non_blocking=True)
    cells = cupy.asarray(batch.keys), cupy.asarray(batch.values)
    cache, query = tuple(map(cupy.zeros_like, cells)), cupy.asarray(batch.query)
    attend(batch, query, cells, lambda array: array, layout="hnd")
    busy = cupy.ones((4096, 4096), "float32")
    cupy.cuda.Device().synchronize()

    with stream:
        assert current_stream(query, 0) == stream.ptr
        for _ in range(20):
            busy = busy @ busy * 1e-4
        for late, part in zip(cache, cells, strict=True):
            late[...] = part
        out = attend(batch, query, cache, lambda array: array, layout="hnd")
    stream.synchronize()

    expected = kvarium.paged_attention_v2(
        batch.query, batch.keys, batch.values, batch.block_tables, batch.seq_lens, **OPTIONS, layout="hnd"
    )
    assert worst_relative_error(cupy.asnumpy(out), decode(expected)) <= 2 * TOLERANCES["float32"]


def test_sums_of_unsigned_arrays_are_the_hosts(batch: SmallBatch) -> None:
    rows = np.array([0, 5]), np.array([0, 16]), np.array([16, 3])

    sums = kvarium.weighted_sum(
        cupy.asarray(batch.keys), cupy.asarray(batch.values), *map(cupy.asarray, rows), layout="hnd"
    )

    assert sums.dtype == np.uint64
    expected = kvarium.weighted_sum(batch.keys, batch.values, *rows, layout="hnd")
    np.testing.assert_array_equal(cupy.asnumpy(sums), expected)
