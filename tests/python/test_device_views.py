"""How device arrays are seen: addresses, strides, types and streams, without a device."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from device_fakes import FakeTensor, InterfaceOnly, VersionedFakeTensor, new_capsule

import kvarium
from kvarium import _core
from kvarium.device_arrays import DeviceArray, view_on_device
from kvarium.places import DevicePlace, HostPlace, place_of
from kvarium.streams import current_stream, known_stream, stream_handle

ARRAY = np.arange(24, dtype=np.uint16).reshape(4, 6)[1:, ::2]


def view(value: Any, stream: int = 7) -> DeviceArray:
    return view_on_device("query", value, _core.DevicePlace(device=0, stream=stream))


@pytest.mark.parametrize("kind", [FakeTensor, VersionedFakeTensor])
def test_a_device_tensor_is_viewed_at_its_own_address(kind: type[FakeTensor]) -> None:
    viewed = view(kind(ARRAY))

    assert viewed.__array_interface__["data"][0] == ARRAY.__array_interface__["data"][0]
    assert (viewed.shape, viewed.strides, viewed.dtype) == (ARRAY.shape, ARRAY.strides, ARRAY.dtype)
    assert viewed.flags.writeable


@pytest.mark.parametrize(
    ("element", "bits"), [("bfloat16", np.uint16), ("float8_e4m3fn", np.uint8), ("float8_e5m2", np.uint8)]
)
def test_types_numpy_lacks_keep_their_names(element: str, bits: type) -> None:
    viewed = view(FakeTensor(np.zeros((2, 8), bits), element))

    assert (viewed.element_name, viewed.dtype) == (element, bits)


def test_a_read_only_tensor_is_not_writable() -> None:
    tensor = VersionedFakeTensor(ARRAY)
    tensor.is_read_only = True

    assert not view(tensor).flags.writeable
    assert not view(InterfaceOnly(data=(4096, True))).flags.writeable


def test_the_host_cannot_read_a_device_array_by_mistake() -> None:
    viewed = view(InterfaceOnly())

    with pytest.raises(TypeError, match="cannot be read by the host"):
        viewed[0]
    with pytest.raises(TypeError):
        viewed + 1
    assert repr(viewed) == "DeviceArray(shape=(2, 3), strides=(12, 4), element_name='float32')"


def test_the_interface_gives_address_shape_strides_and_type() -> None:
    viewed = view(InterfaceOnly(typestr="|u1", strides=(64, 2), data=(0x7F00_0000_0040, False)))

    assert viewed.__array_interface__["data"][0] == 0x7F00_0000_0040
    assert (viewed.shape, viewed.strides, viewed.element_name) == ((2, 3), (64, 2), "uint8")


def test_an_empty_array_needs_no_address() -> None:
    assert view(InterfaceOnly(shape=(0, 3), data=(0, False))).shape == (0, 3)


def test_the_consumers_stream_is_passed_to_the_producer() -> None:
    tensor = FakeTensor(ARRAY)

    view(tensor, stream=140_000)

    assert tensor.streams == [140_000]


def test_no_order_is_needed_on_the_stream_that_the_interface_names() -> None:
    # Another stream would call the driver, which is not here.
    assert view(InterfaceOnly(stream=7)).shape == view(InterfaceOnly(stream=None)).shape


REFUSED: dict[str, tuple[Any, type[Exception], str]] = {
    "stream_0": (InterfaceOnly(stream=0), kvarium.InputError, "query names stream 0.*must name 1 or 2"),
    "mask": (InterfaceOnly(mask=object()), kvarium.InputError, "query is masked"),
    "null": (InterfaceOnly(data=(0, False)), kvarium.InputError, r"query has shape \(2, 3\) at address 0"),
    "type_string": (InterfaceOnly(typestr="<c8"), TypeError, "query has type string '<c8'; use an integer, float32"),
    "byte_order": (InterfaceOnly(typestr=">f4"), TypeError, "query has type string '>f4'"),
    "type_code": (FakeTensor(np.zeros(2)), TypeError, "query has DLPack type code 2 of 64 bits and 1 lanes; use"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_viewed_is_refused_in_one_line(name: str) -> None:
    value, error, message = REFUSED[name]

    with pytest.raises(error, match=message) as raised:
        view(value)
    assert "\n" not in str(raised.value)


def test_lanes_versions_and_foreign_capsules_are_refused() -> None:
    wide, newer = FakeTensor(ARRAY), VersionedFakeTensor(ARRAY)
    wide.lanes, newer.major_version = 4, 2

    with pytest.raises(TypeError, match="4 lanes"):
        view(wide)
    with pytest.raises(kvarium.InputError, match="comes as DLPack 2; only version 1"):
        view(newer)
    with pytest.raises(kvarium.InputError, match="a capsule is called 'used_dltensor'"):
        _core.read_dlpack(new_capsule(4096, b"used_dltensor"))


def test_a_producer_that_refuses_is_quoted() -> None:
    class Gradient(FakeTensor):
        def __dlpack__(self, *, stream: int) -> Any:
            raise BufferError("requires gradient, use tensor.detach()")

    with pytest.raises(TypeError, match=r"query cannot be viewed through DLPack \(requires gradient"):
        view(Gradient(ARRAY))


class TorchLike:
    cuda_stream = 0
    device_index = 0


class CupyLike:
    ptr = 5
    device_id = -1


class ProtocolLike:
    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, 9


def test_streams_of_every_library_become_handles() -> None:
    handles = [stream_handle(stream, 0) for stream in (0, 1, 12, TorchLike(), CupyLike(), ProtocolLike())]

    assert handles == [1, 1, 12, 1, 5, 9]
    with pytest.raises(TypeError, match="stream is a str; pass a handle"):
        stream_handle("s", 0)  # type: ignore[arg-type]
    with pytest.raises(kvarium.InputError, match="stream is -1"):
        stream_handle(-1, 0)
    with pytest.raises(kvarium.InputError, match="stream belongs to CUDA device 0 and the arrays lie on device 1"):
        stream_handle(TorchLike(), 1)


def test_without_a_stream_the_owners_stream_is_taken() -> None:
    assert current_stream(InterfaceOnly(stream=42), 0) == 42
    assert current_stream(InterfaceOnly(), 0) == 1
    assert current_stream(FakeTensor(ARRAY), 0) == 1
    assert known_stream(FakeTensor(ARRAY), 0) is None


def test_the_first_array_decides_where_a_call_runs() -> None:
    assert isinstance(place_of("query", ARRAY, None), HostPlace)
    place = place_of("query", FakeTensor(ARRAY, device=3), 12)
    assert isinstance(place, DevicePlace) and (place.device, place.stream) == (3, 12)
