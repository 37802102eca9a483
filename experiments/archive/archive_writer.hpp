#pragma once

#include <filesystem>

#include "experiments/archive/archive_content.hpp"

namespace kvarium {

/// Writes an archive that replaces `path` whole or leaves it as it is, and is on the disk when this returns.
/// Readable with h5py, pandas and xarray (engines h5netcdf and netcdf4); tables without columns are left out.
/// Errors: InputError when the folder cannot be written or the disk is full.
void write_archive(const std::filesystem::path& path, const ArchiveContent& content);

}  // namespace kvarium
