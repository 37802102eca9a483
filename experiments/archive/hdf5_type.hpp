#pragma once

#include <hdf5.h>

#include <cstdint>
#include <type_traits>

#include "experiments/archive/hdf5_handle.hpp"

namespace kvarium {

/// The HDF5 type of one number in memory; archives are written in it too, so on little-endian machines.
template <class Number>
hid_t hdf5_number_type() {
  if constexpr (std::is_same_v<Number, std::int8_t>) return H5T_NATIVE_INT8;
  if constexpr (std::is_same_v<Number, std::int64_t>) return H5T_NATIVE_INT64;
  if constexpr (std::is_same_v<Number, std::uint64_t>) return H5T_NATIVE_UINT64;
  if constexpr (std::is_same_v<Number, float>) return H5T_NATIVE_FLOAT;
  if constexpr (std::is_same_v<Number, double>) return H5T_NATIVE_DOUBLE;
}

/// Variable-length UTF-8 text: netCDF-C 4.9 crashes on columns of fixed-length text.
inline Hdf5Handle hdf5_text_type() {
  Hdf5Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.get(), H5T_VARIABLE);
  H5Tset_cset(type.get(), H5T_CSET_UTF8);
  return type;
}

}  // namespace kvarium
