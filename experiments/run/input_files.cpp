#include "experiments/run/input_files.hpp"

#include <fmt/format.h>

#include <set>

#include "core/check.hpp"
#include "experiments/config/source_path.hpp"
#include "experiments/kinds/content_source.hpp"

namespace kvarium {

namespace {

constexpr const char* source_key = "cache.source";

/// Every value cache.source takes in the plan.
std::set<std::string> sources(const Plan& plan) {
  const ExperimentConfig& experiment = plan.experiment();
  std::set<std::string> found;
  for (const FieldValue& value : values_of(experiment.sweep, source_key, experiment.point.base.cache.source)) {
    found.insert(std::get<std::string>(value));
  }
  return found;
}

std::set<std::string> recorded_digests(const RunProvenance& run) {
  std::set<std::string> digests;
  for (const auto& [name, value] : run) {
    if (!name.starts_with("input_") || !name.ends_with("_sha256")) continue;
    if (const auto* digest = std::get_if<std::string>(&value.storage())) digests.insert(*digest);
  }
  return digests;
}

}  // namespace

std::vector<FileDigest> input_files(const Plan& plan) {
  std::vector<FileDigest> files;
  for (const std::string& source : sources(plan)) {
    if (is_generated(source)) continue;
    const std::filesystem::path path = source_path(source, plan.experiment().point.folder);
    files.push_back(digest_file(path));
    // A damaged dump is an input to put right, not the result of a point.
    check_dump(path);
  }
  return files;
}

void check_same_inputs(const std::string& place, const std::vector<RunProvenance>& runs,
                       const std::vector<FileDigest>& inputs) {
  for (const RunProvenance& run : runs) {
    const std::set<std::string> digests = recorded_digests(run);
    for (const FileDigest& input : inputs) {
      KVARIUM_VALIDATE(digests.contains(input.sha256), place, ": made with another version of ", input.path.string(),
                       " (its SHA-256 differs); bring that file back or choose another output");
    }
  }
}

}  // namespace kvarium
