#include "experiments/plan/skip_reasons.hpp"

#include <algorithm>

#include "experiments/config/combination_rules.hpp"
#include "experiments/tuning/point_variant.hpp"

namespace kvarium {
namespace {

std::string_view section_of(std::string_view path) { return path.substr(0, path.find('.')); }

/// Whether a field is in a section that the rule looks at: by section, since a rule names the keys that are worth
/// changing, not each it reads.
std::vector<bool> looked_at(const CombinationRule& rule, const std::vector<const Field*>& fields) {
  std::vector<bool> looks;
  for (const Field* field : fields) {
    looks.push_back(std::ranges::any_of(
        rule.paths, [&](const std::string& path) { return section_of(path) == section_of(field->path); }));
  }
  return looks;
}

}  // namespace

SkipReasons::SkipReasons(const Plan& plan)
    : plan_(plan),
      kind_(experiment_kinds().at(plan.experiment().point.kind)),
      maker_(plan.experiment().point, plan.swept_fields()),
      last_(plan.swept_fields().size(), nullptr) {
  for (const CombinationRule& rule : combination_rules()) {
    rules_.push_back({looked_at(rule, plan.swept_fields()), {}, false});
  }
}

void SkipReasons::forget(const std::vector<const FieldValue*>& values) {
  for (std::size_t field = 0; field < values.size(); ++field) {
    if (values[field] == last_[field]) continue;
    for (RuleState& rule : rules_) rule.is_known = rule.is_known && !rule.looks_at[field];
  }
  last_ = values;
}

std::optional<std::string> SkipReasons::combination_reason(const BaseConfig& base) {
  for (std::size_t i = 0; i < rules_.size(); ++i) {
    RuleState& rule = rules_[i];
    if (!rule.is_known) rule.problem = combination_rules()[i].problem(base);
    rule.is_known = true;
    if (rule.problem) return rule.problem;
  }
  return {};
}

std::optional<std::string> SkipReasons::at(std::int64_t index) {
  const std::vector<const FieldValue*> values = plan_.values_at(index);
  forget(values);
  const PointConfig& point = maker_.make(values);
  point_ = &point;
  if (auto reason = combination_reason(point.base)) return reason;
  if (!leaves_variant_open(point)) return kind_.refusal(point);
  return kind_.refusal(with_variant(point, point_variant(point, SpillCheck::skip).variant));
}

std::int64_t count_skipped(const Plan& plan) {
  SkipReasons reasons(plan);
  std::int64_t skipped = 0;
  for (std::int64_t index = 0; index < plan.num_points(); ++index) skipped += reasons.at(index) ? 1 : 0;
  return skipped;
}

}  // namespace kvarium
