#include "sim/faults/fault_record.hpp"

#include <bit>

#include "core/check.hpp"

namespace kvarium {
namespace {

std::byte* place_of(const ByteChange& change, const FaultTarget& target) {
  const auto layers = static_cast<std::int64_t>(target.layers().size());
  KVARIUM_VALIDATE(change.layer >= 0 && change.layer < layers, "fault record names layer ", change.layer,
                   "; the caches have layers 0 to ", layers - 1);
  return address_of(target.layers()[static_cast<std::size_t>(change.layer)], {change.tensor, change.offset});
}

void check_bytes(const FaultRecord& record, const FaultTarget& target, std::uint8_t ByteChange::*from) {
  for (const ByteChange& change : record.changes) {
    const auto found = std::to_integer<int>(*place_of(change, target));
    KVARIUM_VALIDATE(found == change.*from, "layer ", change.layer, " ", to_string(change.tensor), " byte ",
                     change.offset, " holds ", found, ", the fault record expects ", int{change.*from},
                     "; use the caches the record belongs to");
  }
}

void check_table(const FaultRecord& record, const FaultTarget& target, std::int32_t TableChange::*from) {
  for (const TableChange& change : record.table_changes) {
    const std::int64_t found = target.table_entry({change.sequence, change.logical_block});
    KVARIUM_VALIDATE(found == change.*from, "block_tables[", change.sequence, "][", change.logical_block, "] is ",
                     found, ", the fault record expects ", change.*from, "; use the table the record belongs to");
  }
}

void check_readings(const FaultRecord& record, const FaultTarget& target, double ReadingChange::*from) {
  for (const ReadingChange& change : record.reading_changes) {
    const double found = target.reading(change.quantity, change.index);
    KVARIUM_VALIDATE(found == change.*from, "a reading of ", change.index, " is ", found, ", the fault record expects ",
                     change.*from, "; use the target the record belongs to");
  }
}

}  // namespace

std::string to_string(KvTensor tensor) { return tensor == KvTensor::key ? "key" : "value"; }

const std::vector<std::string>& struck_thing_names() {
  static const std::vector<std::string> names{"cache", "block_table", "reading", "checksum_record"};
  return names;
}

const std::vector<std::string>& record_damage_names() {
  static const std::vector<std::string> names{"flipped_bit", "zeroed", "dropped", "exchanged"};
  return names;
}

int FaultRecord::lane() const { return mask() == 0 ? 0 : std::countr_zero(mask()); }

void FaultRecord::clear() {
  FaultRecord empty;
  const auto keep = [](auto& mine, auto& theirs) {
    mine.clear();
    std::swap(mine, theirs);
  };
  keep(model, empty.model);
  keep(detail, empty.detail);
  keep(changes, empty.changes);
  keep(table_changes, empty.table_changes);
  keep(reading_changes, empty.reading_changes);
  keep(record_changes, empty.record_changes);
  *this = std::move(empty);
}

void apply(const FaultRecord& record, const FaultTarget& target) {
  check_bytes(record, target, &ByteChange::before);
  check_table(record, target, &TableChange::before);
  check_readings(record, target, &ReadingChange::before);
  write_changes(record, target);
}

void write_changes(const FaultRecord& record, const FaultTarget& target) {
  for (const ByteChange& change : record.changes) *place_of(change, target) = std::byte{change.after};
  for (const TableChange& c : record.table_changes) target.set_table_entry({c.sequence, c.logical_block}, c.after);
  for (const ReadingChange& change : record.reading_changes) {
    target.set_reading(change.quantity, change.index, change.after);
  }
}

void revert(const FaultRecord& record, const FaultTarget& target) {
  check_bytes(record, target, &ByteChange::after);
  check_table(record, target, &TableChange::after);
  check_readings(record, target, &ReadingChange::after);
  for (const ByteChange& change : record.changes) *place_of(change, target) = std::byte{change.before};
  for (const TableChange& c : record.table_changes) target.set_table_entry({c.sequence, c.logical_block}, c.before);
  for (const ReadingChange& change : record.reading_changes) {
    target.set_reading(change.quantity, change.index, change.before);
  }
}

}  // namespace kvarium
