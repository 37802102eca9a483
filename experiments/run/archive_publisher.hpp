#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "experiments/archive/archive_content.hpp"
#include "experiments/archive/provenance.hpp"
#include "experiments/plan/plan.hpp"
#include "experiments/run/result_tables.hpp"

namespace kvarium {

/// Brings results to the disk: the one place that knows how a running experiment is kept.
class ArchivePublisher {
 public:
  /// `previous`: what the archive held before this run, empty for a new one.
  ArchivePublisher(std::filesystem::path path, const Plan& plan, std::vector<std::string> arguments,
                   ArchiveContent previous, ProvenanceRecorder provenance);

  /// Writes the archive now. Errors: InputError when it cannot be written; an older one is then still whole.
  void publish(const ResultTables& results, const std::string& exit_reason);

  /// Writes it when the last time is long ago: seldom enough that writing takes a small share of the run. Returns
  /// whether it did.
  bool publish_if_due(const ResultTables& results);

  const std::filesystem::path& path() const { return path_; }

 private:
  using Clock = std::chrono::steady_clock;

  ArchiveContent content(const ResultTables& results, const std::string& exit_reason) const;

  std::filesystem::path path_;
  const Plan& plan_;
  ArchiveContent base_;
  ProvenanceRecorder provenance_;
  Clock::time_point last_end_ = Clock::now();
  Clock::duration last_duration_{};
};

/// Whether every point is finished.
bool is_complete(const ResultTables& results);

}  // namespace kvarium
