#include "kernels/cache/slice_records.hpp"

#include <algorithm>
#include <map>

#include "core/check.hpp"
#include "kernels/checksums/checksum_input.hpp"

namespace kvarium {
namespace {

CacheLayer layer_of(const PagedCacheView& cache, const SliceRecords& records) {
  return {cache, records.layer, records.first_head};
}

void record_block(const PagedCacheView& cache, const BlockRow& row, const SliceRecords& records, std::int64_t index) {
  const bool is_stored = row.block >= 0 && row.block < cache.geometry.num_blocks;
  records.covered_tokens[index] = is_stored ? static_cast<std::int32_t>(row.valid_tokens) : 0;
  const int heads = cache.geometry.num_kv_heads;
  for (int head = 0; head < heads; ++head) {
    records.expected[index * heads + head] = is_stored ? records.sum(one_head(layer_of(cache, records), head), row) : 0;
  }
}

/// Adds one stored cell of every head: the only valid one of a block that begins there.
void add_token(const PagedCacheView& cache, std::int64_t slot, std::int64_t position, const SliceRecords& records,
               std::int64_t index) {
  const CacheGeometry& geometry = cache.geometry;
  const std::int64_t element = element_bytes(geometry.element_type);
  const std::int64_t in_block = slot % geometry.block_size;
  ++records.covered_tokens[index];
  for (int head = 0; head < geometry.num_kv_heads; ++head) {
    CacheLayer cell = one_head(layer_of(cache, records), head);
    cell.cache.key.data += in_block * cache.key.strides.token * element;
    cell.cache.value.data += in_block * cache.value.strides.token * element;
    records.expected[index * geometry.num_kv_heads + head] +=
        records.sum(cell, {slot / geometry.block_size, position, 1});
  }
}

/// Index of the record of a token's block.
std::int64_t record_of(const TokenPlaces& places, const SliceRecords& records, std::int64_t token,
                       std::int64_t block_size) {
  return places.sequences[token] * records.max_num_blocks_per_sequence + places.positions[token] / block_size;
}

void validate_place(const TokenPlaces& places, const SliceRecords& records, std::int64_t token,
                    std::int64_t block_size) {
  const std::int64_t most_tokens = records.max_num_blocks_per_sequence * block_size;
  KVARIUM_VALIDATE(places.sequences[token] >= 0 && places.sequences[token] < records.num_sequences, "sequences[", token,
                   "] is ", places.sequences[token], "; use 0 to ", records.num_sequences - 1);
  KVARIUM_VALIDATE(places.positions[token] >= 0 && places.positions[token] < most_tokens, "positions[", token, "] is ",
                   places.positions[token], "; use 0 to ", most_tokens - 1);
}

/// A record grows by the token after its last one: a sum cannot tell that a cell was written twice, or left out.
void validate_order(const NewTokens& tokens, const TokenPlaces& places, const SliceRecords& records,
                    std::int64_t block_size) {
  std::map<std::int64_t, std::int64_t> covered;
  for (std::int64_t token = 0; token < tokens.num_tokens; ++token) {
    const std::int64_t slot = tokens.slot_mapping[token];
    if (slot < 0) continue;
    const std::int64_t in_block = places.positions[token] % block_size;
    KVARIUM_VALIDATE(slot % block_size == in_block, "slot_mapping[", token, "] is token ", slot % block_size,
                     " of its block but positions[", token, "] is token ", in_block, "; a position fixes its slot");
    const std::int64_t index = record_of(places, records, token, block_size);
    std::int64_t& count = covered.try_emplace(index, records.covered_tokens[index]).first->second;
    KVARIUM_VALIDATE(count == in_block, "positions[", token, "] is token ", in_block,
                     " of a block whose record covers ", count,
                     "; append tokens in order and once, and zero the record of a block that begins anew");
    ++count;
  }
}

}  // namespace

void validate_records(const PagedCacheView& cache, const SliceRecords& records) {
  KVARIUM_VALIDATE(records.sum.checksum != SliceChecksum::none,
                   "records have checksum none; use weighted_sum or mixed_sum");
  KVARIUM_VALIDATE(are_weighted(records.layer, records.first_head, cache.geometry.num_kv_heads), "records have layer ",
                   records.layer, " and first head ", records.first_head, " of ", cache.geometry.num_kv_heads,
                   "; use layers 0 to 2^44 and heads 0 to ", heads_per_layer_weight - 1);
}

void record_blocks(const PagedCacheView& cache, const StoredSequences& batch, const SliceRecords& records) {
  validate_records(cache, records);
  const std::int64_t block_size = cache.geometry.block_size;
  const std::int64_t most_tokens = records.max_num_blocks_per_sequence * block_size;
  for (std::int64_t sequence = 0; sequence < records.num_sequences; ++sequence) {
    const std::int64_t length = batch.seq_lens[sequence];
    KVARIUM_VALIDATE(length >= 0 && length <= most_tokens, "seq_lens[", sequence, "] is ", length, "; use 0 to ",
                     most_tokens);
  }
  for (std::int64_t sequence = 0; sequence < records.num_sequences; ++sequence) {
    const std::int64_t length = batch.seq_lens[sequence];
    for (std::int64_t block = 0; block * block_size < length; ++block) {
      const std::int64_t index = sequence * records.max_num_blocks_per_sequence + block;
      const std::int64_t first = block * block_size;
      record_block(cache, {batch.block_tables[index], first, std::min(block_size, length - first)}, records, index);
    }
  }
}

void write_cache(const NewTokens& tokens, const PagedCacheView& cache, const TokenPlaces& places,
                 const SliceRecords& records) {
  validate_records(cache, records);
  const std::int64_t block_size = cache.geometry.block_size;
  for (std::int64_t token = 0; token < tokens.num_tokens; ++token) {
    if (tokens.slot_mapping[token] >= 0) validate_place(places, records, token, block_size);
  }
  validate_order(tokens, places, records, block_size);
  write_cache(tokens, cache);
  for (std::int64_t token = 0; token < tokens.num_tokens; ++token) {
    if (tokens.slot_mapping[token] < 0) continue;
    add_token(cache, tokens.slot_mapping[token], places.positions[token], records,
              record_of(places, records, token, block_size));
  }
}

}  // namespace kvarium
