#pragma once

#include <pybind11/pybind11.h>

namespace kvarium::python {

/// Turns C++ errors into the classes of kvarium.errors: InputError and NotConfigured keep their meaning.
void register_error_translation();

/// Initialises Kokkos unless somebody has, and then finalises it when Python exits.
void start_kokkos();

void bind_core(pybind11::module_& module);
void bind_attention(pybind11::module_& module);
void bind_cache_operations(pybind11::module_& module);
void bind_checksums(pybind11::module_& module);

}  // namespace kvarium::python
