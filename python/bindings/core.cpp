#include <pybind11/stl.h>

#include <utility>

#include "core/random.hpp"
#include "python/bindings/bindings.hpp"
#include "python/bindings/cache_arrays.hpp"

namespace kvarium::python {
namespace {

namespace py = pybind11;

CacheArrays make_cache_arrays(Array key, OptionalArray value, const std::string& layout,
                              const std::string& element_type, int block_size, int num_kv_heads, int head_size,
                              float k_scale, float v_scale) {
  CacheGeometry geometry;
  geometry.layout = parse_cache_layout(layout);
  geometry.element_type = parse_element_type(element_type);
  geometry.block_size = block_size;
  geometry.num_kv_heads = num_kv_heads;
  geometry.head_size = head_size;
  return view_cache_arrays(geometry, std::move(key), std::move(value), {k_scale, v_scale});
}

}  // namespace

void bind_core(py::module_& module) {
  py::class_<CacheArrays>(module, "CacheArrays", "The arrays of one layer's paged cache as kernels see them; no copy.")
      .def(py::init(&make_cache_arrays), py::arg("key").noconvert(), py::arg("value").noconvert(), py::kw_only(),
           py::arg("layout"), py::arg("element_type"), py::arg("block_size"), py::arg("num_kv_heads"),
           py::arg("head_size"), py::arg("k_scale"), py::arg("v_scale"));
  module.def("philox", &philox, py::arg("counter"), py::arg("key"),
             "Philox4x64-10: four 64-bit words from a counter of four words (lowest first) under a key of two.");
}

}  // namespace kvarium::python
