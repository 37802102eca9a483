#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/element_type.hpp"
#include "sim/faults/cell_bytes.hpp"

namespace kvarium {

/// One byte of memory a fault changed, by its address and by its cell.
struct ByteChange {
  std::int64_t offset = 0;  ///< bytes from the address of the layer's key or value tensor
  std::int32_t layer = 0;
  std::int32_t block = 0;  ///< physical
  std::int32_t kv_head = 0;
  std::int32_t token = 0;  ///< of the block
  std::int32_t byte = 0;   ///< of the cell: K's elements, then V's
  KvTensor tensor = KvTensor::key;
  std::uint8_t before = 0;
  std::uint8_t after = 0;

  bool operator==(const ByteChange&) const = default;
};

/// One entry of a block table a fault changed.
struct TableChange {
  std::int64_t sequence = 0;
  std::int64_t logical_block = 0;
  std::int32_t before = 0;  ///< physical block
  std::int32_t after = 0;
  /// Whether the checksum record of the other block comes with it, as when a look-up returns another request's entry.
  bool brings_record = false;

  bool operator==(const TableChange&) const = default;
};

/// What a reader believes of the cache beside its bytes.
enum class ReadQuantity : std::uint8_t { sequence_length, key_scale, value_scale, element_type };

/// One such belief a fault changed; `index` is a sequence or a layer. Element types stand by their number.
struct ReadingChange {
  ReadQuantity quantity = ReadQuantity::sequence_length;
  std::int64_t index = 0;
  double before = 0;
  double after = 0;

  bool operator==(const ReadingChange&) const = default;
};

/// What happens to a checksum record that was right.
enum class RecordDamage : std::uint8_t { flipped_bit, zeroed, dropped, exchanged };

/// One checksum record a fault changed; records are known by the logical block they belong to. How many bits a record
/// has is the checksum's affair: `draw` modulo its bits names the flipped one.
struct RecordChange {
  RecordDamage damage = RecordDamage::flipped_bit;
  std::int64_t sequence = 0;
  std::int64_t logical_block = 0;
  std::int64_t other_sequence = 0;  ///< exchanged: whose record came instead
  std::int64_t other_logical_block = 0;
  std::uint64_t draw = 0;

  bool operator==(const RecordChange&) const = default;
};

/// Names in the order of the enumerators.
const std::vector<std::string>& record_damage_names();

}  // namespace kvarium
