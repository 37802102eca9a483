"""Work is put on the right stream, after what its arrays' owners have put on theirs, and the host does not wait."""

from __future__ import annotations

from typing import Any

import pytest
from attention_cases import TOLERANCES
from torch_batch import LONG_WAIT, TorchBatch, torch

import kvarium

pytestmark = pytest.mark.gpu
# Large enough for all: an allocation may wait for the device.
WORKSPACE = kvarium.Workspace(1 << 24)


def late_cache(batch: TorchBatch) -> tuple[Any, Any]:
    """Return caches of zeros that the current stream fills, but only after a long wait."""
    caches = tuple(torch.zeros_like(part) for part in batch.cache)
    torch.cuda.synchronize()
    torch.cuda._sleep(LONG_WAIT)
    for late, part in zip(caches, batch.cache, strict=True):
        late.copy_(part)
    return caches


@pytest.fixture
def batch() -> TorchBatch:
    """A batch whose kernels are compiled and loaded."""
    made = TorchBatch("bfloat16", "auto", "hnd")
    made.attend(workspace=WORKSPACE)
    torch.cuda.synchronize()
    return made


def test_a_call_follows_what_its_stream_was_given_before(batch: TorchBatch) -> None:
    stream, out = torch.cuda.Stream(), torch.zeros_like(batch.query)

    with torch.cuda.stream(stream):
        key_cache, value_cache = late_cache(batch)
        batch.attend(key_cache=key_cache, value_cache=value_cache, out=out, workspace=WORKSPACE)
        has_waited = stream.query()

    stream.synchronize()
    assert not has_waited  # the host came back while the stream was still busy
    assert batch.error(out) <= 2 * TOLERANCES["bfloat16"]


@pytest.mark.parametrize("as_handle", [False, True])
def test_a_call_on_another_stream_waits_for_the_owners(batch: TorchBatch, as_handle: bool) -> None:
    owner, own = torch.cuda.Stream(), torch.cuda.Stream()
    out = torch.zeros_like(batch.query)

    with torch.cuda.stream(owner):
        key_cache, value_cache = late_cache(batch)
        stream = own.cuda_stream if as_handle else own
        batch.attend(key_cache=key_cache, value_cache=value_cache, out=out, stream=stream, workspace=WORKSPACE)
        has_waited = owner.query() or own.query()

    own.synchronize()  # that stream alone
    assert not has_waited
    assert batch.error(out) <= 2 * TOLERANCES["bfloat16"]


def test_without_order_the_result_would_be_wrong(batch: TorchBatch) -> None:
    # Shows that the two tests above can fail: the second stream does not wait for the default stream's late cache.
    class Unordered:
        """A tensor whose owner leaves the order to others, as an interface without a stream does."""

        def __init__(self, tensor: Any) -> None:
            self.tensor = tensor

        def __dlpack__(self, *, stream: int, max_version: Any = None) -> Any:
            return self.tensor.__dlpack__(stream=-1, max_version=max_version)

        def __dlpack_device__(self) -> Any:
            return self.tensor.__dlpack_device__()

    owner, own = torch.cuda.Stream(), torch.cuda.Stream()
    out = torch.zeros_like(batch.query)
    with torch.cuda.stream(owner):
        caches = late_cache(batch)
    key_cache, value_cache = (Unordered(cache) for cache in caches)

    batch.attend(key_cache=key_cache, value_cache=value_cache, out=out, stream=own, workspace=WORKSPACE)

    torch.cuda.synchronize()
    assert batch.error(out) > 0.5


class Interface:
    """A tensor as the CUDA array interface, version 3, shows it, written on `stream`."""

    def __init__(self, tensor: Any, stream: Any) -> None:
        names = {torch.float16: "<f2", torch.int32: "<i4"}
        self.tensor = tensor
        self.__cuda_array_interface__ = {
            "version": 3,
            "typestr": names[tensor.dtype],
            "shape": tuple(tensor.shape),
            "strides": None,
            "data": (tensor.data_ptr(), False),
            "stream": stream.cuda_stream,
        }


def test_the_stream_of_the_array_interface_is_waited_for() -> None:
    batch = TorchBatch("float16", "auto", "hnd")
    writer, own = torch.cuda.Stream(), torch.cuda.Stream()
    batch.attend(workspace=WORKSPACE)
    out = torch.zeros_like(batch.query)
    with torch.cuda.stream(writer):
        key_cache, value_cache = (Interface(cache, writer) for cache in late_cache(batch))
    small = {name: Interface(getattr(batch, name), own) for name in ("query", "tables", "lengths")}

    batch.attend(
        query=small["query"],
        block_tables=small["tables"],
        seq_lens=small["lengths"],
        key_cache=key_cache,
        value_cache=value_cache,
        out=Interface(out, own),
        workspace=WORKSPACE,
    )

    own.synchronize()  # the stream that the query's interface names
    assert batch.error(out) <= 2 * TOLERANCES["float16"]


def test_an_address_of_the_host_is_no_device_array() -> None:
    batch = TorchBatch("float16", "auto", "hnd")
    fake = Interface(batch.query, torch.cuda.current_stream())
    fake.__cuda_array_interface__["data"] = (batch.host_query.__array_interface__["data"][0], False)

    with pytest.raises(kvarium.InputError, match="query names address 0x.* no memory that CUDA knows"):
        batch.attend(query=fake)


@pytest.mark.parametrize("is_warm", [True, False])
@pytest.mark.parametrize("has_own_workspace", [True, False])
def test_a_graph_captures_the_call_and_replays_it_on_new_contents(is_warm: bool, has_own_workspace: bool) -> None:
    # Cold: kernels are compiled and loaded, and the workspace grows, while the graph is captured.
    batch = TorchBatch("bfloat16", "auto", "hnd", head_size=128 if is_warm else 64)
    workspace = kvarium.Workspace() if has_own_workspace else None
    out, lse = torch.zeros_like(batch.query), torch.zeros(batch.query.shape[:2], device="cuda")
    arrays = {"out": out, "lse": lse, "workspace": workspace, "return_lse": True}
    if is_warm:
        batch.attend(**arrays)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        batch.attend(**arrays)
        kvarium.merge_states(out, lse, out, torch.full_like(lse, -torch.inf), out=out, lse=lse)

    errors = []
    for factor in (1, -2):
        batch.query.copy_(factor * batch.query)
        batch.host_query = batch.query.view(torch.uint16).cpu().numpy()
        out.zero_()
        graph.replay()
        torch.cuda.synchronize()
        errors.append(batch.error(out))

    assert max(errors) <= 2 * TOLERANCES["bfloat16"]


def test_a_workspace_that_grows_keeps_what_a_graph_uses() -> None:
    batch = TorchBatch("float16", "auto", "hnd")
    setting = {"variant": "v2_faithful", "workspace": kvarium.Workspace()}
    out = torch.zeros_like(batch.query)
    graph = torch.cuda.CUDAGraph()
    batch.attend(**setting, partition_size=128, out=out)
    with torch.cuda.graph(graph):
        batch.attend(**setting, partition_size=128, out=out)
    before = setting["workspace"].num_bytes

    batch.attend(**setting, partition_size=16)
    out.zero_()
    graph.replay()  # memory that was freed would fault here

    torch.cuda.synchronize()
    assert setting["workspace"].num_bytes > before
    assert batch.error(out) <= 2 * TOLERANCES["float16"]
