#include "sim/faults/site_description.hpp"

#include <algorithm>
#include <bit>

#include "core/check.hpp"

namespace kvarium {
namespace {

constexpr std::int64_t piece_bytes = 8;

/// Bytes [first.byte, first.byte + count) of one cell, little-endian: an element or piece.
struct CellWord {
  CellByte first;
  std::int64_t count = 0;
};

CellWord word_around(const CellByte& place, std::int64_t width) {
  return {{place.kv_head, place.token, place.byte / width * width}, width};
}

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

/// The changes of one of the struck blocks.
std::span<const ByteChange> changes_of(const FaultRecord& record, const CacheDamage& damage, std::size_t block) {
  const std::size_t first = damage.first_changes[block];
  const bool is_last = block + 1 == damage.blocks.size();
  const std::size_t end = is_last ? record.changes.size() : damage.first_changes[block + 1];
  return std::span(record.changes).subspan(first, end - first);
}

/// Bits of the word that the changes of its block turn over.
std::uint64_t flipped_bits(const CellWord& word, std::span<const ByteChange> changes) {
  std::uint64_t flipped = 0;
  for (const ByteChange& change : changes) {
    const std::int64_t byte = change.byte - word.first.byte;
    const bool same_cell = change.kv_head == word.first.kv_head && change.token == word.first.token;
    if (!same_cell || byte < 0 || byte >= word.count) continue;
    flipped |= std::uint64_t{static_cast<std::uint8_t>(change.before ^ change.after)} << (8 * byte);
  }
  return flipped;
}

ElementField field_of(std::uint64_t flipped, ElementType type) {
  const ElementField lowest = field_of_bit(type, std::countr_zero(flipped));
  const ElementField highest = field_of_bit(type, static_cast<int>(std::bit_width(flipped)) - 1);
  return lowest == highest ? lowest : ElementField::several;
}

bool is_attended(const FaultTarget& target, const AttendedSpan& span, std::int64_t token) {
  if (token >= span.first_token && token < span.end_token) return true;
  return target.is_attended(span.physical_block, token);
}

/// One change: the struck block it lies in, and its place in the record.
struct Site {
  std::size_t block = 0;
  std::size_t change = 0;
};

/// Counts what the changes reach. Returns the first attended one, or the first.
Site count_reached(FaultRecord& record, const FaultTarget& target, const CacheDamage& damage) {
  Site first;
  for (std::size_t block = 0; block < damage.blocks.size(); ++block) {
    const AttendedSpan& span = damage.blocks[block].span;
    const std::int64_t stored = target.num_stored_tokens(span.physical_block);
    const std::span<const ByteChange> changes = changes_of(record, damage, block);
    for (std::size_t i = 0; i < changes.size(); ++i) {
      if (changes[i].token < stored) ++record.num_changed_stored_bytes;
      if (!is_attended(target, span, changes[i].token)) continue;
      if (record.num_changed_attended_bytes++ == 0) first = {block, damage.first_changes[block] + i};
    }
  }
  record.num_changed_bytes = std::ssize(record.changes);
  record.num_struck_blocks = std::ssize(damage.blocks);
  return first;
}

void describe_block(FaultRecord& record, const StruckBlock& block) {
  const bool is_read = block.span.num_tokens() > 0;
  record.layer = block.layer;
  record.sequence = is_read ? block.span.sequence : no_place;
  record.logical_block = is_read ? block.span.logical_block : no_place;
  record.physical_block = block.span.physical_block;
  record.num_readers = is_read ? block.span.num_readers : 0;
}

void describe_value(FaultRecord& record, const FaultTarget& target, const CacheDamage& damage, const Site& site) {
  const CacheGeometry& geometry = target.geometry();
  const ByteChange& change = record.changes[site.change];
  const CellByte place{change.kv_head, change.token, change.byte};
  record.kv_head = place.kv_head;
  record.byte = place.byte;
  record.tensor = place.byte < cell_bytes(geometry) / 2 ? KvTensor::key : KvTensor::value;
  const std::span<const ByteChange> changes = changes_of(record, damage, site.block);
  const CellWord piece = word_around(place, piece_bytes);
  const PagedCacheView& cache = target.layers()[static_cast<std::size_t>(record.layer)];
  record.before = load_word(cache, record.physical_block, piece);
  record.after = record.before ^ flipped_bits(piece, changes);
  const CellWord element = word_around(place, element_bytes(geometry.element_type));
  const std::uint64_t flipped = flipped_bits(element, changes);
  record.bit = std::countr_zero(flipped);
  record.field = field_of(flipped, geometry.element_type);
}

void describe_tokens(FaultRecord& record, const FaultTarget& target, const CacheDamage& damage, const Site& site) {
  if (record.sequence == no_place) {
    record.token = record.first_token = record.last_token = no_place;
    return;
  }
  const std::int64_t start = record.logical_block * target.geometry().block_size;
  record.token = record.first_token = record.last_token = start + record.changes[site.change].token;
  for (const ByteChange& change : changes_of(record, damage, site.block)) {
    if (!is_attended(target, damage.blocks[site.block].span, change.token)) continue;
    record.first_token = std::min(record.first_token, start + change.token);
    record.last_token = std::max(record.last_token, start + change.token);
  }
}

/// The site of what has no place in a cache: all tokens of a block that a sequence attends.
void describe_logical_block(FaultRecord& record, const FaultTarget& target, const LogicalBlock& block) {
  record.layer = record.kv_head = record.byte = no_place;
  record.bit = static_cast<int>(no_place);
  record.sequence = block.sequence;
  record.logical_block = block.logical_block;
  record.physical_block = target.table_entry(block);
  const std::int64_t size = target.geometry().block_size;
  record.token = record.first_token = block.logical_block * size;
  record.last_token = std::min(record.token + size, target.length(block.sequence)) - 1;
}

}  // namespace

void describe_cache_fault(FaultRecord& record, const FaultTarget& target, const CacheDamage& damage) {
  KVARIUM_EXPECT(!record.changes.empty() && damage.blocks.size() == damage.first_changes.size());
  record.struck = StruckThing::cache;
  const Site site = count_reached(record, target, damage);
  describe_block(record, damage.blocks[site.block]);
  describe_value(record, target, damage, site);
  describe_tokens(record, target, damage, site);
}

void describe_table_fault(FaultRecord& record, const FaultTarget& target) {
  const TableChange& first = record.table_changes.front();
  record.struck = StruckThing::block_table;
  describe_logical_block(record, target, {first.sequence, first.logical_block});
  record.before = static_cast<std::uint64_t>(first.before);
  record.after = static_cast<std::uint64_t>(first.after);
  record.num_struck_blocks = std::ssize(record.table_changes);
}

void describe_reading_fault(FaultRecord& record, const FaultTarget& target) {
  const ReadingChange& first = record.reading_changes.front();
  record.struck = StruckThing::reading;
  const bool is_length = first.quantity == ReadQuantity::sequence_length;
  const std::int64_t last = is_length ? target.num_blocks(first.index) - 1 : 0;
  describe_logical_block(record, target, is_length ? LogicalBlock{first.index, last} : target.entries().front());
  if (!is_length) record.layer = first.index;
  record.before = std::bit_cast<std::uint64_t>(first.before);
  record.after = std::bit_cast<std::uint64_t>(first.after);
  record.num_struck_blocks = is_length ? 1 : std::ssize(target.entries());
}

void describe_record_fault(FaultRecord& record, const FaultTarget& target) {
  const RecordChange& first = record.record_changes.front();
  record.struck = StruckThing::checksum_record;
  describe_logical_block(record, target, {first.sequence, first.logical_block});
  record.before = 0;
  record.after = first.draw;
}

}  // namespace kvarium
