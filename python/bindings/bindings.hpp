#pragma once

#include <pybind11/pybind11.h>

namespace kvarium::python {

/// Turns C++ errors into the classes of kvarium.errors: InputError and NotConfigured keep their meaning.
void register_error_translation();

/// Initialises Kokkos unless somebody has, and then finalises it when Python exits.
void start_kokkos();

/// Adds geometries and caches of arrays to the module.
void bind_core(pybind11::module_& module);
/// Adds what device arrays need: places, workspaces, DLPack and the order of streams.
void bind_device_arrays(pybind11::module_& module);
/// Adds paged_attention_v2, merge_states and the list of families to the module.
void bind_attention(pybind11::module_& module);
/// Adds write_cache to the module.
void bind_cache_operations(pybind11::module_& module);
/// Adds layers_checksum and weighted_sum to the module.
void bind_checksums(pybind11::module_& module);
/// Adds the caches of several layers and every checksum family over them to the module.
void bind_checksum_families(pybind11::module_& module);
/// Adds fault models and the caches they strike to the module.
void bind_faults(pybind11::module_& module);

}  // namespace kvarium::python
