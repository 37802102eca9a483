#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/archive/hdf5_handle.hpp"
#include "experiments/results/table.hpp"

namespace kvarium {

/// How a journal holds one row of a table: a packed record of the columns in their order, then a CRC-32C of them.
/// Journals may hold no text of variable length, so a text is an offset and a length, both uint64, into the journal's
/// characters.
class RowLayout {
 public:
  explicit RowLayout(TableSchema schema);

  const TableSchema& schema() const { return schema_; }
  std::size_t row_bytes() const { return row_bytes_; }
  /// The compound type of HDF5.
  Hdf5Handle hdf5_type() const;

  /// Appends rows begin to end - 1 to `bytes` and their texts to `characters`, whose first one is number
  /// `first_character` of the journal. Precondition: the table is of the schema.
  void encode(const Table& rows, std::size_t begin, std::size_t end, std::uint64_t first_character,
              std::string& characters, std::vector<char>& bytes) const;

  /// Of each record [row_bytes()], whether its CRC is right and its texts lie within `num_characters`.
  std::vector<bool> whole_rows(std::span<const char> bytes, std::size_t num_characters) const;

  /// Inverse of encode; rows that are not whole become rows of zeros and empty texts.
  Table decode(std::span<const char> bytes, std::string_view characters, const std::vector<bool>& is_whole) const;

 private:
  TableSchema schema_;
  std::vector<std::size_t> offsets_;  // of each column in a record
  std::size_t row_bytes_ = 0;
};

}  // namespace kvarium
