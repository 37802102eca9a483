#include "kernels/attention/host/partition_kernel.hpp"

#include <algorithm>

#include "core/element_conversion.hpp"
#include "kernels/attention/host/online_softmax.hpp"
#include "kernels/attention/host/unit_rows.hpp"
#include "kernels/attention/host/weighted_values.hpp"
#include "kernels/attention/reduce_partitions.hpp"

namespace kvarium::host {
namespace {

constexpr int heads_per_pass = 4;

constexpr std::int64_t round_up(std::int64_t value, std::int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

/// Where the parts of a unit's scratch memory begin.
struct Scratch {
  std::int64_t heads, head_stride, step_stride;
  float *queries, *outputs, *weights, *rescale;
  OnlineSoftmax* states;
  RowArrays rows;
  BlockSegment* segments;
  std::size_t bytes;

  Scratch(const PartitionKernel& kernel, std::byte* base) {
    const AttentionShape& shape = kernel.arguments->shape;
    heads = shape.query_heads_per_kv_head();
    head_stride = round_up(shape.cache.head_size, lanes);
    step_stride = round_up(kernel.block_n, lanes);
    bytes = 0;
    queries = take<float>(base, heads * head_stride);
    outputs = take<float>(base, heads * head_stride);
    weights = take<float>(base, heads * step_stride + lanes);
    rescale = take<float>(base, heads);
    states = take<OnlineSoftmax>(base, heads);
    const bool is_split = shape.cache.layout == CacheLayout::split_x;
    const std::int64_t num_rows = 2 * kernel.block_n;
    rows.key_rows = take<const std::byte*>(base, num_rows);
    rows.value_rows = take<const std::byte*>(base, num_rows);
    rows.key_lines = is_split ? take<const std::byte*>(base, num_rows) : rows.key_rows;
    rows.value_lines = is_split ? take<const std::byte*>(base, num_rows) : rows.value_rows;
    rows.positions = take<std::int64_t>(base, num_rows);
    rows.starts = take<BlockStart>(base, kernel.block_n + 1);
    segments = take<BlockSegment>(base, kernel.block_n + 1);
  }

 private:
  template <class Item>
  Item* take(std::byte* base, std::int64_t count) {
    Item* items = reinterpret_cast<Item*>(base == nullptr ? nullptr : base + bytes);
    bytes += static_cast<std::size_t>(round_up(count * std::int64_t{sizeof(Item)}, 64));
    return items;
  }
};

template <ElementType Type>
class UnitRun {
 public:
  UnitRun(const PartitionKernel& kernel, const PartitionUnit& unit, std::byte* scratch)
      : kernel_(kernel),
        arguments_(*kernel.arguments),
        unit_(unit),
        scratch_(kernel, scratch),
        rows_(arguments_, unit, scratch_.rows, kernel.block_n),
        count_(arguments_.shape.cache.head_size) {
    const std::int64_t length = arguments_.seq_lens[unit.sequence];
    tokens_.first =
        std::max(unit.partition * kernel.partition_size, first_visible_token(length, arguments_.sliding_window));
    tokens_.last = std::min((unit.partition + 1) * kernel.partition_size, length);
  }

  void run() {
    load_queries();
    for (std::int64_t head = 0; head < scratch_.heads; ++head) scratch_.states[head] = OnlineSoftmax();
    std::fill_n(scratch_.outputs, scratch_.heads * scratch_.head_stride, 0.0F);
    std::fill_n(scratch_.weights, scratch_.heads * scratch_.step_stride + lanes, 0.0F);
    for (rows_.start(tokens_); rows_.step().size() > 0; rows_.next()) run_step(rows_.step());
    for (std::int64_t head = 0; head < scratch_.heads; ++head) write_partial(head);
  }

 private:
  bool is_split() const { return arguments_.shape.cache.layout == CacheLayout::split_x; }
  std::int64_t first_query_head() const { return unit_.kv_head * scratch_.heads; }

  /// Queries as float32 rows times the scale of the logits, padded with zeros to whole vectors.
  void load_queries() {
    switch (arguments_.shape.query_type) {
      case ElementType::float16:
        return load_queries_of<ElementType::float16>();
      case ElementType::bfloat16:
        return load_queries_of<ElementType::bfloat16>();
      default:
        return load_queries_of<ElementType::float32>();
    }
  }

  template <ElementType QueryType>
  void load_queries_of() {
    const RowLoader<QueryType> loader;
    const float scale = arguments_.scale * arguments_.cache.key_scale;
    for (std::int64_t head = 0; head < scratch_.heads; ++head) {
      const std::int64_t row = unit_.sequence * arguments_.query_row_stride() +
                               (first_query_head() + head) * arguments_.shape.cache.head_size;
      const std::byte* query = static_cast<const std::byte*>(arguments_.query) + row * element_bytes(QueryType);
      float* padded = scratch_.queries + head * scratch_.head_stride;
      for (int index = 0; index < count_.full; ++index)
        store(padded + index * lanes, loader.full(query, index) * scale);
      if (count_.half) store(padded + count_.full * lanes, loader.half(query, count_.full) * scale);
    }
  }

  void run_step(const TokenRange& step) {
    if (is_split()) find_segments(step);
    for (std::int64_t head = 0; head < scratch_.heads; head += heads_per_pass) {
      switch (std::min<std::int64_t>(scratch_.heads - head, heads_per_pass)) {
        case 1:
          run_heads<1>(step, head);
          break;
        case 2:
          run_heads<2>(step, head);
          break;
        case 3:
          run_heads<3>(step, head);
          break;
        default:
          run_heads<4>(step, head);
          break;
      }
    }
  }

  /// A step's K and V tile stays in the core's caches, so memory is read once however many passes follow.
  template <int Heads>
  void run_heads(const TokenRange& step, std::int64_t head) {
    float* weights = scratch_.weights + head * scratch_.step_stride;
    const HeadGroup queries{scratch_.queries + head * scratch_.head_stride, weights, scratch_.head_stride,
                            scratch_.step_stride};
    const StepRows keys = rows_.keys();
    if (is_split()) {
      const SplitKeyLoader<Type> loader{arguments_.cache.key.strides.group * element_bytes(Type)};
      dot_step<Heads>(loader, keys, queries, count_);
    } else {
      dot_step<Heads>(RowLoader<Type>(), keys, queries, count_);
    }
    for (std::int64_t i = head; i < head + Heads; ++i) advance_head(step, i);
    add_values<Heads>(head);
  }

  void advance_head(const TokenRange& step, std::int64_t head) {
    LogitTransform<float> transform;
    transform.softcap = arguments_.softcap;
    if (arguments_.alibi_slopes != nullptr) transform.alibi_slope = arguments_.alibi_slopes[first_query_head() + head];
    transform.sequence_length = arguments_.seq_lens[unit_.sequence];
    const StepLogits logits{scratch_.weights + head * scratch_.step_stride, rows_.positions(),
                            static_cast<int>(step.size())};
    advance(scratch_.states[head], logits, transform);
    scratch_.rescale[head] = scratch_.states[head].rescale;
  }

  template <int Heads>
  void add_values(std::int64_t head) {
    const WeightGroup group{scratch_.weights + head * scratch_.step_stride, scratch_.rescale + head,
                            scratch_.outputs + head * scratch_.head_stride, scratch_.step_stride, scratch_.head_stride};
    if (is_split()) {
      const std::ptrdiff_t apart = arguments_.cache.value.strides.group * element_bytes(Type);
      add_split_values<Heads, Type>({rows_.values(), scratch_.segments, num_segments_}, group,
                                    arguments_.shape.cache.head_size, apart);
    } else {
      add_row_values<Heads, Type>(rows_.values(), group, count_);
    }
  }

  /// Cuts a step at KV block borders.
  void find_segments(const TokenRange& step) {
    const std::int64_t block_size = arguments_.shape.cache.block_size;
    const std::byte* const* rows = rows_.values().rows;
    num_segments_ = 0;
    for (std::int64_t token = step.first; token < step.last;) {
      const std::int64_t end = std::min(step.last, (token / block_size + 1) * block_size);
      scratch_.segments[num_segments_++] = {rows[token - step.first], static_cast<int>(token - step.first),
                                            static_cast<int>(end - token)};
      token = end;
    }
  }

  void write_partial(std::int64_t head) const {
    const OnlineSoftmax& state = scratch_.states[head];
    const int head_size = arguments_.shape.cache.head_size;
    const PartialBuffers& partials = kernel_.partials;
    const std::int64_t index =
        partial_row(arguments_.shape, partials, {unit_.sequence, first_query_head() + head, unit_.partition});
    partials.max_logits[index] = state.maximum;
    partials.exp_sums[index] = state.sum;
    float* output = scratch_.outputs + head * scratch_.head_stride;
    const float factor = arguments_.cache.value_scale / state.sum;
    for (int e = 0; e < head_size; ++e) output[e] *= factor;
    if (partials.element_type == ElementType::float32) {
      std::copy_n(output, head_size, static_cast<float*>(partials.tmp_out) + index * head_size);
      return;
    }
    for (int e = 0; e < head_size; ++e) {
      store_element(partials.tmp_out, index * head_size + e, partials.element_type, output[e]);
    }
  }

  const PartitionKernel& kernel_;
  const PagedAttentionArguments& arguments_;
  PartitionUnit unit_;
  Scratch scratch_;
  UnitRows rows_;
  VectorCount count_;
  TokenRange tokens_;
  int num_segments_ = 0;
};

}  // namespace

std::size_t PartitionKernel::scratch_bytes() const { return Scratch(*this, nullptr).bytes; }

void PartitionKernel::run(const PartitionUnit& unit, std::byte* scratch) const {
  switch (arguments->shape.cache.element_type) {
    case ElementType::float32:
      return UnitRun<ElementType::float32>(*this, unit, scratch).run();
    case ElementType::float16:
      return UnitRun<ElementType::float16>(*this, unit, scratch).run();
    case ElementType::bfloat16:
      return UnitRun<ElementType::bfloat16>(*this, unit, scratch).run();
    case ElementType::float8_e4m3:
      return UnitRun<ElementType::float8_e4m3>(*this, unit, scratch).run();
    case ElementType::float8_e5m2:
      return UnitRun<ElementType::float8_e5m2>(*this, unit, scratch).run();
  }
}

}  // namespace kvarium::host
