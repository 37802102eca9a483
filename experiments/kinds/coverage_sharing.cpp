#include "experiments/kinds/coverage_sharing.hpp"

#include <algorithm>

#include "experiments/kinds/coverage_campaign.hpp"
#include "experiments/kinds/coverage_kept.hpp"

namespace kvarium {
namespace {

std::vector<ChecksumConfig> other_checksums(const PointConfig& point, const PointContext& context) {
  std::vector<ChecksumConfig> others;
  if (!context.companions) return others;
  for (const PointConfig& companion : context.companions()) {
    const ChecksumConfig& checksum = companion.base.checksum;
    const bool is_new = checksum != point.base.checksum && std::ranges::find(others, checksum) == others.end();
    if (is_new) others.push_back(checksum);
  }
  return others;
}

/// Results of the point and of the others, or nothing where one of them throws.
std::vector<PointResult> run_together(const PointConfig& point, const PointContext& context,
                                      const std::vector<ChecksumConfig>& others) {
  try {
    return CoverageCampaign(point, context.random, others).run_all(context);
  } catch (const std::exception&) {
    return {};  // whoever it was will say so when it runs alone
  }
}

}  // namespace

PointResult run_coverage(const PointConfig& point, const PointContext& context) {
  if (context.kept == nullptr) return CoverageCampaign(point, context.random).run(context);
  if (auto known = coverage_kept(*context.kept).take(context.random, point.base.checksum)) return std::move(*known);
  const std::vector<ChecksumConfig> others = other_checksums(point, context);
  if (others.empty()) return CoverageCampaign(point, context.random).run(context);
  std::vector<PointResult> results = run_together(point, context, others);
  if (results.empty()) return CoverageCampaign(point, context.random).run(context);
  for (std::size_t other = 1; other < results.size(); ++other) {
    coverage_kept(*context.kept).add({context.random, others[other - 1], std::move(results[other])});
  }
  return std::move(results.front());
}

}  // namespace kvarium
