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

/// Tokens of the present step and, from block_n on, of the next one, in the order in which they are visited. Where no
/// next token is left, the last one again.
struct RowArrays {
  const std::byte** key_rows = nullptr;    ///< [2 * block_n] element 0 of each token
  const std::byte** value_rows = nullptr;  ///< [2 * block_n]
  const std::byte** key_lines = nullptr;   ///< [2 * block_n] what to ask for with each token; key_rows but in `split_x`
  const std::byte** value_lines = nullptr;  ///< [2 * block_n] likewise
  std::int64_t* positions = nullptr;        ///< [2 * block_n] position in the sequence
  BlockStart* starts = nullptr;             ///< [block_n + 1] KV blocks of the step being found
};

/// Finds the rows of one unit, one step ahead of its reading. A step visits its KV blocks in turns, one token of each:
/// that many pages are then read side by side, which the hardware's prefetcher answers faster than one page after the
/// other. `split_x` holds a block's tokens in one vector, so keeps them in sequence.
class UnitRows {
 public:
  UnitRows(const PagedAttentionArguments& arguments, const PartitionUnit& unit, const RowArrays& arrays, int block_n)
      : arguments_(arguments), unit_(unit), arrays_(arrays), block_n_(block_n) {}

  /// Finds the first two steps.
  void start(const TokenRange& tokens) {
    tokens_ = tokens;
    step_ = {tokens.first, tokens.first};
    find_next();
    next();
  }

  /// Goes on to the next step.
  void next() {
    const auto move = [&](auto* array) { std::copy_n(array + block_n_, block_n_, array); };
    move(arrays_.key_rows);
    move(arrays_.value_rows);
    if (is_split()) move(arrays_.key_lines);
    if (is_split()) move(arrays_.value_lines);
    move(arrays_.positions);
    step_ = following();
    find_next();
  }

  /// The present step; empty behind the last one.
  const TokenRange& step() const { return step_; }

  /// K rows of the step; meanwhile its V is asked for.
  StepRows keys() const {
    return {arrays_.key_rows, arrays_.value_lines, arrays_.key_lines + step_.size() / 4, row_bytes(), count()};
  }

  /// V rows of the step; meanwhile K of the next one is asked for.
  StepRows values() const {
    return {arrays_.value_rows, arrays_.key_lines + step_.size(), arrays_.value_lines + step_.size() / 4, row_bytes(),
            count()};
  }

  const std::int64_t* positions() const { return arrays_.positions; }

 private:
  int count() const { return static_cast<int>(step_.size()); }
  TokenRange following() const { return {step_.last, std::min(step_.last + block_n_, tokens_.last)}; }

  void find_next() {
    const TokenRange step = following();
    if (step.size() > 0) {
      find_starts(step);
      is_split() ? find_in_sequence(step) : find_in_turns(step);
    }
    const std::int64_t found = block_n_ + step.size();
    const std::int64_t missing = block_n_ - step.size();
    std::fill_n(arrays_.key_lines + found, missing, arrays_.key_lines[found - 1]);
    std::fill_n(arrays_.value_lines + found, missing, arrays_.value_lines[found - 1]);
  }

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
    std::int64_t index = block_n_;
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
      const std::int64_t index = block_n_ + token - step.first;
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
  std::int64_t block_n_;
  TokenRange tokens_;
  TokenRange step_;
};

}  // namespace kvarium::host
