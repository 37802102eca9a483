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
template <int Heads, int Tokens, class Loader>
void dot_tokens(const Loader& loader, const std::byte* const* rows, const std::byte* const* ahead,
                const HeadGroup& group, const VectorCount& count) {
  Vector16 sums[Heads][Tokens] = {};
  const auto accumulate = [&](const Vector16(&keys)[Tokens], int index) {
    for (int head = 0; head < Heads; ++head) {
      const auto query = load<Vector16>(group.queries + head * group.row_stride + index * lanes);
      for (int token = 0; token < Tokens; ++token) sums[head][token] += query * keys[token];
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
  for (int head = 0; head < Heads; ++head) {
    for (int token = 0; token < Tokens; ++token) {
      group.results[head * group.result_stride + token] = sum_lanes(sums[head][token]);
    }
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
  constexpr int pair = 2;
  int token = 0;
  for (; token + pair <= step.count; token += pair, group.results += pair) {
    dot_tokens<Heads, pair>(loader, step.rows + token, step.ahead + token, group, count);
  }
  if (token < step.count) dot_tokens<Heads, 1>(loader, step.rows + token, step.ahead + token, group, count);
}

}  // namespace kvarium::host
