#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/paged_kv_cache.hpp"
#include "sim/batch.hpp"
#include "sim/contents/synthetic_source.hpp"
#include "sim/faults/earlier_requests.hpp"
#include "sim/faults/fault_target.hpp"

namespace kvarium::test {

/// Which cache a test strikes.
struct FaultyBatchShape {
  CacheLayout layout = CacheLayout::hnd;
  ElementType element_type = ElementType::float16;
  int block_size = 8;
  std::vector<std::int64_t> context_lengths{21, 16, 5};
  std::int64_t shared_prefix_length = 8;
  std::int64_t sliding_window = 0;
};

/// Two layers of caches of a small batch with synthetic contents; cells that no sequence attends hold random bytes.
class FaultyBatch {
 public:
  explicit FaultyBatch(const FaultyBatchShape& shape);
  FaultyBatch(const FaultyBatch&) = delete;
  FaultyBatch& operator=(const FaultyBatch&) = delete;

  const Batch& batch() const { return batch_; }
  const SyntheticSource& source() const { return source_; }
  const EarlierRequests& earlier() const { return earlier_; }
  const std::vector<PagedCacheView>& layers() const { return views_; }
  FaultTarget& target() { return *target_; }
  CacheGeometry geometry() const { return views_.front().geometry; }

  /// Views, tables, earlier contents and readers, to build other targets from.
  AttendedCache attended();
  /// What readers believe: views and lengths, both open to faults.
  const std::vector<PagedCacheView>& readers() const { return readers_; }
  const std::vector<std::int32_t>& read_lengths() const { return read_lengths_; }

  /// All bytes of all layers.
  std::vector<std::byte> bytes() const;

 private:
  void fill(PagedKvCache& cache, std::int64_t layer);

  FaultyBatchShape shape_;
  Batch batch_;
  SyntheticSource source_;
  EarlierRequests earlier_;
  std::vector<PagedKvCache> caches_;
  std::vector<PagedCacheView> views_;
  std::vector<PagedCacheView> readers_;
  std::vector<std::int32_t> read_lengths_;
  std::unique_ptr<FaultTarget> target_;
};

}  // namespace kvarium::test
