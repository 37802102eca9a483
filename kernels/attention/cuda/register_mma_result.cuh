#pragma once

#include "kernels/attention/cuda/register_mma_attend.cuh"

namespace kvarium {

/// Softmax of the heads of a lane's two columns over all rows, against the true maximum.
struct FinishedSoftmax {
  float maximum[head_tiles][2];
  float sum[head_tiles][2];
  float factor[head_tiles][2];  ///< of the weighted values
};

/// All lanes take part; call it before any of them goes its own way.
inline FinishedSoftmax finish(const AttentionParameters& parameters, const RunningSoftmax& running) {
  FinishedSoftmax finished;
#pragma unroll
  for (int tile = 0; tile < head_tiles; ++tile) {
#pragma unroll
    for (int column = 0; column < 2; ++column) {
      const float maximum = maximum_over_rows(running.maximum[tile][column]);
      const float sum = sum_over_rows(running.sum[tile][column]);
      finished.maximum[tile][column] = maximum;
      finished.sum[tile][column] = sum * exponential(running.reference[tile][column] - maximum);
      finished.factor[tile][column] = parameters.v_scale / sum;
    }
  }
  __syncwarp();
  return finished;
}

template <ElementType type>
void store_run(void* data, int64 index, const float (&elements)[elements_per_run]) {
  if constexpr (variant::pieces_are_aligned && elements_per_run == 8 && type == ElementType::float32) {
    auto* const quads = reinterpret_cast<float4*>(static_cast<float*>(data) + index);
    quads[0] = make_float4(elements[0], elements[1], elements[2], elements[3]);
    quads[1] = make_float4(elements[4], elements[5], elements[6], elements[7]);
  } else if constexpr (variant::pieces_are_aligned && elements_per_run == 8) {
    *reinterpret_cast<uint4*>(static_cast<uint16*>(data) + index) =
        make_uint4(encode_pair<type>(elements[0], elements[1]), encode_pair<type>(elements[2], elements[3]),
                   encode_pair<type>(elements[4], elements[5]), encode_pair<type>(elements[6], elements[7]));
  } else {
#pragma unroll
    for (int i = 0; i < elements_per_run; ++i) store_element<type>(data, index + i, elements[i]);
  }
}

/// Stores a head's output as row `row` of an array of rows.
template <ElementType type>
void store_head(void* rows, int64 row, const Output& output, int heads, int column, float factor, Lane lane) {
#pragma unroll
  for (int run = 0; run < num_runs; ++run) {
    const int first = first_element_of(run, lane);
    if (first >= variant::head_size) continue;
    float elements[elements_per_run];
#pragma unroll
    for (int i = 0; i < elements_per_run; ++i) elements[i] = element_of(output, run, i, heads, column) * factor;
    store_run<type>(rows, row * variant::head_size + first, elements);
  }
}

/// Writes output and LSE of the work's heads, whose tokens are all of a sequence's visible ones. A sink joins them.
inline void write_result(const AttentionParameters& parameters, const WarpWork& work, const AttentionState& state) {
  const Lane lane = this_lane();
  const FinishedSoftmax softmax = finish(parameters, state.softmax);
#pragma unroll
  for (int tile = 0; tile < head_tiles; ++tile) {
#pragma unroll
    for (int column = 0; column < 2; ++column) {
      const int head = tile_heads * tile + 2 * lane.column + column;
      if (head >= work.num_heads) continue;
      const float sink = parameters.sinks != nullptr ? parameters.sinks[work.first_head + head] : -infinity;
      const float maximum = fmaxf(softmax.maximum[tile][column], sink);
      const float weight = __fmul_rn(softmax.sum[tile][column], exponential(softmax.maximum[tile][column] - maximum));
      const float sum = __fadd_rn(weight, exponential(sink - maximum));
      const int64 row = int64{work.sequence} * parameters.num_heads + work.first_head + head;
      const float factor = softmax.factor[tile][column] * (weight / sum);
      store_head<variant::query_type>(parameters.out, row, state.output, tile, column, factor, lane);
      if (lane.row == 0 && parameters.lse != nullptr) parameters.lse[row] = __fadd_rn(maximum, logf(sum));
    }
  }
  __syncwarp();
}

/// Writes the partial results of the work's heads to rows first_row, first_row + row_distance, ...
inline void write_partials(const AttentionParameters& parameters, const WarpWork& work, const AttentionState& state,
                           int64 first_row, int64 row_distance) {
  const Lane lane = this_lane();
  const FinishedSoftmax softmax = finish(parameters, state.softmax);
#pragma unroll
  for (int tile = 0; tile < head_tiles; ++tile) {
#pragma unroll
    for (int column = 0; column < 2; ++column) {
      const int head = tile_heads * tile + 2 * lane.column + column;
      if (head >= work.num_heads) continue;
      const int64 row = first_row + head * row_distance;
      const float factor = softmax.factor[tile][column];
      if (parameters.tmp_out_in_query_type) {
        store_head<variant::query_type>(parameters.tmp_out, row, state.output, tile, column, factor, lane);
      } else {
        store_head<ElementType::float32>(parameters.tmp_out, row, state.output, tile, column, factor, lane);
      }
      if (lane.row != 0) continue;
      parameters.max_logits[row] = softmax.maximum[tile][column];
      parameters.exp_sums[row] = softmax.sum[tile][column];
    }
  }
  __syncwarp();
}

}  // namespace kvarium
