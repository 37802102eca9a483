#include "python/bindings/bindings.hpp"

PYBIND11_MODULE(_core, module) {
  module.doc() = "Compiled part of kvarium. Private: the package checks every array before it comes here.";
  module.attr("__version__") = KVARIUM_VERSION;
  kvarium::python::register_error_translation();
  kvarium::python::start_kokkos();
  kvarium::python::bind_core(module);
  kvarium::python::bind_device_arrays(module);
  kvarium::python::bind_attention(module);
  kvarium::python::bind_cache_operations(module);
  kvarium::python::bind_checksums(module);
  kvarium::python::bind_checksum_families(module);
  kvarium::python::bind_faults(module);
}
