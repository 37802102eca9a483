#pragma once

#include <filesystem>
#include <vector>

#include "experiments/archive/hdf5_handle.hpp"

namespace kvarium {

/// Errors: InputError when `path` is missing, no file, or unreadable.
void check_readable_file(const std::filesystem::path& path);

/// Opens an HDF5 file for reading.
/// Errors: InputError when it is missing, not readable, no regular file, not HDF5, or truncated.
Hdf5Handle open_hdf5_file(const std::filesystem::path& path);

/// An HDF5 file in memory, in a format that HDF5 1.10 and later and netCDF-C read; `name` is for messages.
/// HDF5 1.10 crashes at its end when a disk was full as it wrote, so it never writes to one.
/// Errors: InputError with HDF5's reason.
Hdf5Handle create_hdf5_image(const std::filesystem::path& name);

/// The bytes that such a file would have on a disk. Errors: InputError with HDF5's reason.
std::vector<char> hdf5_image_bytes(const Hdf5Handle& image);

}  // namespace kvarium
