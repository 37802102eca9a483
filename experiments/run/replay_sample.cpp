#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "core/check.hpp"
#include "core/random.hpp"
#include "experiments/run/replayed_trial.hpp"
#include "experiments/run/runner.hpp"

namespace kvarium {

namespace {

using Json = nlohmann::ordered_json;

/// Different rows of [0, total), each set of them equally likely, rising. Source: Floyd, in Bentley, "Programming
/// pearls: a sample of brilliance", Communications of the ACM 30 (1987).
std::set<std::int64_t> draw_rows(std::int64_t total, const ReplaySample& sample) {
  CounterRandom random({sample.seed, 0}, 0);
  std::set<std::int64_t> rows;
  for (std::int64_t last = std::max<std::int64_t>(total - sample.count, 0); last < total; ++last) {
    const auto row = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(last) + 1));
    if (!rows.insert(row).second) rows.insert(last);
  }
  return rows;
}

/// A trial that did not come out as it is stored.
struct DifferentTrial {
  std::int64_t trial = 0;
  std::vector<std::string> columns;
};

void print_text(std::size_t replayed, std::int64_t total, const std::vector<DifferentTrial>& different) {
  for (const DifferentTrial& one : different) fmt::print("trial {} differs in {}\n", one.trial, join(one.columns));
  fmt::print("{} of {} trials replayed, {} equal, {} different\n", replayed, total, replayed - different.size(),
             different.size());
}

void print_json(std::size_t replayed, std::int64_t total, const std::vector<DifferentTrial>& different) {
  Json trials = Json::array();
  for (const DifferentTrial& one : different) trials.push_back({{"trial", one.trial}, {"columns", one.columns}});
  const Json result{
      {"trials", total}, {"replayed", replayed}, {"equal", replayed - different.size()}, {"different", trials}};
  fmt::print("{}\n", result.dump(2));
}

}  // namespace

int replay_sample(const std::filesystem::path& archive, const ReplaySample& sample, OutputForm form) {
  const StoredResults stored = read_replayable(archive);
  const std::int64_t total = count_trials(stored);
  KVARIUM_VALIDATE(total > 0, archive.string(),
                   ": holds no trial to replay; run it with limits.max_recorded_trials "
                   "above 0");
  const std::set<std::int64_t> rows = draw_rows(total, sample);
  std::vector<DifferentTrial> different;
  for (const std::int64_t row : rows) {
    std::vector<std::string> columns = differing_columns(replay(stored, find_trial(stored, archive.string(), row)));
    if (!columns.empty()) different.push_back({row, std::move(columns)});
  }
  (form == OutputForm::json ? print_json : print_text)(rows.size(), total, different);
  return different.empty() ? 0 : 1;
}

}  // namespace kvarium
