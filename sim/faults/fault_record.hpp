#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/faults/element_field.hpp"
#include "sim/faults/fault_change.hpp"
#include "sim/faults/fault_target.hpp"

namespace kvarium {

/// What a fault struck.
enum class StruckThing : std::uint8_t { cache, block_table, reading, checksum_record };

/// Names in the order of the enumerators.
const std::vector<std::string>& struck_thing_names();

/// Stands for a place that a fault does not have, such as the layer of a wrong block id.
inline constexpr std::int64_t no_place = -1;

/// What a fault did. Where it struck a cache, site and values describe the first attended byte it changed (the first
/// byte, when it changed no attended one) in the order of `changes`, which names every changed byte, attended or not.
/// Elsewhere layer, head, tensor and byte are no_place, and `before` and `after` are the first changed value.
struct FaultRecord {
  std::string model;
  std::string detail;  ///< what was drawn beyond the site, such as the kind of permutation; may be empty
  StruckThing struck = StruckThing::cache;
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
  std::int64_t num_changed_stored_bytes = 0;  ///< of tokens that a sequence stores, attended or past its window
  std::int64_t num_struck_blocks = 1;         ///< (layer, block) pairs, or table entries
  std::int64_t first_token = 0;               ///< first and last attended token changed in the site's block, positions
  std::int64_t last_token = 0;
  std::vector<ByteChange> changes;
  std::vector<TableChange> table_changes;
  std::vector<ReadingChange> reading_changes;
  std::vector<RecordChange> record_changes;

  std::uint64_t mask() const { return before ^ after; }
  /// Lowest changed bit of the 64-bit piece, 0 to 63.
  int lane() const;
  /// An empty record that keeps the memory of its lists.
  void clear();
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

/// Makes the recorded changes of cache, block table and readings again; checksum records belong to whoever keeps them.
/// Errors: InputError, with nothing written, when something does not hold its value from before.
void apply(const FaultRecord& record, const FaultTarget& target);

/// The same without a look at what is there. Precondition: everything holds its value from before, as in the moment in
/// which a record is made.
void write_changes(const FaultRecord& record, const FaultTarget& target);

/// Undoes the recorded changes bit for bit. Errors: InputError, with nothing written, when something does not hold
/// its value from after.
void revert(const FaultRecord& record, const FaultTarget& target);

}  // namespace kvarium
