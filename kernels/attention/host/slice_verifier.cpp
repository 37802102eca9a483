#include "kernels/attention/host/slice_verifier.hpp"

#include <algorithm>
#include <atomic>

namespace kvarium::host {
namespace {

void lower(std::uint64_t& word, std::uint64_t value) {
  const std::atomic_ref<std::uint64_t> shared(word);
  std::uint64_t known = shared.load(std::memory_order_relaxed);
  while (value < known && !shared.compare_exchange_weak(known, value, std::memory_order_relaxed)) {
  }
}

void add(std::uint64_t& word, std::uint64_t count) {
  std::atomic_ref<std::uint64_t>(word).fetch_add(count, std::memory_order_relaxed);
}

}  // namespace

SliceVerifier::SliceVerifier(const PagedAttentionArguments& arguments, const AttentionVariant& variant)
    : arguments_(arguments), sum_{parse_slice_checksum(variant.verification), arguments.verification.seed} {}

void SliceVerifier::verify(const PartitionUnit& unit, std::int64_t partition_size) const {
  if (sum_.checksum == SliceChecksum::none) return;
  const std::int64_t block_size = arguments_.shape.cache.block_size;
  const std::int64_t length = arguments_.seq_lens[unit.sequence];
  const std::int64_t visible = first_visible_token(length, arguments_.sliding_window);
  const std::int64_t first = std::max(unit.partition * partition_size, visible);
  const std::int64_t last = std::min((unit.partition + 1) * partition_size, length);
  std::uint64_t verified = 0, unverified = 0;
  for (std::int64_t token = first / block_size * block_size; token < last; token += block_size) {
    ++(token >= first && is_verified(unit, token) ? verified : unverified);
  }
  add(arguments_.verification.result->verified, verified);
  add(arguments_.verification.result->unverified, unverified);
}

bool SliceVerifier::is_verified(const PartitionUnit& unit, std::int64_t first_token) const {
  const AttentionShape& shape = arguments_.shape;
  const Verification& records = arguments_.verification;
  const std::int64_t block = first_token / shape.cache.block_size;
  const std::int64_t index = unit.sequence * shape.max_num_blocks_per_sequence + block;
  const std::int64_t valid_tokens =
      std::min<std::int64_t>(arguments_.seq_lens[unit.sequence] - first_token, shape.cache.block_size);
  if (records.covered_tokens[index] != valid_tokens) return false;
  const CacheLayer layer{arguments_.cache, records.layer, records.first_head};
  const std::uint64_t sum =
      sum_(one_head(layer, unit.kv_head), {arguments_.block_tables[index], first_token, valid_tokens});
  if (sum != records.expected[index * shape.cache.num_kv_heads + unit.kv_head]) {
    lower(records.result->fault, fault_word({unit.sequence, block, unit.kv_head}));
  }
  return true;
}

}  // namespace kvarium::host
