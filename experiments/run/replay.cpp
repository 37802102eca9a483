#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "experiments/commands/text_table.hpp"
#include "experiments/kinds/experiment_kind.hpp"
#include "experiments/run/point_runner.hpp"
#include "experiments/run/row_comparison.hpp"
#include "experiments/run/runner.hpp"
#include "experiments/run/stored_trial.hpp"

namespace kvarium {

namespace {

using Json = nlohmann::ordered_json;

std::vector<ComparedValue> replay(const StoredTrial& stored) {
  PointConfig config = stored.plan.point(stored.point);
  // Another archive may choose another variant by now; what is replayed is what ran.
  if (stored.choice) config.base.variant = stored.choice->variant;
  const ExperimentKind& kind = experiment_kinds().at(config.kind);
  const PointResult again = kind.replay(config, point_context(config), stored.trial);
  std::vector<ComparedValue> values = compare_rows(stored.rows.trials, again.tables.trials);
  const std::vector<ComparedValue> faults = compare_rows(stored.rows.faults, again.tables.faults);
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

void print_text(const std::vector<ComparedValue>& values, const std::vector<std::string>& different) {
  TextTable table({"column", "stored", "replayed", ""});
  for (const ComparedValue& value : values) {
    table.add({fmt::format("{}[{}]/{}", value.table, value.row, value.column), value.stored, value.replayed,
               value.is_equal ? "" : "differs"});
  }
  fmt::print("{}{}\n", table.text(), different.empty() ? "equal" : "different: " + join(different));
}

void print_json(std::int64_t trial, const std::vector<ComparedValue>& values,
                const std::vector<std::string>& different) {
  Json rows = Json::array();
  for (const ComparedValue& value : values) {
    rows.push_back({{"table", value.table},
                    {"row", value.row},
                    {"column", value.column},
                    {"stored", value.stored},
                    {"replayed", value.replayed},
                    {"equal", value.is_equal}});
  }
  const Json result{{"trial", trial}, {"equal", different.empty()}, {"different", different}, {"values", rows}};
  fmt::print("{}\n", result.dump(2));
}

}  // namespace

int replay_trial(const std::filesystem::path& archive, std::int64_t trial, OutputForm form) {
  const std::vector<ComparedValue> values = replay(find_trial(archive, trial));
  const std::vector<std::string> different = differing_columns(values);
  if (form == OutputForm::json) {
    print_json(trial, values, different);
  } else {
    print_text(values, different);
  }
  return different.empty() ? 0 : 1;
}

}  // namespace kvarium
