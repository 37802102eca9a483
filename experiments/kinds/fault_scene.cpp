#include "experiments/kinds/fault_scene.hpp"

#include <algorithm>

namespace kvarium {

FaultScene::FaultScene(const PointConfig& point, const RandomKey& key)
    : scenario_(point, key),
      earlier_(scenario_.batch(), scenario_.source(), {key, point.base.batch.shared_prefix_length}),
      readers_(scenario_.views()),
      read_lengths_(scenario_.batch().seq_lens),
      target_(attended(point.base.batch.sliding_window)) {}

AttendedCache FaultScene::attended(std::int64_t sliding_window) {
  AttendedCache cache;
  cache.layers = scenario_.views();
  cache.block_tables = scenario_.batch().block_tables;
  cache.seq_lens = scenario_.batch().seq_lens.data();
  cache.sliding_window = sliding_window;
  cache.earlier = &earlier_;
  cache.readers = readers_;
  cache.read_lengths = read_lengths_.data();
  return cache;
}

PagedAttentionArguments FaultScene::arguments(std::int64_t layer) const {
  PagedAttentionArguments arguments = scenario_.arguments(layer);
  arguments.cache = readers_[static_cast<std::size_t>(layer)];
  arguments.shape.cache = arguments.cache.geometry;
  arguments.seq_lens = read_lengths_.data();
  // A length that is one too many stays within its blocks, not within the longest sequence.
  const auto longest = std::ranges::max_element(read_lengths_);
  if (longest != read_lengths_.end()) arguments.shape.max_seq_len = *longest;
  return arguments;
}

}  // namespace kvarium
