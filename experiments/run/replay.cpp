#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "experiments/commands/text_table.hpp"
#include "experiments/run/replayed_trial.hpp"
#include "experiments/run/runner.hpp"

namespace kvarium {

namespace {

using Json = nlohmann::ordered_json;

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
  const StoredResults stored = read_replayable(archive);
  const std::vector<ComparedValue> values = replay(stored, find_trial(stored, archive.string(), trial));
  const std::vector<std::string> different = differing_columns(values);
  if (form == OutputForm::json) {
    print_json(trial, values, different);
  } else {
    print_text(values, different);
  }
  return different.empty() ? 0 : 1;
}

}  // namespace kvarium
