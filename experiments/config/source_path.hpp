#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "experiments/config/point_config.hpp"

namespace kvarium {

/// The value of `cache.source` that stands for contents drawn from random numbers.
inline constexpr std::string_view synthetic_source = "synthetic";
/// The one that stands for elements of uniform random bits.
inline constexpr std::string_view random_bits_source = "random_bits";

/// Whether contents come from random numbers, not from a file.
inline bool is_generated(std::string_view source) { return source == synthetic_source || source == random_bits_source; }

/// Where `source` lies when paths are relative to `folder`. Precondition: it is not generated.
std::filesystem::path source_path(const std::string& source, const std::string& folder);

}  // namespace kvarium
