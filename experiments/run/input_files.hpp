#pragma once

#include <vector>

#include "experiments/archive/archive_content.hpp"
#include "experiments/archive/file_digest.hpp"
#include "experiments/plan/plan.hpp"

namespace kvarium {

/// The files the points of a plan read (model dumps), each once, with their digests.
/// Errors: InputError for a file that cannot be read or is no whole, finite dump.
std::vector<FileDigest> input_files(const Plan& plan);

/// Errors: InputError (beginning with `place`) when a file differs from the one a run of the archive read: its rows
/// would not belong to the same experiment.
void check_same_inputs(const std::string& place, const std::vector<RunProvenance>& runs,
                       const std::vector<FileDigest>& inputs);

}  // namespace kvarium
