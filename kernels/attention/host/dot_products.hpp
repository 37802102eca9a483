#pragma once

#include "kernels/attention/host/element_loader.hpp"

namespace kvarium::host {

/// Query heads that share one pass over K or V, and where their results go.
struct HeadGroup {
  const float* queries = nullptr;  ///< [Heads, row_stride], zero-padded to whole vectors
  float* results = nullptr;        ///< [Heads, result_stride]
  std::int64_t row_stride = 0;
  std::int64_t result_stride = 0;
};

/// head_size as whole vectors and perhaps a half one.
struct VectorCount {
  int full = 0;
  bool half = false;

  explicit VectorCount(int head_size) : full(head_size / lanes), half(head_size % lanes != 0) {}
};

/// Products of `Tokens` K rows with `Heads` queries; each K element is loaded once. `ahead` is prefetched.
/// Sums are folded eight at a time.
template <int Heads, int Tokens, class Loader>
void dot_tokens(const Loader& loader, const std::byte* const* rows, const std::byte* const* ahead,
                const HeadGroup& group, const VectorCount& count) {
  constexpr int num_sums = (Heads * Tokens + 7) / 8 * 8;
  Vector16 sums[num_sums] = {};
  const auto accumulate = [&](const Vector16(&keys)[Tokens], int index) {
    for (int head = 0; head < Heads; ++head) {
      const auto query = load<Vector16>(group.queries + head * group.row_stride + index * lanes);
      for (int token = 0; token < Tokens; ++token) sums[head * Tokens + token] += query * keys[token];
    }
  };
  for (int index = 0; index < count.full; ++index) {
    Vector16 keys[Tokens];
    for (int token = 0; token < Tokens; ++token) {
      loader.prefetch(ahead[token], index);
      keys[token] = loader.full(rows[token], index);
    }
    accumulate(keys, index);
  }
  if (count.half) {
    Vector16 keys[Tokens];
    for (int token = 0; token < Tokens; ++token) keys[token] = loader.half(rows[token], count.full);
    accumulate(keys, count.full);
  }
  float products[num_sums];
  for (int first = 0; first < num_sums; first += 8) {
    sum_lanes(reinterpret_cast<const Vector16(&)[8]>(sums[first]), products + first);
  }
  for (int head = 0; head < Heads; ++head) {
    std::memcpy(group.results + head * group.result_stride, products + head * Tokens, Tokens * sizeof(float));
  }
}

/// Rows of a step and of the step after it (for prefetching).
struct StepRows {
  const std::byte* const* rows = nullptr;
  const std::byte* const* ahead = nullptr;
  int count = 0;
};

/// results[head, token] = query[head] . key[token] for a whole step.
template <int Heads, class Loader>
void dot_step(const Loader& loader, const StepRows& step, HeadGroup group, const VectorCount& count) {
  constexpr int tokens = 4;
  int token = 0;
  for (; token + tokens <= step.count; token += tokens, group.results += tokens) {
    dot_tokens<Heads, tokens>(loader, step.rows + token, step.ahead + token, group, count);
  }
  for (; token < step.count; ++token, ++group.results) {
    dot_tokens<Heads, 1>(loader, step.rows + token, step.ahead + token, group, count);
  }
}

}  // namespace kvarium::host
