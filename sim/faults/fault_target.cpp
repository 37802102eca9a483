#include "sim/faults/fault_target.hpp"

#include <algorithm>
#include <tuple>

#include "core/check.hpp"

namespace kvarium {
namespace {

void validate_layers(const AttendedCache& cache) {
  KVARIUM_VALIDATE(!cache.layers.empty(), "a fault target has no layers; give at least one");
  const CacheGeometry& first = cache.layers.front().geometry;
  for (const PagedCacheView& layer : cache.layers) {
    KVARIUM_VALIDATE(layer.geometry == first, "layers of a fault target differ (", to_string(first), " and ",
                     to_string(layer.geometry), "); give layers of one geometry");
    KVARIUM_VALIDATE(layer.key.strides == cache.layers.front().key.strides &&
                         layer.value.strides == cache.layers.front().value.strides,
                     "layers of a fault target differ in their strides; give layers of one memory order");
  }
}

/// Checks the layers before anything is built from the first.
const AttendedCache& validated(const AttendedCache& cache) {
  validate_layers(cache);
  return cache;
}

void validate_length(const AttendedCache& cache, std::int64_t sequence) {
  const std::int64_t length = cache.seq_lens[sequence];
  const auto blocks = static_cast<std::int64_t>(cache.block_tables.extent(1));
  const std::int64_t capacity = blocks * cache.layers.front().geometry.block_size;
  KVARIUM_VALIDATE(length >= 0 && length <= capacity, "seq_lens[", sequence, "] is ", length, "; use 0 to ", capacity,
                   " (max_num_blocks_per_sequence * block_size)");
}

/// Tokens before the window.
std::int64_t hidden_tokens(const AttendedCache& cache, std::int64_t sequence) {
  return cache.sliding_window > 0 ? std::max<std::int64_t>(cache.seq_lens[sequence] - cache.sliding_window, 0) : 0;
}

void add_sequence(const AttendedCache& cache, std::int64_t sequence, std::vector<AttendedSpan>& spans) {
  validate_length(cache, sequence);
  const CacheGeometry& geometry = cache.layers.front().geometry;
  const std::int64_t length = cache.seq_lens[sequence];
  const std::int64_t size = geometry.block_size;
  const std::int64_t hidden = hidden_tokens(cache, sequence);
  for (std::int64_t logical = hidden / size; logical * size < length; ++logical) {
    const std::int64_t block = cache.block_tables(sequence, logical);
    KVARIUM_VALIDATE(block >= 0 && block < geometry.num_blocks, "block_tables[", sequence, "][", logical, "] is ",
                     block, "; use 0 to ", geometry.num_blocks - 1, " (num_blocks - 1)");
    const std::int64_t start = logical * size;
    spans.push_back(
        {block, std::max(hidden - start, std::int64_t{0}), std::min(length - start, size), sequence, logical});
  }
}

/// Joins spans that overlap or touch, so that no token counts twice.
std::vector<AttendedSpan> merged(std::vector<AttendedSpan> spans) {
  std::ranges::sort(spans, {}, [](const AttendedSpan& span) {
    return std::tuple{span.physical_block, span.first_token, span.sequence, span.logical_block};
  });
  std::vector<AttendedSpan> result;
  for (const AttendedSpan& span : spans) {
    AttendedSpan* last = result.empty() ? nullptr : &result.back();
    if (last == nullptr || last->physical_block != span.physical_block || last->end_token < span.first_token) {
      result.push_back(span);
      continue;
    }
    last->end_token = std::max(last->end_token, span.end_token);
    std::tie(last->sequence, last->logical_block) =
        std::min(std::tuple{last->sequence, last->logical_block}, std::tuple{span.sequence, span.logical_block});
    ++last->num_readers;
  }
  return result;
}

}  // namespace

FaultTarget::FaultTarget(const AttendedCache& cache)
    : cache_(validated(cache)),
      block_memory_(cache.layers.front()),
      stored_tokens_(static_cast<std::size_t>(geometry().num_blocks), 0) {
  std::vector<AttendedSpan> spans;
  for (std::int64_t sequence = 0; sequence < num_sequences(); ++sequence) {
    const std::size_t known = spans.size();
    add_sequence(cache, sequence, spans);
    for (std::size_t i = known; i < spans.size(); ++i) entries_.push_back({sequence, spans[i].logical_block});
    for (std::int64_t logical = 0; logical < num_blocks(sequence); ++logical) {
      const std::int64_t block = table_entry({sequence, logical});
      // Blocks before a window may name anything.
      if (block < 0 || block >= geometry().num_blocks) continue;
      std::int64_t& stored = stored_tokens_[static_cast<std::size_t>(block)];
      const std::int64_t left = length(sequence) - logical * geometry().block_size;
      stored = std::max(stored, std::min<std::int64_t>(left, geometry().block_size));
    }
  }
  spans_ = merged(std::move(spans));
  std::int64_t count = 0;
  for (const AttendedSpan& span : spans_) token_ends_.push_back(count += span.num_tokens());
}

AttendedToken FaultTarget::token(std::int64_t index) const {
  KVARIUM_EXPECT(index >= 0 && index < num_tokens());
  const auto end = std::ranges::upper_bound(token_ends_, index);
  const AttendedSpan& span = spans_[static_cast<std::size_t>(end - token_ends_.begin())];
  return {span, span.end_token - (*end - index)};
}

std::int64_t FaultTarget::num_blocks(std::int64_t sequence) const {
  return (length(sequence) + geometry().block_size - 1) / geometry().block_size;
}

std::int64_t FaultTarget::first_attended_block(std::int64_t sequence) const {
  return hidden_tokens(cache_, sequence) / geometry().block_size;
}

void FaultTarget::check_reading(ReadQuantity quantity, std::int64_t index) const {
  const bool is_length = quantity == ReadQuantity::sequence_length;
  const std::int64_t known = is_length ? (has_read_lengths() ? num_sequences() : 0) : std::ssize(cache_.readers);
  KVARIUM_VALIDATE(index >= 0 && index < known, "a fault changes what is read of ", is_length ? "sequence " : "layer ",
                   index, ", of which this target has ", known, "; give the target its readers");
}

double FaultTarget::reading(ReadQuantity quantity, std::int64_t index) const {
  check_reading(quantity, index);
  if (quantity == ReadQuantity::sequence_length) return cache_.read_lengths[index];
  const PagedCacheView& view = cache_.readers[static_cast<std::size_t>(index)];
  if (quantity == ReadQuantity::element_type) return static_cast<double>(view.geometry.element_type);
  return quantity == ReadQuantity::key_scale ? view.key_scale : view.value_scale;
}

void FaultTarget::set_reading(ReadQuantity quantity, std::int64_t index, double value) const {
  check_reading(quantity, index);
  if (quantity == ReadQuantity::sequence_length) {
    cache_.read_lengths[index] = static_cast<std::int32_t>(value);
    return;
  }
  PagedCacheView& view = cache_.readers[static_cast<std::size_t>(index)];
  if (quantity == ReadQuantity::element_type) {
    view.geometry.element_type = static_cast<ElementType>(static_cast<int>(value));
  } else {
    (quantity == ReadQuantity::key_scale ? view.key_scale : view.value_scale) = static_cast<float>(value);
  }
}

bool FaultTarget::is_attended(std::int64_t physical_block, std::int64_t token) const {
  auto span = std::ranges::lower_bound(spans_, physical_block, {}, &AttendedSpan::physical_block);
  for (; span != spans_.end() && span->physical_block == physical_block; ++span) {
    if (token >= span->first_token && token < span->end_token) return true;
  }
  return false;
}

}  // namespace kvarium
