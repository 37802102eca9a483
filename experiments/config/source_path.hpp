#pragma once

#include <filesystem>
#include <string>

#include "experiments/config/point_config.hpp"

namespace kvarium {

/// The value of `cache.source` that stands for contents drawn from random numbers.
inline constexpr std::string_view synthetic_source = "synthetic";

/// Where `source` lies when paths are relative to `folder`. Precondition: it is not synthetic.
std::filesystem::path source_path(const std::string& source, const std::string& folder);

}  // namespace kvarium
