#include "sim/faults/strike.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include "core/check.hpp"

namespace kvarium {
namespace {

constexpr std::int64_t piece_bytes = 8;

/// What the changes do to one element or piece: bytes [first_byte, first_byte + count) of one cell, little-endian.
struct CellWord {
  CellByte first;
  std::int64_t count = 0;
};

std::uint64_t load_word(const PagedCacheView& cache, std::int64_t block, const CellWord& word) {
  std::uint64_t value = 0;
  for (std::int64_t i = 0; i < word.count; ++i) {
    CellByte place = word.first;
    place.byte += i;
    const auto byte = std::to_integer<std::uint64_t>(*address_of(cache, locate_byte(cache, block, place)));
    value |= byte << (8 * i);
  }
  return value;
}

/// Bits of the word that the changes turn over.
std::uint64_t flipped_bits(const CellWord& word, std::span<const CellChange> changes) {
  std::uint64_t flipped = 0;
  for (const CellChange& change : changes) {
    const std::int64_t i = change.place.byte - word.first.byte;
    const bool same_cell = change.place.kv_head == word.first.kv_head && change.place.token == word.first.token;
    if (!same_cell || i < 0 || i >= word.count) continue;
    flipped |= std::uint64_t{static_cast<std::uint8_t>(change.before ^ change.after)} << (8 * i);
  }
  return flipped;
}

CellWord word_around(const CellByte& place, std::int64_t width) {
  return {{place.kv_head, place.token, place.byte / width * width}, width};
}

ElementField field_of(std::uint64_t flipped, ElementType type) {
  const ElementField lowest = field_of_bit(type, std::countr_zero(flipped));
  const ElementField highest = field_of_bit(type, static_cast<int>(std::bit_width(flipped)) - 1);
  return lowest == highest ? lowest : ElementField::several;
}

void describe_first_change(FaultRecord& record, const PagedCacheView& cache, std::span<const CellChange> changes,
                           const CellChange& first) {
  const CacheGeometry& geometry = cache.geometry;
  record.kv_head = first.place.kv_head;
  record.byte = first.place.byte;
  record.tensor = first.place.byte < cell_bytes(geometry) / 2 ? KvTensor::key : KvTensor::value;
  const CellWord piece = word_around(first.place, piece_bytes);
  record.before = load_word(cache, record.physical_block, piece);
  record.after = record.before ^ flipped_bits(piece, changes);
  const CellWord element = word_around(first.place, element_bytes(geometry.element_type));
  const std::uint64_t flipped = flipped_bits(element, changes);
  record.bit = std::countr_zero(flipped);
  record.field = field_of(flipped, geometry.element_type);
}

void describe_site(FaultRecord& record, const StruckBlock& block) {
  record.layer = block.layer;
  record.sequence = block.span.sequence;
  record.logical_block = block.span.logical_block;
  record.physical_block = block.span.physical_block;
  record.num_readers = block.span.num_readers;
}

std::vector<CellChange> attended_changes(const FaultTarget& target, std::int64_t block,
                                         std::span<const CellChange> changes) {
  std::vector<std::uint8_t> is_attended(static_cast<std::size_t>(target.geometry().block_size));
  for (std::size_t token = 0; token < is_attended.size(); ++token) {
    is_attended[token] = target.is_attended(block, static_cast<std::int64_t>(token)) ? 1 : 0;
  }
  std::vector<CellChange> attended;
  std::ranges::copy_if(changes, std::back_inserter(attended), [&](const CellChange& change) {
    return is_attended[static_cast<std::size_t>(change.place.token)] != 0;
  });
  return attended;
}

void describe_tokens(FaultRecord& record, std::span<const CellChange> attended, std::int64_t block_size) {
  const auto token_of = [](const CellChange& change) { return change.place.token; };
  const auto [first, last] = std::ranges::minmax(attended, {}, token_of);
  const std::int64_t start = record.logical_block * block_size;
  record.token = start + attended.front().place.token;
  record.first_token = start + first.place.token;
  record.last_token = start + last.place.token;
  record.num_changed_attended_bytes = static_cast<std::int64_t>(attended.size());
}

}  // namespace

FaultOutcome strike(const FaultTarget& target, const StruckBlock& block, std::span<const CellChange> changes) {
  const std::vector<CellChange> attended = attended_changes(target, block.span.physical_block, changes);
  if (attended.empty()) return {std::nullopt, "no attended byte would change"};
  const PagedCacheView& cache = target.layers()[static_cast<std::size_t>(block.layer)];
  FaultRecord record;
  describe_site(record, block);
  describe_first_change(record, cache, changes, attended.front());
  describe_tokens(record, attended, cache.geometry.block_size);
  record.num_changed_bytes = static_cast<std::int64_t>(changes.size());
  record.changes.reserve(changes.size());
  for (const CellChange& change : changes) {
    const MemoryByte place = locate_byte(cache, block.span.physical_block, change.place);
    record.changes.push_back(
        {place.offset, static_cast<std::int32_t>(block.layer), place.tensor, change.before, change.after});
  }
  apply(record, target);
  return {std::move(record), ""};
}

FaultOutcome replace_block(const FaultTarget& target, const StruckBlock& block,
                           std::span<const std::uint8_t> replacement) {
  const PagedCacheView& cache = target.layers()[static_cast<std::size_t>(block.layer)];
  const std::vector<std::uint8_t> present = read_block_cells(cache, block.span.physical_block);
  KVARIUM_EXPECT(present.size() == replacement.size());
  std::vector<CellChange> changes;
  for (std::size_t i = 0; i < present.size(); ++i) {
    if (present[i] == replacement[i]) continue;
    changes.push_back({cell_byte_at(target.geometry(), static_cast<std::int64_t>(i)), present[i], replacement[i]});
  }
  return strike(target, block, changes);
}

StruckBlock draw_block(const FaultTarget& target, CounterRandom& random) {
  KVARIUM_EXPECT(target.num_tokens() > 0);
  const auto layer = static_cast<std::int64_t>(random.below(target.layers().size()));
  return {layer, target.spans()[random.below(target.spans().size())]};
}

FaultOutcome nothing_attended() { return {std::nullopt, "the batch attends no token"}; }

}  // namespace kvarium
