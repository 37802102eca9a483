#include <algorithm>
#include <vector>

#include "sim/batch.hpp"

namespace kvarium {
namespace {

bool has_matching_sizes(const Batch& batch) {
  const auto tokens = static_cast<std::size_t>(batch.num_tokens());
  return batch.token_starts.size() == batch.seq_lens.size() + 1 && batch.token_ids.size() == tokens &&
         batch.slot_mapping.size() == tokens && batch.block_tables.extent(0) == batch.seq_lens.size() &&
         batch.num_blocks_used <= batch.num_blocks;
}

bool has_valid_lengths(const Batch& batch) {
  const auto columns = static_cast<std::int64_t>(batch.block_tables.extent(1));
  for (std::int64_t sequence = 0; sequence < batch.size(); ++sequence) {
    const auto row = static_cast<std::size_t>(sequence);
    const std::int64_t length = batch.token_starts[row + 1] - batch.token_starts[row];
    if (batch.seq_lens[row] != length || batch.num_sequence_blocks(sequence) > columns) return false;
  }
  return true;
}

/// Marks the slots a sequence reads; false for a block outside the pool or a token written elsewhere.
bool mark_read_slots(const Batch& batch, std::int64_t sequence, std::vector<char>& is_read) {
  const std::int64_t start = batch.token_starts[static_cast<std::size_t>(sequence)];
  for (std::int64_t token = 0; token < batch.seq_lens[static_cast<std::size_t>(sequence)]; ++token) {
    const std::int64_t block = batch.block_tables(sequence, token / batch.block_size);
    if (block < 0 || block >= batch.num_blocks) return false;
    const std::int64_t slot = block * batch.block_size + token % batch.block_size;
    const std::int64_t written = batch.slot_mapping[static_cast<std::size_t>(start + token)];
    if (written >= 0 && written != slot) return false;
    is_read[static_cast<std::size_t>(slot)] = 1;
  }
  return true;
}

}  // namespace

bool Batch::is_complete() const {
  if (!has_matching_sizes(*this) || !has_valid_lengths(*this)) return false;
  std::vector<char> is_unwritten(static_cast<std::size_t>(num_blocks * block_size), 0);
  for (std::int64_t sequence = 0; sequence < size(); ++sequence) {
    if (!mark_read_slots(*this, sequence, is_unwritten)) return false;
  }
  for (const std::int64_t slot : slot_mapping) {
    // A second write to the same slot finds it written already.
    if (slot >= 0 && is_unwritten[static_cast<std::size_t>(slot)]-- != 1) return false;
  }
  return std::ranges::count(is_unwritten, 1) == 0;
}

}  // namespace kvarium
