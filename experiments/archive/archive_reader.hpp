#pragma once

#include <filesystem>

#include "experiments/archive/archive_content.hpp"

namespace kvarium {

/// Reads a whole archive; tables come in the order of the file.
/// Errors: InputError (one line: file, cause, remedy) when the file is missing, no HDF5 file, truncated or damaged, no
/// kvarium archive, or of a schema version this program does not read.
ArchiveContent read_archive(const std::filesystem::path& path);

}  // namespace kvarium
