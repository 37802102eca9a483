#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/archive/archive_content.hpp"
#include "kernels/attention/variant_choice.hpp"

namespace kvarium {

/// Keys of `base` that a tuning archive has a column of in /plan/points, whether they are swept or not: what decides
/// which variant is fastest, then the variant's own.
const std::vector<std::string>& tuning_shape_keys();
const std::vector<std::string>& tuning_variant_keys();

/// The variants that passed, at shapes whose points are all finished. The source is the name of the file at `path`.
/// Errors: InputError, one line beginning with `path`, when columns are missing or hold what no experiment can.
std::vector<TunedVariant> tuning_rows(const std::filesystem::path& path, const ArchiveContent& archive);

}  // namespace kvarium
