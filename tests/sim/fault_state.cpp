#include "tests/sim/fault_state.hpp"

#include "core/text.hpp"

namespace kvarium::test {
namespace {

/// Index in FaultyBatch::bytes() of a recorded change.
std::size_t index_of(const ByteChange& change, const FaultyBatch& batch) {
  const std::size_t layer_bytes = batch.bytes().size() / batch.layers().size();
  const PagedCacheView& layer = batch.layers()[static_cast<std::size_t>(change.layer)];
  const std::byte* start = change.tensor == KvTensor::key ? layer.key.data : layer.value.data;
  const auto in_layer = static_cast<std::size_t>(start + change.offset - layer.key.data);
  return static_cast<std::size_t>(change.layer) * layer_bytes + in_layer;
}

/// Lengths, then key scale, value scale and element type of each layer.
std::size_t reading_index(const ReadingChange& change, const FaultyBatch& batch) {
  if (change.quantity == ReadQuantity::sequence_length) return static_cast<std::size_t>(change.index);
  return batch.read_lengths().size() + 3 * static_cast<std::size_t>(change.index) +
         static_cast<std::size_t>(change.quantity) - 1;
}

template <class Values>
void collect(const std::string& name, const Values& before, const Values& after, Differences& differences) {
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (before[i] == after[i]) continue;
    differences[concatenate(name, i)] = {static_cast<double>(before[i]), static_cast<double>(after[i])};
  }
}

}  // namespace

FaultState::FaultState(FaultyBatch& batch) : bytes(batch.bytes()) {
  const BlockTableView& tables = batch.batch().block_tables;
  for (std::size_t row = 0; row < tables.extent(0); ++row) {
    for (std::size_t column = 0; column < tables.extent(1); ++column) table.push_back(tables(row, column));
  }
  for (const std::int32_t length : batch.read_lengths()) readings.push_back(length);
  for (const PagedCacheView& reader : batch.readers()) {
    readings.push_back(reader.key_scale);
    readings.push_back(reader.value_scale);
    readings.push_back(static_cast<double>(reader.geometry.element_type));
  }
}

Differences differences(const FaultState& before, const FaultState& after) {
  Differences differing;
  for (std::size_t i = 0; i < before.bytes.size(); ++i) {
    if (before.bytes[i] == after.bytes[i]) continue;
    differing[concatenate("byte ", i)] = {std::to_integer<int>(before.bytes[i]), std::to_integer<int>(after.bytes[i])};
  }
  collect("entry ", before.table, after.table, differing);
  collect("reading ", before.readings, after.readings, differing);
  return differing;
}

Differences recorded(const FaultRecord& record, FaultyBatch& batch) {
  Differences changed;
  for (const ByteChange& change : record.changes) {
    changed[concatenate("byte ", index_of(change, batch))] = {change.before, change.after};
  }
  const std::size_t columns = batch.batch().block_tables.extent(1);
  for (const TableChange& change : record.table_changes) {
    const std::size_t index =
        static_cast<std::size_t>(change.sequence) * columns + static_cast<std::size_t>(change.logical_block);
    changed[concatenate("entry ", index)] = {change.before, change.after};
  }
  for (const ReadingChange& change : record.reading_changes) {
    changed[concatenate("reading ", reading_index(change, batch))] = {change.before, change.after};
  }
  return changed;
}

std::string site_text(const FaultRecord& record) {
  return concatenate(record.detail, " ", record.layer, " ", record.sequence, " ", record.logical_block, " ",
                     record.kv_head, " ", record.token, " ", record.byte, " ", record.before, " ", record.after);
}

std::vector<std::vector<std::uint8_t>> all_blocks(const FaultyBatch& batch) {
  std::vector<std::vector<std::uint8_t>> blocks;
  for (const PagedCacheView& layer : batch.layers()) {
    for (std::int64_t block = 0; block < layer.geometry.num_blocks; ++block) {
      blocks.push_back(read_block_cells(layer, block));
    }
  }
  return blocks;
}

}  // namespace kvarium::test
