#pragma once

#include "kernels/attention/host/dot_products.hpp"

namespace kvarium::host {

/// Weights of a step's tokens and the outputs they add to.
struct WeightGroup {
  const float* weights = nullptr;  ///< [Heads, weight_stride], zero-padded to whole vectors
  const float* rescale = nullptr;  ///< [Heads] factor on what the outputs hold already
  float* outputs = nullptr;        ///< [Heads, output_stride]
  std::int64_t weight_stride = 0;
  std::int64_t output_stride = 0;
};

/// outputs[head, vectors first..first+Vectors) = rescale * outputs + sum over tokens of weight * V row. V rows lie side
/// by side.
template <int Heads, int Vectors, ElementType Type, class Load>
void add_rows(const Load& load_vector, const StepRows& step, const WeightGroup& group, int first) {
  constexpr std::ptrdiff_t vector_bytes = lanes * element_bytes(Type);
  Vector16 sums[Heads][Vectors];
  for (int head = 0; head < Heads; ++head) {
    const float* output = group.outputs + head * group.output_stride + first * lanes;
    for (int i = 0; i < Vectors; ++i) sums[head][i] = load<Vector16>(output + i * lanes) * group.rescale[head];
  }
  for (int token = 0; token < step.count; ++token) {
    ask_ahead(step, token, first * vector_bytes, (first + Vectors) * vector_bytes);
    Vector16 values[Vectors];
    for (int i = 0; i < Vectors; ++i) values[i] = load_vector(step.rows[token], first + i);
    for (int head = 0; head < Heads; ++head) {
      const Vector16 weight = broadcast(group.weights[head * group.weight_stride + token]);
      for (int i = 0; i < Vectors; ++i) sums[head][i] += weight * values[i];
    }
  }
  for (int head = 0; head < Heads; ++head) {
    float* output = group.outputs + head * group.output_stride + first * lanes;
    for (int i = 0; i < Vectors; ++i) store(output + i * lanes, sums[head][i]);
  }
}

/// P * V of a step for rows that lie side by side.
template <int Heads, ElementType Type>
void add_row_values(const StepRows& step, const WeightGroup& group, const VectorCount& count) {
  const RowLoader<Type> loader;
  const auto full = [&](const std::byte* row, int index) { return loader.full(row, index); };
  const auto half = [&](const std::byte* row, int index) { return loader.half(row, index); };
  int first = 0;
  for (; first + 4 <= count.full; first += 4) add_rows<Heads, 4, Type>(full, step, group, first);
  for (; first < count.full; ++first) add_rows<Heads, 1, Type>(full, step, group, first);
  if (count.half) add_rows<Heads, 1, Type>(half, step, group, first);
}

/// Tokens of one KV block inside a step: address of the first one's V element 0, and its index in the step.
struct BlockSegment {
  const std::byte* value = nullptr;
  int first = 0;
  int count = 0;
};

/// Segments of a step, and what to ask for meanwhile.
struct StepSegments {
  StepRows rows;
  const BlockSegment* segments = nullptr;
  int count = 0;
};

/// Adds the products of two `split_x` V rows (two elements, all tokens of a segment) to the heads' sums.
template <int Heads, ElementType Type>
void add_segment(const BlockSegment& segment, const std::byte* const (&rows)[2], const WeightGroup& group,
                 Vector16 (&sums)[8]) {
  for (int token = 0; token < segment.count; token += lanes) {
    const std::ptrdiff_t offset = std::ptrdiff_t{token} * element_bytes(Type);
    const int left = segment.count - token;
    Vector16 values[2];
    for (int i = 0; i < 2; ++i) {
      values[i] = left >= lanes ? load_elements<Type>(rows[i] + offset) : load_elements<Type>(rows[i] + offset, left);
    }
    for (int head = 0; head < Heads; ++head) {
      const auto weights = load<Vector16>(group.weights + head * group.weight_stride + segment.first + token);
      for (int i = 0; i < 2; ++i) sums[2 * head + i] += weights * values[i];
    }
  }
}

/// P * V of a step for `split_x`, where a V row runs over tokens: `element_bytes_apart` from element to element.
/// Two elements at a time share the weights; head_size is always even.
template <int Heads, ElementType Type>
void add_split_values(const StepSegments& step, const WeightGroup& group, int head_size,
                      std::ptrdiff_t element_bytes_apart) {
  std::int64_t asked = 0;
  for (int e = 0; e < head_size; e += 2) {
    for (; asked * head_size < std::int64_t{step.rows.count} * (e + 2); ++asked)
      ask_ahead(step.rows, asked, 0, step.rows.row_bytes);
    Vector16 sums[8] = {};
    for (int i = 0; i < step.count; ++i) {
      const std::byte* row = step.segments[i].value + e * element_bytes_apart;
      add_segment<Heads, Type>(step.segments[i], {row, row + element_bytes_apart}, group, sums);
    }
    float products[8];
    sum_lanes(sums, products);
    for (int head = 0; head < Heads; ++head) {
      float* output = group.outputs + head * group.output_stride + e;
      for (int i = 0; i < 2; ++i) output[i] = output[i] * group.rescale[head] + products[2 * head + i];
    }
  }
}

}  // namespace kvarium::host
