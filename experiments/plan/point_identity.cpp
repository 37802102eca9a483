#include "experiments/plan/point_identity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "experiments/config/experiment_config.hpp"
#include "experiments/config/field_json.hpp"
#include "experiments/config/field_table.hpp"
#include "experiments/plan/canonical_json.hpp"
#include "experiments/plan/sha256.hpp"

namespace kvarium {
namespace {

bool is_stimulus(std::string_view path) {
  constexpr std::array<std::string_view, 4> sections{"cache.", "batch.", "workload.", "fault."};
  return std::any_of(sections.begin(), sections.end(), [&](std::string_view name) { return path.starts_with(name); });
}

/// Values of `base` that differ from their defaults, among the keys `wanted` lets through.
template <class Wanted>
nlohmann::json changed_values(const BaseConfig& base, Wanted wanted) {
  BaseConfig copy = base;
  const std::vector<FieldPointer> members = field_pointers(copy);
  const std::vector<Field>& fields = base_fields().fields();
  nlohmann::json changed = nlohmann::json::object();
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const FieldValue value = get_value(members[i]);
    if (value != fields[i].default_value && wanted(fields[i].path)) {
      place_value(changed, fields[i].path, value);
    }
  }
  return changed;
}

std::uint64_t hash(std::string_view text) {
  Sha256 sha256;
  sha256.update(text);
  return leading_word(sha256.finish());
}

}  // namespace

std::string identity_json(const PointConfig& point) {
  const nlohmann::json identity{
      {"schema", experiment_schema},
      {"kind", point.kind},
      {"seed", point.seed},
      {"device", to_string(point.device)},
      {"base", changed_values(point.base, [](std::string_view) { return true; })},
  };
  return canonical_json(identity);
}

std::uint64_t point_id(const PointConfig& point) { return hash(identity_json(point)); }

std::uint64_t stimulus_id(const PointConfig& point) {
  return hash(canonical_json(changed_values(point.base, is_stimulus)));
}

std::string id_text(std::uint64_t id) { return fmt::format("{:016x}", id); }

}  // namespace kvarium
