#include "experiments/kinds/fault_impact_tables.hpp"

#include <limits>

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
      {"relative_l2", ColumnType::float64, "1",
       "Relative L2 difference of the worst (sequence, head) from the fault-free output; infinite with NaN"},
      {"worst_row", ColumnType::int64, "1", "That row: sequence * num_heads + head"},
      {"largest_difference", ColumnType::float64, "1", "Largest difference of one output element"},
  };
}

std::vector<ColumnSchema> fault_columns() {
  return {
      {"detail", ColumnType::text, "", "What was drawn beyond the site, or why the fault was not applicable"},
      {"layer", ColumnType::int64, "1", "Layer struck", {}, true, true},
      {"sequence", ColumnType::int64, "1", "Lowest sequence that reads the struck block", {}, true, true},
      {"logical_block", ColumnType::int64, "1", "Position of the block in that sequence", {}, true, true},
      {"physical_block", ColumnType::int64, "1", "Block id in the cache", {}, true, true},
      {"num_readers", ColumnType::int64, "1", "Block table entries that read the struck tokens", {}, true, true},
      {"kv_head", ColumnType::int64, "1", "KV head of the first changed attended byte", {}, true, true},
      {"token", ColumnType::int64, "1", "Position in the sequence of the first changed attended byte", {}, true, true},
      {"tensor", ColumnType::int8, "", "Tensor of the first changed attended byte", {"key", "value"}, true, true},
      {"byte", ColumnType::int64, "1", "Byte of the cell, K before V", {}, true, true},
      {"bit", ColumnType::int64, "1", "Lowest changed bit of that element, 0: least significant", {}, true, true},
      {"field", ColumnType::int8, "", "Part of the element that changed", element_field_names(), true, true},
      {"before", ColumnType::uint64, "1", "Little-endian 8-byte piece around the byte, before", {}, true, true},
      {"after", ColumnType::uint64, "1", "The same piece after", {}, true, true},
      {"num_changed_bytes", ColumnType::int64, "byte", "Bytes changed in all"},
      {"num_changed_attended_bytes", ColumnType::int64, "byte", "Bytes changed that attention reads"},
      {"first_token", ColumnType::int64, "1", "First attended token changed, position in the sequence", {}, true, true},
      {"last_token", ColumnType::int64, "1", "Last attended token changed", {}, true, true},
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
  for (const char* verdict : {"detected", "missed", "unverified"}) {
    columns.push_back({verdict, ColumnType::int64, "1", std::string("Applicable faults with the verdict ") + verdict});
  }
  columns.push_back({"silent", ColumnType::int64, "1", "Faults that spoiled the output without being detected"});
  columns.push_back({"controls", ColumnType::int64, "1", "Trials without a fault"});
  columns.push_back({"changed_controls", ColumnType::int64, "1", "Trials without a fault whose output changed"});
  columns.push_back({"false_alarms", ColumnType::int64, "1", "Trials without a fault that the checksum reported"});
  for (const auto& [name, description] : {std::pair{"spoiled", "Output corrupted or NaN"},
                                          std::pair{"detected", "Fault detected by the checksum"},
                                          std::pair{"silent", "Output spoiled and fault not detected"}}) {
    for (ColumnSchema& column : rate_columns(name, description)) columns.push_back(std::move(column));
  }
  return columns;
}

std::vector<Value> missing_fault(std::int64_t trial, const std::string& reason) {
  std::vector<Value> row(fault_columns().size() + 1);
  row[0] = trial;
  row[1] = reason;
  row[15] = 0;
  row[16] = 0;
  return row;
}

std::vector<Value> fault_row(std::int64_t trial, const FaultRecord& record) {
  return {trial,
          record.detail,
          record.layer,
          record.sequence,
          record.logical_block,
          record.physical_block,
          record.num_readers,
          record.kv_head,
          record.token,
          record.tensor,
          record.byte,
          record.bit,
          record.field,
          record.before,
          record.after,
          record.num_changed_bytes,
          record.num_changed_attended_bytes,
          record.first_token,
          record.last_token};
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
  return schema;
}

void append_trial(PointTables& tables, std::int64_t trial, const FaultTrial& outcome) {
  const bool compared = outcome.effect != FaultEffect::not_applicable;
  tables.trials.append_row({outcome.control, outcome.effect, outcome.verdict, int{outcome.is_activated},
                            compared ? outcome.difference.relative_l2 : nan, outcome.difference.worst_row,
                            compared ? outcome.difference.largest_difference : nan});
  if (outcome.control != TrialControl::fault) return;
  const std::vector<Value> row = outcome.fault.is_applicable() ? fault_row(trial, *outcome.fault.record)
                                                               : missing_fault(trial, outcome.fault.not_applicable);
  tables.faults.append_row(row);
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
  if (spoiled && trial.verdict != ChecksumVerdict::detected) ++silent;
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
  const std::int64_t detected = count_of(counts, ChecksumVerdict::detected);
  std::vector<Value> row{applicable + count_of(counts, FaultEffect::not_applicable), applicable, counts.activated};
  for (FaultEffect effect : {FaultEffect::masked, FaultEffect::tolerable, FaultEffect::corrupted, FaultEffect::nan}) {
    row.emplace_back(count_of(counts, effect));
  }
  for (ChecksumVerdict verdict : {ChecksumVerdict::detected, ChecksumVerdict::missed, ChecksumVerdict::unverified}) {
    row.emplace_back(count_of(counts, verdict));
  }
  for (std::int64_t count : {counts.silent, counts.controls, counts.changed_controls, counts.false_alarms}) {
    row.emplace_back(count);
  }
  append_rate(row, spoiled, applicable);
  append_rate(row, detected, applicable);
  append_rate(row, counts.silent, applicable);
  tables.summary.append_row(row);
}

}  // namespace kvarium
