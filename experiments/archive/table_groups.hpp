#pragma once

#include <hdf5.h>

#include <string>

#include "experiments/results/table.hpp"

namespace kvarium {

/// Writes a table as the group of its path: one dataset [rows] per column with CF attributes (units, long_name,
/// _FillValue; absent_value for uint64; flag_values, flag_meanings) and `deterministic`; the column named like the
/// dimension becomes the dimension scale of the others. Errors: InputError with HDF5's reason; AssertionFailure when
/// the dimension has no int64 column. Source: CF conventions 1.10, sections 3.1 to 3.5; HDF5 dimension scales.
void write_table(hid_t file, const Table& table);

/// Reads the table at `path`, whatever program wrote it. Errors: InputError that names file and dataset.
Table read_table(hid_t file, const std::string& path);

}  // namespace kvarium
