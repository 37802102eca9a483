#pragma once

#include <filesystem>
#include <string>

namespace kvarium::test {

/// Four points, one of them an impossible combination; three trials each.
inline const std::string skipping_experiment =
    "schema: 1\nname: example\nkind: decode_attention\nreplicates: 3\n"
    "base: {cache: {head_size: 72}}\n"
    "sweep: {grid: {cache.layout: [split_x, hnd], cache.element_type: [float16, float8_e4m3]}}\n";

/// A file with the given text in a folder of its own, removed with everything beside it.
class TemporaryExperiment {
 public:
  explicit TemporaryExperiment(const std::string& text);
  ~TemporaryExperiment();
  TemporaryExperiment(const TemporaryExperiment&) = delete;
  TemporaryExperiment& operator=(const TemporaryExperiment&) = delete;

  std::string path() const { return (folder_ / "experiment.yaml").string(); }

 private:
  std::filesystem::path folder_;
};

}  // namespace kvarium::test
