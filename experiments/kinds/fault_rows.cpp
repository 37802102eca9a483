#include "experiments/kinds/fault_rows.hpp"

#include <initializer_list>

namespace kvarium {
namespace {

/// A place that the fault may not have.
Value place(std::int64_t number) { return number == no_place ? Value() : Value(number); }

std::vector<ColumnSchema> site_columns() {
  return {
      {"detail", ColumnType::text, "", "What was drawn beyond the site, or why the fault was not applicable"},
      {"struck", ColumnType::int8, "", "What the fault struck", struck_thing_names(), true, true},
      {"layer", ColumnType::int64, "1", "Layer struck", {}, true, true},
      {"sequence", ColumnType::int64, "1", "Lowest sequence that reads the struck block", {}, true, true},
      {"logical_block", ColumnType::int64, "1", "Position of the block in that sequence", {}, true, true},
      {"block_position", ColumnType::int8, "", "The same as a stratum", block_position_names(), true, true},
      {"physical_block", ColumnType::int64, "1", "Block id in the cache", {}, true, true},
      {"num_readers", ColumnType::int64, "1", "Block table entries that read the struck tokens", {}, true, true},
      {"kv_head", ColumnType::int64, "1", "KV head of the first changed attended byte", {}, true, true},
      {"token", ColumnType::int64, "1", "Position in the sequence of the first changed attended byte", {}, true, true},
      {"tensor", ColumnType::int8, "", "Tensor of the first changed attended byte", {"key", "value"}, true, true},
      {"byte", ColumnType::int64, "1", "Byte of the cell, K before V", {}, true, true},
  };
}

std::vector<ColumnSchema> value_columns() {
  return {
      {"bit", ColumnType::int64, "1", "Lowest changed bit of that element, 0: least significant", {}, true, true},
      {"field", ColumnType::int8, "", "Part of the element that changed", element_field_names(), true, true},
      {"lane", ColumnType::int64, "1", "Lowest changed bit of the 8-byte piece around the byte", {}, true, true},
      {"before",
       ColumnType::uint64,
       "1",
       "Little-endian 8-byte piece around the byte, before; elsewhere than in caches the first changed value",
       {},
       true,
       true},
      {"after", ColumnType::uint64, "1", "The same after", {}, true, true},
      {"num_changed_bytes", ColumnType::int64, "byte", "Bytes of the cache changed in all"},
      {"num_changed_attended_bytes", ColumnType::int64, "byte", "Bytes changed that attention reads"},
      {"num_changed_stored_bytes", ColumnType::int64, "byte", "Bytes changed of tokens that a sequence stores"},
      {"num_struck_blocks", ColumnType::int64, "1", "Blocks of a layer, or table entries, that were changed"},
      {"first_token",
       ColumnType::int64,
       "1",
       "First attended token changed in the block, position in the sequence",
       {},
       true,
       true},
      {"last_token", ColumnType::int64, "1", "Last attended token changed in the block", {}, true, true},
  };
}

/// Appends places, those that the fault does not have as missing.
void append_places(std::vector<Value>& row, std::initializer_list<std::int64_t> places) {
  for (const std::int64_t number : places) row.push_back(place(number));
}

void append_site(std::vector<Value>& row, const FaultRecord& record, const FaultTarget& target) {
  const bool is_read = record.sequence != no_place;
  const bool has_byte = record.byte != no_place;
  row.emplace_back(record.detail);
  row.emplace_back(record.struck);
  append_places(row, {record.layer, record.sequence, record.logical_block,
                      is_read ? static_cast<std::int64_t>(block_position(record, target)) : no_place,
                      record.physical_block, record.num_readers, record.kv_head, record.token,
                      has_byte ? static_cast<std::int64_t>(record.tensor) : no_place, record.byte});
}

void append_values(std::vector<Value>& row, const FaultRecord& record) {
  const bool has_byte = record.byte != no_place;
  append_places(row, {has_byte ? record.bit : no_place, has_byte ? static_cast<std::int64_t>(record.field) : no_place,
                      has_byte ? record.lane() : no_place});
  row.emplace_back(record.before);
  row.emplace_back(record.after);
  append_places(row, {record.num_changed_bytes, record.num_changed_attended_bytes, record.num_changed_stored_bytes,
                      record.num_struck_blocks, record.first_token, record.last_token});
}

}  // namespace

const std::vector<std::string>& block_position_names() {
  static const std::vector<std::string> names{"first", "inner", "last", "only"};
  return names;
}

BlockPosition block_position(const FaultRecord& record, const FaultTarget& target) {
  const bool is_first = record.logical_block == 0;
  const bool is_last = record.logical_block + 1 == target.num_blocks(record.sequence);
  if (is_first) return is_last ? BlockPosition::only : BlockPosition::first;
  return is_last ? BlockPosition::last : BlockPosition::inner;
}

std::vector<ColumnSchema> fault_columns() {
  std::vector<ColumnSchema> columns = site_columns();
  for (ColumnSchema& column : value_columns()) columns.push_back(std::move(column));
  return columns;
}

void append_fault(Table& faults, std::int64_t trial, const FaultRecord& record, const FaultTarget& target) {
  std::vector<Value> row;
  row.reserve(faults.num_columns());
  row.emplace_back(trial);
  append_site(row, record, target);
  append_values(row, record);
  faults.append_row(row);
}

void append_missing_fault(Table& faults, std::int64_t trial, const std::string& reason) {
  std::vector<Value> row(fault_columns().size() + 1);
  row[0] = trial;
  row[1] = reason;
  for (const char* count :
       {"num_changed_bytes", "num_changed_attended_bytes", "num_changed_stored_bytes", "num_struck_blocks"}) {
    row[static_cast<std::size_t>(faults.schema().find(count))] = 0;
  }
  faults.append_row(row);
}

}  // namespace kvarium
