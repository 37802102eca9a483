#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "experiments/archive/archive_content.hpp"
#include "experiments/archive/file_digest.hpp"

namespace kvarium {

/// "2026-11-30T05:49:30Z".
std::string utc_text(std::chrono::system_clock::time_point time);

/// Collects the facts about one run: build, libraries, machine, device, input files, times, and why it ended.
class ProvenanceRecorder {
 public:
  /// Starts the clock. `device` is the experiment's ("cpu", "cuda").
  ProvenanceRecorder(std::string device, const std::vector<FileDigest>& inputs);

  /// The facts as of now. `exit_reason`: "complete", "running", "stopped by SIGINT", ...
  RunProvenance facts(const std::string& exit_reason) const;

  std::chrono::system_clock::time_point started() const { return started_; }

 private:
  std::chrono::system_clock::time_point started_;
  std::chrono::steady_clock::time_point clock_;
  RunProvenance fixed_;
};

}  // namespace kvarium
