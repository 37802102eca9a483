#include "experiments/kinds/transfer_tables.hpp"

#include "core/text.hpp"

namespace kvarium {
namespace {

/// Columns of verdicts: by check, then by check point; the cheap ones last.
std::vector<std::string> verdict_names() {
  std::vector<std::string> names;
  for (const TransferCheck& check : transfer_checks()) {
    for (const std::string& point : check_point_names()) names.push_back(point + "_" + check.name);
  }
  for (const std::string& check : cheap_check_names()) names.push_back(check);
  return names;
}

/// Verdicts of a trial in the order of those columns.
std::vector<ChecksumVerdict> verdicts_of(const TransferTrial& trial) {
  std::vector<ChecksumVerdict> verdicts;
  for (const auto& points : trial.verdicts) verdicts.insert(verdicts.end(), points.begin(), points.end());
  verdicts.insert(verdicts.end(), trial.cheap_verdicts.begin(), trial.cheap_verdicts.end());
  return verdicts;
}

std::vector<ColumnSchema> trial_columns() {
  std::vector<ColumnSchema> columns{
      {"effect", ColumnType::int8, "", "What became of the attention output", fault_effect_names()},
      {"not_applicable", ColumnType::text, "", "Why the defect could not strike"},
      {"changed_bytes", ColumnType::int64, "byte", "Attended bytes that differ from the producer's, over all steps"},
      {"relative_l2", ColumnType::float64, "1", "Relative L2 difference of the worst (request, layer, head)"},
      {"refused", ColumnType::int64, "1", "Descriptors outside an engine's memory"}};
  for (const std::string& name : verdict_names()) {
    columns.push_back(
        {name, ColumnType::int8, "", "What the check came to, at that point of the way", checksum_verdict_names()});
  }
  return columns;
}

std::vector<ColumnSchema> summary_columns() {
  std::vector<ColumnSchema> columns{
      {"num_trials", ColumnType::int64, "1", "Trials"},
      {"applicable", ColumnType::int64, "1", "Trials in which the defect could strike"},
      {"damaged", ColumnType::int64, "1", "Trials in which attention read or gave anything else than it should"},
      {"alarms", ColumnType::int64, "1", "Trials in which a check of contents raised an alarm without damage"},
      {"refused", ColumnType::int64, "1", "Descriptors outside an engine's memory"}};
  for (const std::string& effect : fault_effect_names()) {
    columns.push_back({effect, ColumnType::int64, "1", "Trials with the effect " + effect});
  }
  for (const std::string& name : verdict_names()) {
    columns.push_back({"detected_" + name, ColumnType::int64, "1", "Damaged trials in which the check saw it"});
  }
  return columns;
}

}  // namespace

KindSchema transfer_schema() {
  KindSchema schema;
  schema.trials = trial_columns();
  schema.summary = summary_columns();
  schema.timing = {{"check", ColumnType::text, "", "Check on landing", {}, false},
                   {"seconds", ColumnType::float64, "s", "What it took on the host, over all trials", {}, false},
                   {"cache_bytes", ColumnType::int64, "byte", "Cells it was asked about", {}, false},
                   {"record_bytes", ColumnType::int64, "byte", "Records that were kept for them", {}, false}};
  schema.printed = {"applicable", "damaged", "corrupted", "alarms"};
  for (const char* name : {"landing_weighted_sum", "landing_mixed_sum", "landing_kv_canary", "step_weighted_sum",
                           "step_kv_canary", "coverage", "fingerprint", "length"}) {
    schema.printed.push_back(std::string("detected_") + name);
  }
  return schema;
}

void append_transfer_trial(Table& trials, const TransferTrial& trial) {
  std::vector<Value> row{trial.effect, trial.not_applicable, trial.difference.num_changed_bytes,
                         trial.difference.relative_l2, trial.num_refused};
  for (const ChecksumVerdict verdict : verdicts_of(trial)) row.emplace_back(verdict);
  trials.append_row(row);
}

TransferCounts::TransferCounts()
    : effects_(fault_effect_names().size()), costs_(transfer_checks().size()), detected_(verdict_names().size()) {}

void TransferCounts::add(const TransferTrial& trial) {
  ++trials_;
  applicable_ += trial.not_applicable.empty();
  damaged_ += trial.is_damaged();
  refused_ += trial.num_refused;
  ++effects_[static_cast<std::size_t>(trial.effect)];
  const std::vector<ChecksumVerdict> verdicts = verdicts_of(trial);
  bool has_alarm = false;
  for (std::size_t column = 0; column < verdicts.size(); ++column) {
    detected_[column] += verdicts[column] == ChecksumVerdict::detected;
    has_alarm = has_alarm || verdicts[column] == ChecksumVerdict::false_alarm;
  }
  alarms_ += has_alarm;
  for (std::size_t check = 0; check < costs_.size(); ++check) {
    costs_[check].seconds += trial.costs[check].seconds;
    costs_[check].cache_bytes += trial.costs[check].cache_bytes;
    costs_[check].record_bytes += trial.costs[check].record_bytes;
  }
}

void TransferCounts::append_timing(Table& timing) const {
  for (std::size_t check = 0; check < costs_.size(); ++check) {
    timing.append_row(
        {transfer_checks()[check].name, costs_[check].seconds, costs_[check].cache_bytes, costs_[check].record_bytes});
  }
}

void TransferCounts::append_summary(Table& summary) const {
  std::vector<Value> row{trials_, applicable_, damaged_, alarms_, refused_};
  row.insert(row.end(), effects_.begin(), effects_.end());
  row.insert(row.end(), detected_.begin(), detected_.end());
  summary.append_row(row);
}

}  // namespace kvarium
