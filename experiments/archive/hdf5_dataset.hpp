#pragma once

#include <hdf5.h>

#include <string>
#include <vector>

#include "experiments/archive/hdf5_handle.hpp"
#include "experiments/results/column.hpp"

namespace kvarium {

/// Creates the group `path` (absolute, with the groups above it) or opens it; links keep their order of creation.
Hdf5Handle make_hdf5_group(hid_t file, const std::string& path);

/// Writes a column as dataset [rows] under `group`: chunked; numbers shuffled, deflated and with Fletcher-32.
/// Returns the open dataset. Errors: InputError with HDF5's reason.
Hdf5Handle write_hdf5_column(hid_t group, const Column& column);

/// Reads a dataset [rows] of a type that columns have. Errors: InputError for another rank or type, damaged data, or
/// more rows than the file can hold.
Column::Storage read_hdf5_column(hid_t dataset);

/// Writes and reads a scalar text, and a list of texts [size]. Errors: InputError.
void write_hdf5_text(hid_t group, const std::string& name, const std::string& text);
void write_hdf5_texts(hid_t group, const std::string& name, const std::vector<std::string>& texts);
std::string read_hdf5_text(hid_t group, const std::string& name);
std::vector<std::string> read_hdf5_texts(hid_t group, const std::string& name);

}  // namespace kvarium
