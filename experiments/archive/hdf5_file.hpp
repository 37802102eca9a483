#pragma once

#include <filesystem>

#include "experiments/archive/hdf5_handle.hpp"

namespace kvarium {

/// Opens an HDF5 file for reading.
/// Errors: InputError when it is missing, not readable, no regular file, not HDF5, or truncated.
Hdf5Handle open_hdf5_file(const std::filesystem::path& path);

/// Creates an HDF5 file that must not exist, in a format that HDF5 1.10 and later and netCDF-C read.
/// Errors: InputError with HDF5's reason.
Hdf5Handle create_hdf5_file(const std::filesystem::path& path);

}  // namespace kvarium
