#include "experiments/kinds/fault_impact_tables.hpp"

#include <limits>

#include "experiments/kinds/fault_rows.hpp"
#include "experiments/kinds/impact_speed.hpp"
#include "experiments/results/wilson_interval.hpp"

namespace kvarium {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

std::vector<ColumnSchema> trial_columns() {
  return {
      {"control", ColumnType::int8, "", "What the trial injected", trial_control_names()},
      {"effect", ColumnType::int8, "", "What became of the attention output", fault_effect_names()},
      {"verdict", ColumnType::int8, "", "What the checksum said", checksum_verdict_names()},
      {"activated", ColumnType::int8, "", "Whether attention read a changed byte", {"no", "yes"}},
      {"rechecked", ColumnType::int8, "", "Whether output and sums were computed again in full", {"no", "yes"}},
      {"relative_l2", ColumnType::float64, "1",
       "Relative L2 difference of the worst (sequence, head) from the fault-free output; infinite with NaN"},
      {"worst_row", ColumnType::int64, "1", "That row: sequence * num_heads + head"},
      {"largest_difference", ColumnType::float64, "1", "Largest difference of one output element"},
  };
}

std::vector<ColumnSchema> rate_columns(const std::string& name, const std::string& description) {
  return {
      {name + "_rate", ColumnType::float64, "1", description + ", share of applicable faults"},
      {name + "_low", ColumnType::float64, "1", "Lower bound of that share, Wilson, 95 %"},
      {name + "_high", ColumnType::float64, "1", "Upper bound of that share, Wilson, 95 %"},
  };
}

std::vector<ColumnSchema> summary_columns() {
  std::vector<ColumnSchema> columns{
      {"num_faults", ColumnType::int64, "1", "Trials that tried to inject a fault"},
      {"applicable", ColumnType::int64, "1", "Faults that could be injected"},
      {"activated", ColumnType::int64, "1", "Faults of which attention read a changed byte"}};
  for (const std::string& effect : fault_effect_names()) {
    if (effect == "not_applicable") continue;
    columns.push_back({effect, ColumnType::int64, "1", "Applicable faults with the effect " + effect});
  }
  for (const std::string& verdict : checksum_verdict_names()) {
    columns.push_back({verdict, ColumnType::int64, "1", "Applicable faults with the verdict " + verdict});
  }
  columns.push_back({"silent", ColumnType::int64, "1", "Faults that spoiled the output without being detected"});
  columns.push_back({"controls", ColumnType::int64, "1", "Trials without a fault"});
  columns.push_back({"changed_controls", ColumnType::int64, "1", "Trials without a fault whose output changed"});
  columns.push_back({"false_alarms", ColumnType::int64, "1", "Trials without a fault that the checksum reported"});
  for (const auto& [name, description] : {std::pair{"spoiled", "Output corrupted or NaN"},
                                          std::pair{"detected", "Fault detected or repaired by the checksum"},
                                          std::pair{"silent", "Output spoiled and fault not detected"}}) {
    for (ColumnSchema& column : rate_columns(name, description)) columns.push_back(std::move(column));
  }
  return columns;
}

void append_rate(std::vector<Value>& row, std::int64_t count, std::int64_t total) {
  const Proportion proportion = wilson_interval(count, total);
  for (double value : {proportion.rate, proportion.low, proportion.high}) row.emplace_back(value);
}

std::int64_t count_of(const FaultCounts& counts, FaultEffect effect) {
  return counts.effects[static_cast<std::size_t>(effect)];
}

std::int64_t count_of(const FaultCounts& counts, ChecksumVerdict verdict) {
  return counts.verdicts[static_cast<std::size_t>(verdict)];
}

}  // namespace

KindSchema fault_impact_schema() {
  KindSchema schema;
  schema.trials = trial_columns();
  schema.faults = fault_columns();
  schema.summary = summary_columns();
  schema.printed = {"applicable", "masked",       "tolerable",     "corrupted",
                    "nan",        "spoiled_rate", "detected_rate", "silent_rate"};
  schema.timing_summary = impact_speed_columns();
  schema.report.costs = {{"trial_duration"}, {"whole_trial_duration"}, {"gain"}};
  schema.report.shares = {"spoiled_rate", "detected_rate", "silent_rate"};
  return schema;
}

void append_trial(PointTables& tables, std::int64_t trial, const FaultTrial& outcome, const FaultTarget& target) {
  const bool compared = outcome.effect != FaultEffect::not_applicable;
  tables.trials.append_row({outcome.control, outcome.effect, outcome.verdict, int{outcome.is_activated},
                            int{outcome.is_rechecked}, compared ? outcome.difference.relative_l2 : nan,
                            outcome.difference.worst_row, compared ? outcome.difference.largest_difference : nan});
  if (outcome.control != TrialControl::fault) return;
  if (outcome.fault.is_applicable()) {
    append_fault(tables.faults, trial, *outcome.fault.record, target);
  } else {
    append_missing_fault(tables.faults, trial, outcome.fault.not_applicable);
  }
}

void FaultCounts::add(const FaultTrial& trial) {
  if (trial.control != TrialControl::fault) {
    ++controls;
    if (!trial.difference.is_identical) ++changed_controls;
    if (trial.verdict == ChecksumVerdict::false_alarm) ++false_alarms;
    return;
  }
  ++effects[static_cast<std::size_t>(trial.effect)];
  if (trial.effect == FaultEffect::not_applicable) return;
  ++verdicts[static_cast<std::size_t>(trial.verdict)];
  if (trial.is_activated) ++activated;
  const bool spoiled = trial.effect == FaultEffect::corrupted || trial.effect == FaultEffect::nan;
  const bool is_silent = trial.verdict == ChecksumVerdict::missed || trial.verdict == ChecksumVerdict::unverified ||
                         trial.verdict == ChecksumVerdict::wrong_repair;
  if (spoiled && is_silent) ++silent;
}

std::int64_t FaultCounts::applicable() const {
  std::int64_t all = 0;
  for (std::int64_t count : effects) all += count;
  return all - count_of(*this, FaultEffect::not_applicable);
}

std::string FaultCounts::control_problem() const {
  if (changed_controls > 0) {
    return concatenate(changed_controls, " of ", controls, " trials without a fault changed the output");
  }
  if (false_alarms > 0) {
    return concatenate("the checksum reported ", false_alarms, " of ", controls, " trials without a fault");
  }
  return {};
}

void append_summary(PointTables& tables, const FaultCounts& counts) {
  const std::int64_t applicable = counts.applicable();
  const std::int64_t spoiled = count_of(counts, FaultEffect::corrupted) + count_of(counts, FaultEffect::nan);
  const std::int64_t detected =
      count_of(counts, ChecksumVerdict::detected) + count_of(counts, ChecksumVerdict::repaired);
  std::vector<Value> row{applicable + count_of(counts, FaultEffect::not_applicable), applicable, counts.activated};
  for (FaultEffect effect : {FaultEffect::masked, FaultEffect::tolerable, FaultEffect::corrupted, FaultEffect::nan}) {
    row.emplace_back(count_of(counts, effect));
  }
  for (const std::int64_t count : counts.verdicts) row.emplace_back(count);
  for (std::int64_t count : {counts.silent, counts.controls, counts.changed_controls, counts.false_alarms}) {
    row.emplace_back(count);
  }
  append_rate(row, spoiled, applicable);
  append_rate(row, detected, applicable);
  append_rate(row, counts.silent, applicable);
  tables.summary.append_row(row);
}

}  // namespace kvarium
