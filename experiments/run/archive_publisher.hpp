#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/archive/archive_content.hpp"
#include "experiments/archive/provenance.hpp"
#include "experiments/journal/journal_header.hpp"
#include "experiments/plan/plan.hpp"
#include "experiments/run/result_tables.hpp"

namespace kvarium {

/// Writes a run's archive: the one place that knows what an archive says of a run.
class ArchivePublisher {
 public:
  /// `previous`: what the archive and the journals beside it held before this run, empty for a new one.
  ArchivePublisher(std::filesystem::path path, const Plan& plan, std::vector<std::string> arguments,
                   ArchiveContent previous, ProvenanceRecorder provenance);

  /// Writes the archive now. Errors: InputError when it cannot be written; an older one is then still whole.
  void publish(const ResultTables& results, const std::string& exit_reason) const;

  /// What this run's journal says of itself.
  JournalHeader journal_header() const;

  /// This run's number in the archive's provenance.
  std::int64_t run() const { return static_cast<std::int64_t>(base_.runs.size()); }

  const std::filesystem::path& path() const { return path_; }

 private:
  RunProvenance run_facts(const std::string& exit_reason) const;
  ArchiveContent content(const ResultTables& results, const std::string& exit_reason) const;

  std::filesystem::path path_;
  const Plan& plan_;
  ArchiveContent base_;
  ProvenanceRecorder provenance_;
};

/// Whether every point is finished.
bool is_complete(const ResultTables& results);

}  // namespace kvarium
