#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "core/paged_kv_cache.hpp"
#include "kernels/attention/attention_arguments.hpp"

namespace kvarium::test {

/// What a decode test runs on.
struct DecodeShape {
  CacheGeometry cache;  ///< num_blocks 0: as many as the sequences need, and some more
  int query_heads_per_kv_head = 1;
  ElementType query_type = ElementType::float32;
  std::vector<std::int32_t> seq_lens;
  std::uint64_t seed = 1;
  float query_size = 1.0F;  ///< standard deviation of query elements
};

/// A batch with random contents and blocks in random order. Block table entries past a sequence's end are garbage and
/// cache slots no sequence uses are NaN.
struct DecodeCase {
  PagedKvCache cache;
  DecodeShape shape;
  std::int64_t max_num_blocks_per_sequence = 0;
  std::vector<std::byte> query;
  std::vector<std::int32_t> block_tables;
  std::vector<float> alibi_slopes, sinks;

  int num_heads() const { return shape.query_heads_per_kv_head * shape.cache.num_kv_heads; }
  std::int64_t num_sequences() const { return static_cast<std::int64_t>(shape.seq_lens.size()); }

  /// Arguments that point into this case; out and lse are the caller's.
  PagedAttentionArguments arguments(void* out, float* lse) const;
};

DecodeCase make_decode_case(DecodeShape shape);

/// Fills K and V of all heads of one slot with `bits`.
void fill_cell(const PagedCacheView& view, std::int64_t slot, std::uint32_t bits);

/// Fills every slot that no sequence reads with `bits`; the tail of last blocks included.
void fill_unused_slots(const DecodeCase& item, std::uint32_t bits);

/// The same, each element with the next bits.
void fill_unused_slots_by(const DecodeCase& item, const std::function<std::uint32_t()>& next_bits);

/// Results of one run.
struct DecodeResult {
  std::vector<std::byte> out;
  std::vector<float> lse;
  bool operator==(const DecodeResult&) const = default;
};

/// Buffers big enough for the case.
DecodeResult make_result(const DecodeCase& item);

}  // namespace kvarium::test
