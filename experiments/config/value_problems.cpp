#include "experiments/config/value_problems.hpp"

#include <fmt/format.h>

#include <bit>

#include "core/cache_geometry.hpp"
#include "core/check.hpp"
#include "experiments/config/experiment_config.hpp"
#include "experiments/yaml/quoted_text.hpp"

namespace kvarium {
namespace {

/// What core says about a geometry in the layout that asks least of it.
std::optional<std::string> geometry_problem(CacheGeometry geometry) {
  geometry.layout = CacheLayout::nhd;
  try {
    validate(geometry);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

bool is_name_letter(char letter) {
  const bool is_letter = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
  return is_letter || (letter >= '0' && letter <= '9') || letter == '_' || letter == '-';
}

}  // namespace

std::optional<std::string> head_size_problem(const FieldValue& value) {
  CacheGeometry geometry;
  geometry.head_size = static_cast<int>(std::get<std::int64_t>(value));
  return geometry_problem(geometry);
}

std::optional<std::string> block_size_problem(const FieldValue& value) {
  CacheGeometry geometry;
  geometry.block_size = static_cast<int>(std::get<std::int64_t>(value));
  return geometry_problem(geometry);
}

std::optional<std::string> engine_block_size_problem(const FieldValue& value) {
  if (std::get<std::int64_t>(value) == 0) return {};
  return block_size_problem(value);
}

std::optional<std::string> piece_width_problem(const FieldValue& value) {
  const std::int64_t width = std::get<std::int64_t>(value);
  if (width == 1 || width == 2 || width == 4 || width == 8) return {};
  return fmt::format("piece_width {} is not supported; use 1, 2, 4 or 8 bytes", width);
}

std::optional<std::string> power_of_two_problem(const FieldValue& value) {
  const auto number = static_cast<std::uint64_t>(std::get<std::int64_t>(value));
  if (std::has_single_bit(number)) return {};
  return fmt::format("{} is no power of two; use {} or {}", number, std::bit_floor(number), std::bit_ceil(number));
}

std::optional<std::string> name_problem(const FieldValue& value) {
  const std::string& name = std::get<std::string>(value);
  for (const char letter : name) {
    if (!is_name_letter(letter)) {
      return fmt::format("name {} has other letters than A-Z, a-z, 0-9, '_' and '-'; change it", quote(name));
    }
  }
  if (name.size() <= 100) return {};
  return fmt::format("name {} is longer than 100 letters; shorten it", quote(name));
}

std::optional<std::string> schema_problem(const FieldValue& value) {
  const std::int64_t schema = std::get<std::int64_t>(value);
  if (schema == experiment_schema) return {};
  return fmt::format("schema {} is not known; this version reads schema {}", schema, experiment_schema);
}

}  // namespace kvarium
