#include "experiments/plan/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/check.hpp"
#include "experiments/config/combination_rules.hpp"
#include "experiments/config/experiment_json.hpp"
#include "experiments/config/fault_rules.hpp"
#include "experiments/kinds/experiment_kind.hpp"
#include "experiments/plan/canonical_json.hpp"
#include "experiments/plan/plan_limits.hpp"
#include "experiments/plan/point_identity.hpp"
#include "experiments/plan/sha256.hpp"
#include "experiments/tuning/point_variant.hpp"

namespace kvarium {
namespace {

std::vector<std::uint64_t> sorted(std::vector<std::uint64_t> ids) {
  std::sort(ids.begin(), ids.end());
  return ids;
}

void validate_distinct(const std::vector<std::uint64_t>& ids) {
  const std::vector<std::uint64_t> ordered = sorted(ids);
  const auto twin = std::adjacent_find(ordered.begin(), ordered.end());
  KVARIUM_VALIDATE(twin == ordered.end(), "two points have the id ", id_text(twin == ordered.end() ? 0 : *twin),
                   "; change the seed");
}

/// How each point is run, as canonical JSON.
std::string settings_json(const PointConfig& point) {
  const nlohmann::json json = nlohmann::json::parse(point_json(point).dump());
  nlohmann::json settings;
  for (const char* section : {"replicates", "controls", "limits", "record"}) settings[section] = json.at(section);
  return canonical_json(settings);
}

}  // namespace

Plan::Plan(ExperimentConfig experiment) : experiment_(std::move(experiment)) {
  const std::int64_t count = count_points(experiment_.sweep);
  KVARIUM_EXPECT(count <= most_points);
  point_ids_.reserve(static_cast<std::size_t>(count));
  for (std::int64_t index = 0; index < count; ++index) point_ids_.push_back(point_id(point(index)));
  validate_distinct(point_ids_);
}

std::vector<std::size_t> Plan::positions(std::int64_t index) const {
  std::vector<std::size_t> positions(experiment_.sweep.size());
  auto rest = static_cast<std::size_t>(index);
  for (std::size_t axis = positions.size(); axis-- > 0;) {
    const std::size_t size = experiment_.sweep[axis].values.size();
    positions[axis] = rest % size;
    rest /= size;
  }
  return positions;
}

std::vector<const Field*> Plan::swept_fields() const {
  std::vector<const Field*> fields;
  for (const SweepAxis& axis : experiment_.sweep) {
    for (const std::string& path : axis.paths) {
      fields.push_back(&base_fields().fields().at(static_cast<std::size_t>(base_fields().find(path))));
    }
  }
  return fields;
}

std::vector<FieldValue> Plan::swept_values(std::int64_t index) const {
  const std::vector<std::size_t> chosen = positions(index);
  std::vector<FieldValue> values;
  for (std::size_t axis = 0; axis < chosen.size(); ++axis) {
    const std::vector<FieldValue>& row = experiment_.sweep[axis].values[chosen[axis]];
    values.insert(values.end(), row.begin(), row.end());
  }
  return values;
}

PointConfig Plan::point(std::int64_t index) const {
  PointConfig point = experiment_.point;
  const std::vector<FieldPointer> members = field_pointers(point.base);
  const std::vector<const Field*> fields = swept_fields();
  const std::vector<FieldValue> values = swept_values(index);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    set_value(members[static_cast<std::size_t>(fields[i] - base_fields().fields().data())], values[i]);
  }
  point.base.fault = resolved_fault(point.base.fault);
  return point;
}

std::optional<std::string> Plan::skip_reason(std::int64_t index) const {
  const PointConfig resolved = point(index);
  if (auto problem = combination_problem(resolved.base)) return problem;
  const VariantChoice choice = point_variant(resolved, SpillCheck::skip);
  return experiment_kinds().at(resolved.kind).refusal(with_variant(resolved, choice.variant));
}

void Plan::validate_runnable() const {
  std::optional<std::string> first_reason;
  for (std::int64_t index = 0; index < num_points(); ++index) {
    const auto reason = skip_reason(index);
    if (!reason) return;
    if (!first_reason) first_reason = reason;
  }
  KVARIUM_VALIDATE(!first_reason, experiment_.file, ": none of the ", num_points(), " points can run; the first: ",
                   first_reason.value_or(""));
}

bool Plan::leaves_variants_open() const {
  const auto is_open = [](const FieldValue& value) { return value == FieldValue(std::string(auto_family)); };
  const std::string key = "variant.family";
  for (const SweepAxis& axis : experiment_.sweep) {
    const auto path = std::find(axis.paths.begin(), axis.paths.end(), key);
    if (path == axis.paths.end()) continue;
    const auto column = static_cast<std::size_t>(path - axis.paths.begin());
    return std::any_of(axis.values.begin(), axis.values.end(), [&](const auto& row) { return is_open(row[column]); });
  }
  return leaves_variant_open(experiment_.point);
}

std::string Plan::fingerprint() const {
  Sha256 sha256;
  sha256.update(settings_json(experiment_.point));
  for (const std::uint64_t id : sorted(point_ids_)) sha256.update(id_text(id));
  return hexadecimal(sha256.finish());
}

}  // namespace kvarium
