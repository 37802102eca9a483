#include <pybind11/stl.h>

#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "core/check.hpp"
#include "kernels/cuda/growing_memory.hpp"
#include "kernels/cuda/stream.hpp"
#include "python/bindings/bindings.hpp"
#include "python/bindings/device_section.hpp"
#include "python/bindings/dlpack_tensor.hpp"

namespace kvarium::python {
namespace {

namespace py = pybind11;

using Sizes = std::vector<std::int64_t>;
/// (address, shape, strides in elements, (type code, bits, lanes), (device kind, device number), is read-only)
using TensorFields = std::tuple<std::uintptr_t, py::tuple, std::optional<py::tuple>, std::tuple<int, int, int>,
                                std::tuple<int, int>, bool>;

py::tuple sizes_of(const std::int64_t* sizes, std::int32_t count) {
  return py::tuple(py::cast(Sizes(sizes, sizes + count)));
}

TensorFields fields_of(const DLPackTensor& tensor, bool is_read_only) {
  std::optional<py::tuple> strides;
  if (tensor.strides != nullptr) strides = sizes_of(tensor.strides, tensor.num_axes);
  return {reinterpret_cast<std::uintptr_t>(tensor.data) + tensor.byte_offset,
          sizes_of(tensor.shape, tensor.num_axes),
          strides,
          {tensor.type.code, tensor.type.bits, tensor.type.lanes},
          {tensor.device.kind, tensor.device.number},
          is_read_only};
}

/// The capsule is only read: it stays the producer's, and frees what it holds when Python lets go of it.
TensorFields read_dlpack(const py::capsule& capsule) {
  const std::string name = capsule.name() != nullptr ? capsule.name() : "";
  if (name == "dltensor") return fields_of(capsule.get_pointer<DLPackManagedTensor>()->tensor, false);
  KVARIUM_VALIDATE(name == "dltensor_versioned", "a capsule is called '", name,
                   "'; DLPack calls it dltensor or dltensor_versioned, and each may be read once");
  const auto* versioned = capsule.get_pointer<DLPackVersionedTensor>();
  KVARIUM_VALIDATE(versioned->major_version == 1, "a tensor comes as DLPack ", versioned->major_version,
                   "; only version 1 is understood");
  return fields_of(versioned->tensor, (versioned->flags & DLPackVersionedTensor::read_only) != 0);
}

void order(const DevicePlace& place, std::uintptr_t earlier) {
  const DeviceSection section(place);
  order_streams(reinterpret_cast<void*>(earlier), place.handle());
}

void reserve(GrowingMemory& workspace, std::size_t num_bytes) {
  const DevicePlace place{workspace.device(), 0};
  const DeviceSection section(place);
  workspace.reserve(num_bytes);
}

}  // namespace

void bind_device_arrays(py::module_& module) {
  py::class_<DevicePlace>(module, "DevicePlace", "A CUDA device and the handle of one of its streams.")
      .def(py::init<int, std::uintptr_t>(), py::kw_only(), py::arg("device"), py::arg("stream"))
      .def_readonly("device", &DevicePlace::device)
      .def_readonly("stream", &DevicePlace::stream);
  py::class_<GrowingMemory>(module, "GrowingMemory", "Device memory that grows with what calls need.")
      .def(py::init<int>(), py::kw_only(), py::arg("device"))
      .def_property_readonly("device", &GrowingMemory::device)
      .def_property_readonly("num_bytes", &GrowingMemory::size_bytes)
      .def("reserve", &reserve, py::arg("num_bytes"));
  module.def("read_dlpack", &read_dlpack, py::arg("capsule"));
  module.def("order_streams", &order, py::arg("place"), py::kw_only(), py::arg("earlier"));
  module.def(
      "device_of_address", [](std::uintptr_t address) { return device_of_address(reinterpret_cast<void*>(address)); },
      py::arg("address"));
}

}  // namespace kvarium::python
