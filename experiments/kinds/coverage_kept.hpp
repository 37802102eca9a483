#pragma once

#include <algorithm>
#include <any>
#include <optional>
#include <vector>

#include "core/random.hpp"
#include "experiments/config/base_config.hpp"
#include "experiments/results/point_tables.hpp"

namespace kvarium {

/// How fast a checksum sums, and the fastest reader of the same run reads, in bytes a second.
struct ChecksumSpeed {
  double bytes_per_second = 0;
  double ceiling = 0;
};

/// What points of fault_coverage leave for the points after them.
struct CoverageKept {
  /// A speed, by what it is of.
  struct Speed {
    BaseConfig base;  ///< without the fault
    ChecksumSpeed speed;
  };
  /// The result of a point whose turn has not come.
  struct Result {
    RandomKey key;  ///< seed and stimulus
    ChecksumConfig checksum;
    PointResult result;
  };

  std::vector<Speed> speeds;
  std::vector<Result> results;

  void add(Result result) { results.push_back(std::move(result)); }
  /// Gives a result away.
  std::optional<PointResult> take(const RandomKey& key, const ChecksumConfig& checksum) {
    const auto found =
        std::ranges::find_if(results, [&](const Result& one) { return one.key == key && one.checksum == checksum; });
    if (found == results.end()) return {};
    std::optional<PointResult> taken(std::move(found->result));
    results.erase(found);
    return taken;
  }
};

/// What `kept` holds, if it is of this kind; else a new one, which is then kept.
inline CoverageKept& coverage_kept(std::any& kept) {
  if (std::any_cast<CoverageKept>(&kept) == nullptr) kept = CoverageKept{};
  return *std::any_cast<CoverageKept>(&kept);
}

}  // namespace kvarium
