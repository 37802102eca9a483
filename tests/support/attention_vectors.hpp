#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kvarium::test {

/// One case of paged_attention.h5, elements widened to float.
struct AttentionVector {
  std::string name;
  int num_kv_heads = 1, num_heads = 1, head_size = 0, block_size = 0;
  std::int64_t num_blocks = 0, num_sequences = 0, max_num_blocks_per_sequence = 0, sliding_window = 0;
  double scale = 1, softcap = 0;
  std::vector<float> query, key_cache, value_cache;  ///< caches in split_x order with groups of `x`
  int x = 8;
  std::vector<float> alibi_slopes;  ///< empty: none
  std::vector<std::int32_t> block_tables, seq_lens;
  std::vector<double> expected_output, expected_lse;
};

std::vector<AttentionVector> attention_vectors();

}  // namespace kvarium::test
