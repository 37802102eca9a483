#pragma once

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstdint>
#include <optional>

namespace kvarium::python {

using Array = pybind11::array;
using OptionalArray = std::optional<pybind11::array>;

/// Address of an array's element [0, 0, ...]. Whether it may be written is checked by the package, which knows the
/// array's name.
template <class Element>
Element* address(const Array& array) {
  return static_cast<Element*>(const_cast<void*>(array.data()));
}

/// Null for None.
template <class Element>
Element* address(const OptionalArray& array) {
  return array ? address<Element>(*array) : nullptr;
}

/// Signed distance of two neighbours along an axis, in elements.
inline std::int64_t element_stride(const Array& array, int axis) { return array.strides(axis) / array.itemsize(); }

}  // namespace kvarium::python
