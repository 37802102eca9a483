#include "experiments/tuning/tuning_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/check.hpp"
#include "experiments/config/experiment_json.hpp"
#include "experiments/config/field_json.hpp"
#include "experiments/plan/load_experiment.hpp"
#include "experiments/tuning/point_variant.hpp"
#include "experiments/tuning/tuning_report.hpp"
#include "experiments/tuning/tuning_rows.hpp"
#include "kernels/attention/tuning_candidates.hpp"

namespace kvarium {
namespace {

using Json = nlohmann::ordered_json;

/// Axes of a variant that are the caller's: the tuner varies all others.
constexpr std::array<std::string_view, 2> kept_axes{"variant.verification", "variant.device_profile"};

void check_tunable(const ExperimentConfig& experiment) {
  const std::string& kind = experiment.point.kind;
  KVARIUM_VALIDATE(kind == "decode_attention", experiment.file, ": kind ", kind,
                   " measures no single variant; tune a file of kind decode_attention");
  for (const std::string& path : swept_paths(experiment.sweep)) {
    const bool is_own =
        path.starts_with("variant.") && std::find(kept_axes.begin(), kept_axes.end(), path) == kept_axes.end();
    KVARIUM_VALIDATE(!is_own, experiment.file, ": sweeps ", path, ", which `kvarium tune` varies itself; remove the",
                     " axis, or fix one value");
  }
}

/// Keys of the tuning's one axis.
std::vector<std::string> zipped_keys(const Plan& shapes) {
  std::vector<std::string> keys = tuning_shape_keys();
  keys.insert(keys.end(), tuning_variant_keys().begin(), tuning_variant_keys().end());
  for (const Field* field : shapes.swept_fields()) {
    if (std::find(keys.begin(), keys.end(), field->path) == keys.end()) keys.push_back(field->path);
  }
  return keys;
}

FieldValue value_at(BaseConfig& base, const std::string& key) {
  return get_value(field_pointers(base).at(static_cast<std::size_t>(base_fields().find(key))));
}

/// The one axis of a tuning.
struct TuningRows {
  std::vector<std::string> keys;
  Json columns;  ///< values by key, [num_points] each; empty without points
  std::vector<std::string> left_out;
};

void append_point(TuningRows& rows, BaseConfig base) {
  for (const std::string& key : rows.keys) {
    std::visit([&](const auto& value) { rows.columns[key].push_back(value); }, value_at(base, key));
  }
}

std::string setting_text(const AttentionVariant& variant) {
  return fmt::format("{} partition_size {} block_n {} stages {} warps {} combine {}", variant.family,
                     variant.partition_size, variant.block_n, variant.stages, variant.warps, variant.combine);
}

void tell_left_out(const std::string& shape, const TuningCandidates& candidates, std::vector<std::string>& lines) {
  if (candidates.num_refused > 0) {
    lines.push_back(fmt::format("{}: {} settings that their family refuses", shape, candidates.num_refused));
  }
  for (const AttentionVariant& variant : candidates.spilling) {
    lines.push_back(fmt::format("{}: {} spills registers", shape, setting_text(variant)));
  }
  if (candidates.variants.empty()) lines.push_back(fmt::format("{}: no setting is left to measure", shape));
}

/// Every candidate at every shape; `only_family`: see tuning_candidates.
TuningRows collect_rows(const Plan& shapes, const std::string& only_family) {
  TuningRows rows{zipped_keys(shapes), Json::object(), {}};
  for (std::int64_t index = 0; index < shapes.num_points(); ++index) {
    const PointConfig point = shapes.point(index);
    const std::string shape = shape_text(point.base);
    if (const auto reason = shapes.skip_reason(index)) {
      rows.left_out.push_back(fmt::format("{}: {}", shape, *reason));
      continue;
    }
    const TuningCandidates candidates = tuning_candidates(variant_request(point), only_family);
    tell_left_out(shape, candidates, rows.left_out);
    for (const AttentionVariant& variant : candidates.variants) append_point(rows, with_variant(point, variant).base);
  }
  return rows;
}

/// The experiment as a file: every key written out, the tuning's axis in place of its own.
std::string document(const ExperimentConfig& experiment, const TuningRows& rows) {
  Json json = experiment_json(experiment);
  for (const std::string& key : rows.keys) {
    std::string pointer = "/base/" + key;
    std::replace(pointer.begin(), pointer.end(), '.', '/');
    const Json::json_pointer path(pointer);
    json[path.parent_pointer()].erase(path.back());
  }
  json["sweep"] = {{"zip", Json::array({rows.columns})}};
  std::string text = "# Written by kvarium tune. Left out:\n";
  for (const std::string& line : rows.left_out) text += "# " + line + "\n";
  return text + json.dump() + "\n";
}

}  // namespace

TuningPlan make_tuning_plan(ExperimentConfig experiment) {
  check_tunable(experiment);
  AttentionVariant& variant = experiment.point.base.variant;
  const std::string only_family = variant.family == auto_family ? "" : variant.family;
  variant.family = auto_family;
  const Plan shapes(experiment);
  const TuningRows rows = collect_rows(shapes, only_family);
  KVARIUM_VALIDATE(!rows.columns.empty(), experiment.file, ": nothing to measure: ", join(rows.left_out, "; "));
  const std::string text = document(experiment, rows);
  return {Plan(parse_experiment({text, experiment.file, experiment.point.folder, {}})), rows.left_out};
}

}  // namespace kvarium
