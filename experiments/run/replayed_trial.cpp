#include "experiments/run/replayed_trial.hpp"

#include "experiments/kinds/experiment_kind.hpp"
#include "experiments/run/point_runner.hpp"

namespace kvarium {

std::vector<ComparedValue> replay(const StoredResults& stored, const StoredTrial& trial) {
  PointConfig config = stored.plan.point(trial.point);
  // Another archive may choose another variant by now; what is replayed is what ran.
  if (trial.choice) config.base.variant = trial.choice->variant;
  const ExperimentKind& kind = experiment_kinds().at(config.kind);
  const PointResult again = kind.replay(config, point_context(config), trial.trial);
  std::vector<ComparedValue> values = compare_rows(trial.rows.trials, again.tables.trials);
  const std::vector<ComparedValue> faults = compare_rows(trial.rows.faults, again.tables.faults);
  values.insert(values.end(), faults.begin(), faults.end());
  return values;
}

std::vector<std::string> differing_columns(const std::vector<ComparedValue>& values) {
  std::vector<std::string> columns;
  for (const ComparedValue& value : values) {
    if (!value.is_equal) columns.push_back(value.table + "/" + value.column);
  }
  return columns;
}

}  // namespace kvarium
