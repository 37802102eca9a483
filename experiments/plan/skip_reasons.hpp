#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/kinds/experiment_kind.hpp"
#include "experiments/plan/plan.hpp"
#include "experiments/plan/point_maker.hpp"

namespace kvarium {

/// Why points of a plan cannot run, asked for many of them in turn: what a rule said holds until a key changes in a
/// section it looks at.
class SkipReasons {
 public:
  /// The plan must live as long.
  explicit SkipReasons(const Plan& plan);

  /// Plan::skip_reason(index). Errors: as there.
  std::optional<std::string> at(std::int64_t index);

  /// The point that was last asked for, resolved but for its variant.
  const PointConfig& point() const { return *point_; }

 private:
  /// What a rule of combination_rules() said last.
  struct RuleState {
    std::vector<bool> looks_at;  ///< [num_fields] whether a field is in one of the rule's sections
    std::optional<std::string> problem;
    bool is_known = false;
  };

  void forget(const std::vector<const FieldValue*>& values);
  std::optional<std::string> combination_reason(const BaseConfig& base);

  const Plan& plan_;
  const ExperimentKind& kind_;
  PointMaker maker_;
  const PointConfig* point_ = nullptr;
  std::vector<RuleState> rules_;
  std::vector<const FieldValue*> last_;
};

/// How many points of a plan cannot run. Errors: as Plan::skip_reason.
std::int64_t count_skipped(const Plan& plan);

}  // namespace kvarium
