#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/faults/cell_bytes.hpp"
#include "sim/faults/element_field.hpp"
#include "sim/faults/fault_target.hpp"

namespace kvarium {

/// One byte of memory a fault changed.
struct ByteChange {
  std::int64_t offset = 0;  ///< bytes from the address of the layer's key or value tensor
  std::int32_t layer = 0;
  KvTensor tensor = KvTensor::key;
  std::uint8_t before = 0;
  std::uint8_t after = 0;

  bool operator==(const ByteChange&) const = default;
};

/// What a fault did. Site and values describe the first attended byte it changed, in the order KV head, token, byte of
/// the cell; `changes` names every changed byte, attended or not.
struct FaultRecord {
  std::string model;
  std::string detail;  ///< what was drawn beyond the site, such as the kind of permutation; may be empty
  std::int64_t layer = 0;
  std::int64_t sequence = 0;  ///< lowest that reads the block
  std::int64_t logical_block = 0;
  std::int64_t physical_block = 0;
  std::int64_t num_readers = 1;  ///< block table entries that read the struck tokens
  std::int64_t kv_head = 0;
  std::int64_t token = 0;  ///< position in the sequence
  KvTensor tensor = KvTensor::key;
  std::int64_t byte = 0;                       ///< of the cell: K's elements, then V's
  int bit = 0;                                 ///< lowest changed bit of that element, 0: least significant
  ElementField field = ElementField::several;  ///< of all changed bits of that element
  std::uint64_t before = 0;                    ///< the cell's 64-bit little-endian piece that holds `byte`
  std::uint64_t after = 0;
  std::int64_t num_changed_bytes = 0;
  std::int64_t num_changed_attended_bytes = 0;
  std::int64_t first_token = 0;  ///< first and last attended token changed, positions in the sequence
  std::int64_t last_token = 0;
  std::vector<ByteChange> changes;  ///< by KV head, token, byte of the cell

  std::uint64_t mask() const { return before ^ after; }
  bool operator==(const FaultRecord&) const = default;
};

/// Result of one injection: a record, or the reason why nothing was changed.
struct FaultOutcome {
  std::optional<FaultRecord> record;
  std::string not_applicable;  ///< empty when there is a record

  bool is_applicable() const { return record.has_value(); }
};

/// "key" or "value".
std::string to_string(KvTensor tensor);

/// Makes the recorded changes again. Errors: InputError, with nothing written, when a byte does not hold its value from
/// before.
void apply(const FaultRecord& record, const FaultTarget& target);

/// Undoes the recorded changes bit for bit. Errors: InputError, with nothing written, when a byte does not hold
/// its value from after.
void revert(const FaultRecord& record, const FaultTarget& target);

}  // namespace kvarium
