#pragma once

#include <algorithm>

#include "kernels/attention/host/partition_kernel.hpp"
#include "kernels/attention/host/step_rows.hpp"

namespace kvarium::host {

/// Tokens [first, last) of a sequence.
struct TokenRange {
  std::int64_t first = 0;
  std::int64_t last = 0;

  std::int64_t size() const { return last - first; }
};

/// Where one KV head's K and V of a KV block begin.
struct BlockStart {
  const std::byte* key = nullptr;
  const std::byte* value = nullptr;
};

/// A unit's tokens in the order in which its steps visit them, and two steps more to ask ahead for.
struct RowArrays {
  const std::byte** key_rows = nullptr;    ///< [tokens + 2 * block_n] element 0 of each token
  const std::byte** value_rows = nullptr;  ///< [tokens + 2 * block_n]
  const std::byte** key_lines =
      nullptr;  ///< [tokens + 2 * block_n] what to ask for with each token; key_rows but in `split_x`
  const std::byte** value_lines = nullptr;  ///< [tokens + 2 * block_n] likewise
  std::int64_t* positions = nullptr;        ///< [tokens] position in the sequence
  BlockStart* starts = nullptr;             ///< [block_n + 1] for the KV blocks of one step
};

/// Finds the rows of one unit. A step visits its KV blocks in turns, one token of each: that many pages are then read
/// side by side, which the hardware's prefetcher answers faster than one page after the other. `split_x` holds a
/// block's tokens in one vector, so keeps them in sequence.
class UnitRows {
 public:
  UnitRows(const PagedAttentionArguments& arguments, const PartitionUnit& unit, const RowArrays& arrays)
      : arguments_(arguments), unit_(unit), arrays_(arrays) {}

  void find(const TokenRange& tokens, int block_n) {
    tokens_ = tokens;
    for (std::int64_t first = tokens.first; first < tokens.last; first += block_n) {
      const TokenRange step{first, std::min(first + block_n, tokens.last)};
      find_starts(step);
      is_split() ? find_in_sequence(step) : find_in_turns(step);
    }
    const std::int64_t count = tokens.size();
    std::fill_n(arrays_.key_lines + count, 2 * block_n, arrays_.key_lines[count - 1]);
    std::fill_n(arrays_.value_lines + count, 2 * block_n, arrays_.value_lines[count - 1]);
  }

  /// K rows of a step; meanwhile its V is asked for.
  StepRows keys(const TokenRange& step) const {
    const std::int64_t first = step.first - tokens_.first;
    return {arrays_.key_rows + first, arrays_.value_lines + first, arrays_.key_lines + first + step.size() / 4,
            row_bytes(), static_cast<int>(step.size())};
  }

  /// V rows of a step; meanwhile K of the next one is asked for.
  StepRows values(const TokenRange& step) const {
    const std::int64_t first = step.first - tokens_.first;
    return {arrays_.value_rows + first, arrays_.key_lines + first + step.size(),
            arrays_.value_lines + first + step.size() / 4, row_bytes(), static_cast<int>(step.size())};
  }

  const std::int64_t* positions(const TokenRange& step) const {
    return arrays_.positions + (step.first - tokens_.first);
  }

 private:
  bool is_split() const { return arguments_.shape.cache.layout == CacheLayout::split_x; }
  int bytes_of_element() const { return static_cast<int>(element_bytes(arguments_.shape.cache.element_type)); }
  std::ptrdiff_t row_bytes() const { return std::ptrdiff_t{arguments_.shape.cache.head_size} * bytes_of_element(); }

  std::int64_t key_step() const { return arguments_.cache.key.strides.token * bytes_of_element(); }
  std::int64_t value_step() const { return arguments_.cache.value.strides.token * bytes_of_element(); }
  std::int64_t block_size() const { return arguments_.shape.cache.block_size; }

  void find_starts(const TokenRange& step) {
    const std::int64_t first = step.first / block_size();
    for (std::int64_t block = first; block * block_size() < step.last; ++block) {
      arrays_.starts[block - first] = block_start(block);
    }
  }

  void find_in_turns(const TokenRange& step) {
    // Copies, which the stores below cannot change: this loop runs once a token.
    const RowArrays arrays = arrays_;
    const std::int64_t size = block_size(), key_bytes = key_step(), value_bytes = value_step();
    const std::int64_t first_block_token = step.first / size * size;
    const bool one_block = step.last <= first_block_token + size;
    std::int64_t index = step.first - tokens_.first;
    for (std::int64_t offset = one_block ? step.first - first_block_token : 0; offset < size; ++offset) {
      const BlockStart* start = arrays.starts;
      for (std::int64_t token = first_block_token + offset; token < step.last; token += size, ++start) {
        if (token < step.first) continue;
        arrays.key_rows[index] = start->key + offset * key_bytes;
        arrays.value_rows[index] = start->value + offset * value_bytes;
        arrays.positions[index++] = token;
      }
    }
  }

  void find_in_sequence(const TokenRange& step) {
    const std::int64_t first_block = step.first / block_size();
    for (std::int64_t token = step.first; token < step.last; ++token) {
      const BlockStart& start = arrays_.starts[token / block_size() - first_block];
      const std::int64_t offset = token % block_size();
      const std::int64_t index = token - tokens_.first;
      arrays_.key_rows[index] = start.key + offset * key_step();
      arrays_.value_rows[index] = start.value + offset * value_step();
      // Tokens share their lines, so each asks for a part of the slab.
      arrays_.key_lines[index] = start.key + offset * row_bytes();
      arrays_.value_lines[index] = start.value + offset * row_bytes();
      arrays_.positions[index] = token;
    }
  }

  BlockStart block_start(std::int64_t logical_block) const {
    const std::int64_t block =
        arguments_.block_tables[unit_.sequence * arguments_.shape.max_num_blocks_per_sequence + logical_block];
    const auto start = [&](const CacheTensor& tensor) {
      return tensor.data + tensor.strides.offset(block, unit_.kv_head, 0, 0) * bytes_of_element();
    };
    return {start(arguments_.cache.key), start(arguments_.cache.value)};
  }

  const PagedAttentionArguments& arguments_;
  PartitionUnit unit_;
  RowArrays arrays_;
  TokenRange tokens_;
};

}  // namespace kvarium::host
