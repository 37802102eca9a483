#include "sim/batch.hpp"

#include <algorithm>
#include <optional>
#include <span>

#include "core/check.hpp"
#include "core/rounding.hpp"
#include "sim/random_purpose.hpp"

namespace kvarium {
namespace {

void validate_shape(const BatchShape& shape) {
  KVARIUM_VALIDATE(shape.block_size > 0, "block_size is ", shape.block_size, "; use 1 token or more");
  KVARIUM_VALIDATE(shape.shared_prefix_length >= 0, "shared_prefix_length is ", shape.shared_prefix_length,
                   "; use 0 tokens or more");
  KVARIUM_VALIDATE(shape.vocabulary_size > 0, "vocabulary_size is ", shape.vocabulary_size, "; use 1 or more");
  KVARIUM_VALIDATE(shape.num_blocks >= 0, "num_blocks is ", shape.num_blocks, "; use 0 (as many as needed) or more");
}

void set_token_starts(Batch& batch) {
  std::int64_t start = 0;
  batch.token_starts.push_back(start);
  for (const std::int32_t length : batch.seq_lens) batch.token_starts.push_back(start += length);
}

/// Token ids are a function of key, owner (0: shared prefix, s + 1: sequence s) and position.
void draw_tokens(Batch& batch, const BatchShape& shape, const RandomKey& key) {
  const auto vocabulary = static_cast<std::uint64_t>(shape.vocabulary_size);
  batch.token_ids.reserve(static_cast<std::size_t>(batch.num_tokens()));
  for (std::int64_t sequence = 0; sequence < batch.size(); ++sequence) {
    const CounterRandom prefix = random_for(RandomPurpose::token_ids, key, 0);
    const CounterRandom own = random_for(RandomPurpose::token_ids, key, static_cast<std::uint64_t>(sequence) + 1);
    for (std::int64_t token = 0; token < batch.seq_lens[static_cast<std::size_t>(sequence)]; ++token) {
      const CounterRandom& random = token < shape.shared_prefix_length ? prefix : own;
      const std::uint64_t word = random.at(static_cast<std::uint64_t>(token));
      batch.token_ids.push_back(static_cast<std::int32_t>(word % vocabulary));
    }
  }
}

std::span<const std::int32_t> block_tokens(const Batch& batch, std::int64_t sequence, std::int64_t logical) {
  const auto row = static_cast<std::size_t>(sequence);
  const std::int64_t first = batch.token_starts[row] + logical * batch.block_size;
  const std::int64_t count = std::min<std::int64_t>(batch.block_size, batch.token_starts[row + 1] - first);
  return std::span(batch.token_ids).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
}

/// Full blocks of the whole batch with different contents, and partial blocks.
std::int64_t count_needed_blocks(const Batch& batch, std::int64_t shared_prefix_length) {
  std::int64_t needed = 0;
  std::int64_t longest_shared = 0;
  for (const std::int32_t length : batch.seq_lens) {
    const std::int64_t shared = std::min<std::int64_t>(length, shared_prefix_length) / batch.block_size;
    longest_shared = std::max(longest_shared, shared);
    needed += divide_up<std::int64_t>(length, batch.block_size) - shared;
  }
  return needed + longest_shared;
}

/// A block of the batch and whether another sequence already fills it.
struct PlacedBlock {
  BlockId id;
  bool is_found = false;
};

/// Walks one sequence's blocks, carrying the hash of all tokens so far.
class BlockPlacer {
 public:
  explicit BlockPlacer(BlockPool& pool) : pool_(pool) {}

  PlacedBlock place(std::span<const std::int32_t> tokens, bool is_full) {
    if (!is_full) return {pool_.allocate(1).front()};
    parent_ = hash_block(parent_, tokens);
    if (const std::optional<BlockId> shared = pool_.share(*parent_)) return {*shared, true};
    const BlockId block = pool_.allocate(1).front();
    pool_.remember(block, *parent_);
    return {block};
  }

 private:
  BlockPool& pool_;
  std::optional<BlockHash> parent_;
};

void place_sequence(Batch& batch, std::int64_t sequence, BlockPool& pool) {
  BlockPlacer placer(pool);
  for (std::int64_t logical = 0; logical < batch.num_sequence_blocks(sequence); ++logical) {
    const std::span<const std::int32_t> tokens = block_tokens(batch, sequence, logical);
    const PlacedBlock block = placer.place(tokens, std::ssize(tokens) == batch.block_size);
    batch.block_tables(sequence, logical) = block.id.value();
    const std::int64_t first_slot = std::int64_t{block.id.value()} * batch.block_size;
    for (std::int64_t token = 0; token < std::ssize(tokens); ++token) {
      batch.slot_mapping.push_back(block.is_found ? -1 : first_slot + token);
    }
  }
}

void place_blocks(Batch& batch, BlockPool& pool) {
  const std::int64_t columns = divide_up<std::int64_t>(batch.max_seq_len(), batch.block_size);
  // One column at least, so that a batch of empty sequences still has rows with an address.
  batch.block_tables = BlockTableView(Kokkos::view_alloc("kvarium::Batch::block_tables", Kokkos::WithoutInitializing),
                                      static_cast<std::size_t>(batch.size()),
                                      static_cast<std::size_t>(std::max<std::int64_t>(columns, 1)));
  std::fill_n(batch.block_tables.data(), batch.block_tables.size(), -1);
  batch.slot_mapping.reserve(static_cast<std::size_t>(batch.num_tokens()));
  for (std::int64_t sequence = 0; sequence < batch.size(); ++sequence) place_sequence(batch, sequence, pool);
  batch.num_blocks_used = pool.num_in_use();
}

}  // namespace

std::int64_t Batch::max_seq_len() const { return seq_lens.empty() ? 0 : *std::ranges::max_element(seq_lens); }

std::int64_t Batch::num_sequence_blocks(std::int64_t sequence) const {
  return divide_up<std::int64_t>(seq_lens[static_cast<std::size_t>(sequence)], block_size);
}

Batch build_batch(const BatchShape& shape, const RandomKey& key) {
  validate_shape(shape);
  Batch batch;
  batch.block_size = shape.block_size;
  batch.seq_lens = draw_lengths(shape.lengths, shape.num_sequences, key);
  set_token_starts(batch);
  draw_tokens(batch, shape, key);
  const std::int64_t needed = count_needed_blocks(batch, shape.shared_prefix_length);
  batch.num_blocks = shape.num_blocks == 0 ? needed : shape.num_blocks;
  KVARIUM_VALIDATE(needed <= batch.num_blocks, "out of KV blocks: ", needed, " needed, ", batch.num_blocks,
                   " free; raise num_blocks, or use fewer or shorter sequences");
  BlockPool pool(batch.num_blocks);
  CounterRandom order = random_for(RandomPurpose::block_order, key);
  pool.fragment(order, shape.fragmentation);
  place_blocks(batch, pool);
  KVARIUM_ENSURE(batch.is_complete());
  return batch;
}

}  // namespace kvarium
