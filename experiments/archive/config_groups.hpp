#pragma once

#include <hdf5.h>

#include <vector>

#include "experiments/archive/archive_content.hpp"

namespace kvarium {

/// Writes the group /config, and reads it. Errors: InputError with HDF5's reason.
void write_config_group(hid_t file, const ArchivedConfig& config);
ArchivedConfig read_config_group(hid_t file);

/// The same of /provenance, one group a run.
void write_provenance_groups(hid_t file, const std::vector<RunProvenance>& runs);
std::vector<RunProvenance> read_provenance_groups(hid_t file);

}  // namespace kvarium
