#include "kernels/cache/cache_operations.hpp"

#include <string>

#include "kernels/cache/device_cache_operations.hpp"
#include "python/bindings/bindings.hpp"
#include "python/bindings/cache_arrays.hpp"
#include "python/bindings/device_section.hpp"
#include "python/bindings/kernel_section.hpp"

namespace kvarium::python {
namespace {

namespace py = pybind11;

void run_write(const Array& key, const Array& value, const Array& slot_mapping, const CacheArrays& cache,
               const std::string& element_type, const DevicePlace* place) {
  NewTokens tokens;
  tokens.key = address<void>(key);
  tokens.value = address<void>(value);
  tokens.element_type = parse_element_type(element_type);
  tokens.slot_mapping = address<std::int64_t>(slot_mapping);
  tokens.num_tokens = slot_mapping.shape(0);
  if (place != nullptr) {
    const DeviceSection section(*place);
    return write_cache_on_device(tokens, cache.view, place->handle());
  }
  const KernelSection section;
  write_cache(tokens, cache.view);
}

}  // namespace

void bind_cache_operations(py::module_& module) {
  module.def("write_cache", &run_write, py::kw_only(), py::arg("key").noconvert(), py::arg("value").noconvert(),
             py::arg("slot_mapping").noconvert(), py::arg("cache"), py::arg("element_type"), py::arg("place"));
}

}  // namespace kvarium::python
