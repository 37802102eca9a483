#include "sim/faults/earlier_requests.hpp"

#include "sim/random_order.hpp"
#include "sim/random_purpose.hpp"

namespace kvarium {
namespace {

/// A block of a batch's table, each physical block by its first reader.
struct TableEntry {
  std::int64_t sequence = 0;
  std::int64_t logical_block = 0;
  std::int64_t physical_block = 0;
};

std::vector<TableEntry> used_entries(const Batch& batch) {
  std::vector<TableEntry> entries;
  std::vector<char> is_known(static_cast<std::size_t>(batch.num_blocks), 0);
  for (std::int64_t sequence = 0; sequence < batch.size(); ++sequence) {
    for (std::int64_t logical = 0; logical < batch.num_sequence_blocks(sequence); ++logical) {
      const std::int64_t block = batch.block_tables(sequence, logical);
      char& known = is_known[static_cast<std::size_t>(block)];
      if (known == 0) entries.push_back({sequence, logical, block});
      known = 1;
    }
  }
  return entries;
}

}  // namespace

EarlierRequests::EarlierRequests(const Batch& batch, const KvContentSource& source,
                                 const EarlierRequestsSettings& settings)
    : source_(source), held_(static_cast<std::size_t>(batch.num_blocks)) {
  const std::vector<TableEntry> entries = used_entries(batch);
  CounterRandom random = random_for(RandomPurpose::earlier_order, settings.key);
  const std::vector<std::size_t> order = random_order(entries.size(), random);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const TableEntry& earlier = entries[order[i]];
    held_[static_cast<std::size_t>(entries[i].physical_block)] = {
        batch.size() + earlier.sequence, settings.shared_prefix_length + earlier.logical_block * batch.block_size,
        batch.block_size};
  }
}

bool EarlierRequests::fill(const LayerBlock& place, float* key, float* value) const {
  if (place.block < 0 || place.block >= static_cast<std::int64_t>(held_.size())) return false;
  const HeldTokens& held = held_[static_cast<std::size_t>(place.block)];
  if (held.num_tokens == 0) return false;
  const TokenRange range{place.layer, held.sequence, held.first_token, held.num_tokens};
  source_.fill_key(range, key);
  source_.fill_value(range, value);
  return true;
}

}  // namespace kvarium
