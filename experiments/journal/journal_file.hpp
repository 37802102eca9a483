#pragma once

#include <filesystem>
#include <functional>

#include "core/check.hpp"
#include "experiments/archive/hdf5_handle.hpp"

namespace kvarium {

/// A new HDF5 file at `path` that others may read while it is written (single writer, multiple readers). `fill` makes
/// all its objects, none of which may be added later; then it appears under its name.
/// Errors: InputError when it cannot be written.
Hdf5Handle create_journal_file(const std::filesystem::path& path, const std::function<void(hid_t)>& fill);

/// Opens a journal, whether it is being written, was closed or its writer was killed.
/// Errors: InputError for a missing or foreign file, or one whose beginning is damaged.
Hdf5Handle open_journal_file(const std::filesystem::path& path);

/// An error of writing under the journal's own name: HDF5 knows it by the one it was created under.
InputError named_error(const std::filesystem::path& journal, const InputError& error);

/// Makes an empty dataset of records that grows.
void create_record_dataset(hid_t file, const std::string& path, hid_t type);

/// Rows of a chunk: what one commit holds, so that a full chunk is written once.
inline constexpr hsize_t journal_chunk_rows = 256;

}  // namespace kvarium
