#include "experiments/kinds/host_checksum_work.hpp"

#include "experiments/config/checksum_rules.hpp"

namespace kvarium {

TimedWork host_checksum_work(const DecodeScenario& scenario, const PointConfig& point, std::int64_t working_set_bytes) {
  return {point.base.checksum.family, static_cast<double>(scenario.kv_bytes()),
          timed_by_host([copies = scenario.working_set(working_set_bytes), stored = scenario.stored_blocks(),
                         &point](std::int64_t sample) {
            const auto& caches = copies[static_cast<std::size_t>(sample) % copies.size()];
            std::vector<CacheLayer> layers;
            for (const PagedKvCache& cache : caches) {
              layers.push_back({cache.view(), static_cast<std::int64_t>(layers.size()), 0});
            }
            checksum_families()
                .at(point.base.checksum.family)
                .compute(layers, stored.rows(), checksum_parameters(point.base.checksum));
          })};
}

}  // namespace kvarium
