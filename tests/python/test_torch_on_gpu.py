"""PyTorch's device tensors: nothing is copied, allocated or waited for, and results are the host's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from attention_cases import LAYOUTS, TOLERANCES
from torch_batch import BLOCK_SIZE, NUM_HEADS, NUM_KV_HEADS, SEQ_LENS, TorchBatch, random_bits, to_device, torch

import kvarium
from kvarium import _core
from kvarium.device_arrays import view_on_device

pytestmark = pytest.mark.gpu
CUDA_FAMILIES = [name for name, traits in kvarium.attention_variants().items() if traits.device == "cuda"]
ELEMENTS = ["float32", "float16", "bfloat16", "float8_e4m3fn", "float8_e5m2", "int32", "int64"]
TYPES = [
    ("float32", "auto"),
    ("float16", "auto"),
    ("bfloat16", "auto"),
    ("bfloat16", "fp8_e4m3"),
    ("float16", "fp8_e5m2"),
]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize(("query_type", "cache_type"), TYPES)
def test_results_equal_the_hosts(query_type: str, cache_type: str, layout: str) -> None:
    batch = TorchBatch(query_type, cache_type, layout)

    out, lse = batch.attend(return_lse=True)

    assert (out.dtype, out.device, lse.dtype) == (batch.query.dtype, batch.query.device, torch.float32)
    assert batch.error(out) <= 2 * TOLERANCES[query_type]  # the host's own rounding beside the device's
    np.testing.assert_allclose(lse.cpu().numpy(), batch.expected(return_lse=True)[1], rtol=1e-3, atol=2e-2)


@pytest.mark.parametrize("name", CUDA_FAMILIES)
def test_a_family_runs_by_its_name(name: str) -> None:
    batch = TorchBatch("bfloat16", "auto", "hnd")

    assert batch.error(batch.attend(variant=name, partition_size=256, block_n=16)) <= 2 * TOLERANCES["bfloat16"]


def test_options_reach_the_kernel() -> None:
    batch = TorchBatch("float16", "auto", "nhd")
    slopes, sinks = np.linspace(0, 0.1, NUM_HEADS, dtype=np.float32), np.linspace(-1, 1, NUM_HEADS, dtype=np.float32)
    numbers = {"softcap": 20.0, "sliding_window": 40}

    out = batch.attend(**numbers, alibi_slopes=torch.from_numpy(slopes).cuda(), sinks=torch.from_numpy(sinks).cuda())

    expected = batch.expected(**numbers, alibi_slopes=slopes, sinks=sinks)
    assert batch.error(out, expected) <= 2 * TOLERANCES["float16"]


@pytest.mark.parametrize("element", ELEMENTS)
def test_tensors_are_viewed_where_they_lie(element: str) -> None:
    tensor = torch.zeros((4, 6, 8), device="cuda").to(getattr(torch, element))[1:, :, ::2]

    viewed = view_on_device("query", tensor, _core.DevicePlace(device=0, stream=1))

    size = tensor.element_size()
    assert viewed.__array_interface__["data"][0] == tensor.data_ptr()
    assert viewed.strides == tuple(stride * size for stride in tensor.stride())
    assert (viewed.element_name, viewed.shape) == (element, tuple(tensor.shape))


def test_outer_strides_of_caches_are_free() -> None:
    batch = TorchBatch("bfloat16", "auto", "hnd")
    both = torch.stack(batch.cache, dim=1)

    out = batch.attend(key_cache=both[:, 0], value_cache=both[:, 1])

    assert torch.equal(out.view(torch.int16), batch.attend().view(torch.int16))


def test_the_result_lies_in_the_tensor_that_was_given_and_nothing_is_allocated() -> None:
    batch = TorchBatch("bfloat16", "auto", "hnd")
    out, workspace = torch.full_like(batch.query, float("nan")), kvarium.Workspace()
    batch.attend(out=out, workspace=workspace)  # compiles, and makes the workspace grow
    torch.cuda.synchronize()
    before = torch.cuda.memory_stats()["allocation.all.allocated"], torch.cuda.mem_get_info()[0], workspace.num_bytes
    address = out.data_ptr()

    result = batch.attend(out=out, workspace=workspace)

    torch.cuda.synchronize()
    after = torch.cuda.memory_stats()["allocation.all.allocated"], torch.cuda.mem_get_info()[0], workspace.num_bytes
    assert result is out and out.data_ptr() == address
    assert before == after
    assert batch.error(out) <= 2 * TOLERANCES["bfloat16"]


def test_max_seq_len_bounds_the_partitions() -> None:
    batch = TorchBatch("float16", "auto", "hnd")
    small, large = kvarium.Workspace(), kvarium.Workspace()
    setting = {"variant": "v2_faithful", "partition_size": 16}

    bounded = batch.attend(**setting, max_seq_len=int(SEQ_LENS.max()), workspace=small)
    free = batch.attend(**setting, workspace=large)

    assert torch.equal(bounded, free)
    assert 0 < small.num_bytes < large.num_bytes  # 7 partitions, and the 8 that the block tables have room for


@pytest.mark.parametrize("layout", LAYOUTS)
def test_written_tokens_and_sums_are_the_hosts_bits(layout: str) -> None:
    batch = TorchBatch("bfloat16", "auto", layout)
    new = [random_bits((5, NUM_KV_HEADS, batch.head_size), "bfloat16", seed) for seed in (5, 6)]
    slots = np.array([3, 40, -1, 200, 17])
    rows = np.array([0, 2, 12]), np.array([0, 16, 7]), np.array([16, 9, 1])

    on_device = [to_device(array, "bfloat16") for array in new]
    kvarium.write_cache(*on_device, *batch.cache, torch.from_numpy(slots).cuda(), block_size=BLOCK_SIZE, layout=layout)
    sums = kvarium.weighted_sum(*batch.cache, *(torch.from_numpy(row).cuda() for row in rows), layout=layout, layer=3)

    kvarium.write_cache(*new, *batch.host_cache, slots, block_size=BLOCK_SIZE, layout=layout)
    for part, expected in zip(batch.cache, batch.host_cache, strict=True):
        assert part is None or np.array_equal(part.view(torch.uint16).cpu().numpy(), expected)
    expected_sums = kvarium.weighted_sum(*batch.host_cache, *rows, layout=layout, layer=3)
    np.testing.assert_array_equal(sums.cpu().numpy().view(np.uint64), expected_sums)


def test_layers_are_summed_at_their_own_addresses() -> None:
    memory = np.random.default_rng(7).integers(-(2**62), 2**62, (2, 3, 1, 2, 16, 4))
    layers = [torch.from_numpy(layer).cuda() for layer in memory]
    table = torch.tensor([[layer.data_ptr(), 65536 * index, index] for index, layer in enumerate(layers)]).cuda()
    rows = np.array([2, 0]), np.array([0, 16]), np.array([16, 5])
    out = torch.ones((2, 2), dtype=torch.int64, device="cuda")

    kvarium.layers_checksum(layers, table, *(torch.from_numpy(row).cuda() for row in rows), out, True)

    expected = np.ones((2, 2), np.int64)
    kvarium.layers_checksum(list(memory), np.array([[0, 0, 0], [0, 65536, 1]]), *rows, expected, False)
    np.testing.assert_array_equal(out.cpu().numpy(), expected)


def test_merged_states_are_the_whole() -> None:
    batch = TorchBatch("float32", "auto", "hnd")
    windows: list[Any] = [batch.attend(return_lse=True) for _ in range(2)]
    windows[1][1][:] = -torch.inf

    out, lse = kvarium.merge_states(*windows[0], *windows[1])

    torch.testing.assert_close(out, windows[0][0])
    assert torch.equal(lse, windows[0][1])


def test_arrays_of_two_places_are_refused() -> None:
    batch = TorchBatch("float16", "auto", "hnd")

    with pytest.raises(kvarium.InputError, match="seq_lens lies on the host but query on CUDA device 0"):
        batch.attend(seq_lens=batch.lengths.cpu())
    with pytest.raises(TypeError, match="query cannot be viewed through DLPack"):
        batch.attend(query=batch.query.float().requires_grad_(), out=batch.query.float())


@pytest.mark.skipif(torch.cuda.device_count() < 2, reason="needs two CUDA devices")
def test_a_call_runs_on_the_device_of_its_arrays() -> None:
    batch = TorchBatch("bfloat16", "auto", "hnd")
    second = {"query": batch.query, "key_cache": batch.cache[0], "value_cache": batch.cache[1]}
    second |= {"block_tables": batch.tables, "seq_lens": batch.lengths}

    out = batch.attend(**{name: tensor.to("cuda:1") for name, tensor in second.items()})

    assert out.device.index == 1 and torch.cuda.current_device() == 0
    assert torch.equal(out.cpu(), batch.attend().cpu())
