#include "experiments/plan/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/check.hpp"
#include "experiments/config/experiment_json.hpp"
#include "experiments/plan/canonical_json.hpp"
#include "experiments/plan/identity_text.hpp"
#include "experiments/plan/kept_combinations.hpp"
#include "experiments/plan/plan_limits.hpp"
#include "experiments/plan/point_identity.hpp"
#include "experiments/plan/point_maker.hpp"
#include "experiments/plan/sha256.hpp"
#include "experiments/plan/skip_reasons.hpp"
#include "experiments/plan/sweep_product.hpp"

namespace kvarium {
namespace {

std::vector<std::uint64_t> sorted(std::vector<std::uint64_t> ids) {
  std::sort(ids.begin(), ids.end());
  return ids;
}

/// Point of a plan with the id, from `first` on.
std::ptrdiff_t find_id(const std::vector<std::uint64_t>& ids, std::uint64_t id, std::ptrdiff_t first) {
  return std::find(ids.begin() + first, ids.end(), id) - ids.begin();
}

void validate_distinct(const std::vector<std::uint64_t>& ids) {
  const std::vector<std::uint64_t> ordered = sorted(ids);
  const auto twin = std::adjacent_find(ordered.begin(), ordered.end());
  if (twin == ordered.end()) return;
  const std::ptrdiff_t first = find_id(ids, *twin, 0);
  throw InputError(fmt::format("points {} and {} of the sweep are one, written in two ways (id {}); remove one", first,
                               find_id(ids, *twin, first + 1), id_text(*twin)));
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
  const Sweep& sweep = experiment_.sweep;
  for (const std::string& path : swept_paths(sweep)) {
    swept_fields_.push_back(&base_fields().fields().at(static_cast<std::size_t>(base_fields().find(path))));
  }
  const std::vector<FieldPointer> members = field_pointers(experiment_.point.base);
  for (const Field* field : swept_fields_) {
    base_values_.push_back(get_value(members[static_cast<std::size_t>(field - base_fields().fields().data())]));
  }
  if (sweep.sample || !sweep.exclude.empty()) kept_ = kept_combinations(sweep, experiment_.point.seed);
  num_combinations_ = kept_ ? std::ssize(*kept_) : sweep.has_product() ? num_combinations(sweep.axes) : 0;
  KVARIUM_EXPECT(num_combinations_ <= most_points);
  identify_points();
}

void Plan::identify_points() {
  const std::int64_t count = num_combinations_ + std::ssize(experiment_.sweep.list);
  PointMaker maker(experiment_.point, swept_fields_);
  IdentityText identity(maker.make(values_at(0)), swept_fields_);
  Sha256 sha256;
  point_ids_.reserve(static_cast<std::size_t>(count));
  for (std::int64_t index = 0; index < count; ++index) {
    maker.make(values_at(index));
    sha256.update(identity.text());
    point_ids_.push_back(leading_word(sha256.finish()));
  }
  validate_distinct(point_ids_);
}

std::vector<const FieldValue*> Plan::values_of_combination(std::int64_t combination) const {
  std::vector<const FieldValue*> values;
  values.reserve(swept_fields_.size());
  const std::vector<std::size_t> positions = combination_positions(experiment_.sweep.axes, combination);
  for (std::size_t axis = 0; axis < positions.size(); ++axis) {
    for (const FieldValue& value : experiment_.sweep.axes[axis].values[positions[axis]]) values.push_back(&value);
  }
  for (std::size_t i = values.size(); i < swept_fields_.size(); ++i) values.push_back(&base_values_[i]);
  return values;
}

std::vector<const FieldValue*> Plan::values_of_row(const SweepRow& row) const {
  std::vector<const FieldValue*> values;
  for (std::size_t i = 0; i < swept_fields_.size(); ++i) {
    const auto named = std::ranges::find(row.paths, swept_fields_[i]->path);
    values.push_back(named == row.paths.end() ? &base_values_[i]
                                              : &row.values[static_cast<std::size_t>(named - row.paths.begin())]);
  }
  return values;
}

std::vector<const FieldValue*> Plan::values_at(std::int64_t index) const {
  if (index >= num_combinations_) {
    return values_of_row(experiment_.sweep.list.at(static_cast<std::size_t>(index - num_combinations_)));
  }
  return values_of_combination(kept_ ? (*kept_)[static_cast<std::size_t>(index)] : index);
}

std::vector<FieldValue> Plan::swept_values(std::int64_t index) const {
  std::vector<FieldValue> values;
  for (const FieldValue* value : values_at(index)) values.push_back(*value);
  return values;
}

PointConfig Plan::point(std::int64_t index) const {
  return PointMaker(experiment_.point, swept_fields_).make(values_at(index));
}

std::optional<std::string> Plan::skip_reason(std::int64_t index) const { return SkipReasons(*this).at(index); }

void Plan::validate_runnable() const {
  SkipReasons reasons(*this);
  std::optional<std::string> first_reason;
  for (std::int64_t index = 0; index < num_points(); ++index) {
    const auto reason = reasons.at(index);
    if (!reason) return;
    if (!first_reason) first_reason = reason;
  }
  KVARIUM_VALIDATE(!first_reason, experiment_.file, ": none of the ", num_points(),
                   " points can run; the first: ", first_reason.value_or(""));
}

bool Plan::leaves_variants_open() const {
  const std::vector<FieldValue> families =
      values_of(experiment_.sweep, "variant.family", experiment_.point.base.variant.family);
  return std::ranges::find(families, FieldValue(std::string(auto_family))) != families.end();
}

std::string Plan::fingerprint() const {
  Sha256 sha256;
  sha256.update(settings_json(experiment_.point));
  for (const std::uint64_t id : sorted(point_ids_)) sha256.update(id_text(id));
  return hexadecimal(sha256.finish());
}

}  // namespace kvarium
