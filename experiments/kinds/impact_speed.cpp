#include "experiments/kinds/impact_speed.hpp"

#include <limits>

#include "core/check.hpp"
#include "experiments/kinds/timed_samples.hpp"

namespace kvarium {
namespace {

/// Trials that are run once more in full: enough for a median, few beside the campaign.
constexpr std::size_t whole_trials = 30;

bool is_equal(const FaultTrial& one, const FaultTrial& other) {
  return one.effect == other.effect && one.verdict == other.verdict &&
         one.difference.is_identical == other.difference.is_identical &&
         one.difference.relative_l2 == other.difference.relative_l2;
}

/// Median, not a number of no times.
double median_of(const std::vector<double>& seconds) {
  return seconds.empty() ? std::numeric_limits<double>::quiet_NaN() : TimedSeries{"", 0, seconds}.median();
}

}  // namespace

std::vector<ColumnSchema> impact_speed_columns() {
  return {{"trial_duration", ColumnType::float64, "s", "Median time of a trial that is not computed again in full"},
          {"whole_trial_duration", ColumnType::float64, "s",
           "Median time of a trial that attends all of the layers its fault touches"},
          {"gain", ColumnType::float64, "1", "whole_trial_duration over trial_duration"}};
}

FaultTrial ImpactSpeed::run(FaultCampaign& campaign, TrialControl control, std::int64_t index) {
  FaultTrial trial;
  const double seconds =
      timed_by_host([&](std::int64_t number) { trial = campaign.run_trial(control, number); })(index);
  const bool is_timed = control == TrialControl::fault && !trial.is_rechecked && trial.fault.is_applicable();
  if (!is_timed) return trial;
  seconds_.push_back(seconds);
  if (first_.size() < whole_trials) first_.emplace_back(index, trial);
  return trial;
}

std::string ImpactSpeed::append(FaultCampaign& campaign, Table& timing_summary) const {
  std::vector<double> whole;
  std::string problem;
  for (const auto& [index, trial] : first_) {
    FaultTrial again;
    whole.push_back(timed_by_host([&](std::int64_t number) { again = campaign.run_whole_trial(number); })(index));
    if (problem.empty() && !is_equal(trial, again)) {
      problem = concatenate("trial ", index, " comes out otherwise when everything is attended in full");
    }
  }
  timing_summary.append_row({median_of(seconds_), median_of(whole), median_of(whole) / median_of(seconds_)});
  return problem;
}

}  // namespace kvarium
