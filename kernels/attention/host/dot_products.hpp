#pragma once

#include "kernels/attention/host/element_loader.hpp"
#include "kernels/attention/host/step_rows.hpp"

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

/// Products of `Tokens` K rows with `Heads` queries over `full` >= 1 vectors; each K element is loaded once. Sums are
/// folded eight at a time. (A loop that may run no time at all would keep the sums in memory.)
template <int Heads, int Tokens, bool HasHalf, class Loader>
void dot_tokens(const Loader& loader, const std::byte* const* rows, const HeadGroup& group, int full) {
  constexpr int num_sums = (Heads * Tokens + 7) / 8 * 8;
  Vector16 sums[num_sums];
  for (Vector16& sum : sums) sum = Vector16{};
  const auto accumulate = [&](const Vector16(&keys)[Tokens], int index) {
    for (int head = 0; head < Heads; ++head) {
      const auto query = load<Vector16>(group.queries + head * group.row_stride + index * lanes);
      for (int token = 0; token < Tokens; ++token) sums[head * Tokens + token] += query * keys[token];
    }
  };
  int index = 0;
  do {
    Vector16 keys[Tokens];
    for (int token = 0; token < Tokens; ++token) keys[token] = loader.full(rows[token], index);
    accumulate(keys, index);
  } while (++index < full);
  if constexpr (HasHalf) {
    Vector16 keys[Tokens];
    for (int token = 0; token < Tokens; ++token) keys[token] = loader.half(rows[token], full);
    accumulate(keys, full);
  }
  float products[num_sums];
  for (int first = 0; first < num_sums; first += 8) {
    sum_lanes(reinterpret_cast<const Vector16(&)[8]>(sums[first]), products + first);
  }
  for (int head = 0; head < Heads; ++head) {
    std::memcpy(group.results + head * group.result_stride, products + head * Tokens, Tokens * sizeof(float));
  }
}

/// results[head, token] = query[head] . key[token] for a whole step.
template <int Heads, bool HasHalf, class Loader>
void dot_rows(const Loader& loader, const StepRows& step, HeadGroup group, int full) {
  constexpr int tokens = 4;
  int token = 0;
  for (; token + tokens <= step.count; token += tokens, group.results += tokens) {
    for (int i = 0; i < tokens; ++i) ask_ahead(step, token + i, 0, step.row_bytes);
    dot_tokens<Heads, tokens, HasHalf>(loader, step.rows + token, group, full);
  }
  for (; token < step.count; ++token, ++group.results) {
    dot_tokens<Heads, 1, HasHalf>(loader, step.rows + token, group, full);
  }
}

/// The half vector of head_size 8 in place of a whole one.
template <class Loader>
struct HalfVectorLoader {
  Loader loader;

  Vector16 full(const std::byte* row, int index) const { return loader.half(row, index); }
};

/// Query-key products of one inner step for `Heads` query heads, whichever vectors head_size is made of.
template <int Heads, class Loader>
void dot_step(const Loader& loader, const StepRows& step, const HeadGroup& group, const VectorCount& count) {
  if (count.full == 0) return dot_rows<Heads, false>(HalfVectorLoader<Loader>{loader}, step, group, 1);
  if (count.half) return dot_rows<Heads, true>(loader, step, group, count.full);
  dot_rows<Heads, false>(loader, step, group, count.full);
}

}  // namespace kvarium::host
