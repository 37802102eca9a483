#pragma once

#include <filesystem>

#include "experiments/run/runner.hpp"

namespace kvarium {

/// Prints the tables of an archive. Kinds that inject faults: for each share (such as the detected one) a table of
/// faults down and checksums or variants across, every share with its interval, and what each of the latter costs.
/// Other kinds: one row a point. Returns the exit code. Errors: InputError for a missing, truncated or foreign file.
int report_archive(const std::filesystem::path& archive, OutputForm form);

}  // namespace kvarium
