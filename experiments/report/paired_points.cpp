#include "experiments/report/paired_points.hpp"

#include <algorithm>
#include <vector>

#include "experiments/kinds/checksum_verdict.hpp"

namespace kvarium {
namespace {

enum class Seen : std::uint8_t { no, yes, not_applicable };

/// The number of a flag's meaning; -1 where the column has no such.
std::int64_t flag(const Table& table, const std::string& column, const std::string& meaning) {
  const int index = table.schema().find(column);
  if (index < 0) return -1;
  const std::vector<std::string>& meanings = table.columns()[static_cast<std::size_t>(index)].schema().flag_meanings;
  const auto found = std::ranges::find(meanings, meaning);
  return found == meanings.end() ? -1 : found - meanings.begin();
}

/// What each trial with a fault was to the checksum. Faults are numbered before the controls.
std::vector<Seen> seen_faults(const Table& trials) {
  std::vector<Seen> seen;
  if (trials.schema().find("verdict") < 0 || trials.schema().find("control") < 0) return seen;
  const auto controls = trials.column("control").values<std::int8_t>();
  const auto verdicts = trials.column("verdict").values<std::int8_t>();
  const bool says_applicable = trials.schema().find("applicable") >= 0;
  const std::int64_t not_applicable = flag(trials, "effect", "not_applicable");
  for (std::size_t row = 0; row < trials.num_rows(); ++row) {
    if (controls[row] != static_cast<std::int8_t>(TrialControl::fault)) break;
    const bool applies = says_applicable ? trials.column("applicable").values<std::int8_t>()[row] != 0
                                         : trials.column("effect").values<std::int8_t>()[row] != not_applicable;
    const auto verdict = static_cast<ChecksumVerdict>(verdicts[row]);
    const bool is_seen = verdict == ChecksumVerdict::detected || verdict == ChecksumVerdict::repaired;
    seen.push_back(!applies ? Seen::not_applicable : is_seen ? Seen::yes : Seen::no);
  }
  return seen;
}

}  // namespace

std::optional<PairedCounts> paired_counts(const StoredResults& stored, std::int64_t first, std::int64_t second) {
  if (first < 0 || second < 0) return {};
  const std::vector<Seen> left = seen_faults(stored.results.rows_of(first).trials);
  const std::vector<Seen> right = seen_faults(stored.results.rows_of(second).trials);
  PairedCounts counts{};
  bool has_trials = false;
  for (std::size_t trial = 0; trial < std::min(left.size(), right.size()); ++trial) {
    if (left[trial] == Seen::not_applicable || right[trial] == Seen::not_applicable) continue;
    has_trials = true;
    const bool first_saw = left[trial] == Seen::yes, second_saw = right[trial] == Seen::yes;
    ++(first_saw ? second_saw ? counts.both : counts.first_only : second_saw ? counts.second_only : counts.neither);
  }
  return has_trials ? std::optional(counts) : std::nullopt;
}

}  // namespace kvarium
