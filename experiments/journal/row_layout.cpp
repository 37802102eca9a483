#include "experiments/journal/row_layout.hpp"

#include <algorithm>
#include <cstring>

#include "core/check.hpp"
#include "experiments/archive/hdf5_type.hpp"
#include "experiments/journal/row_checksum.hpp"

namespace kvarium {

namespace {

using Checksum = std::uint32_t;

/// Where a text stands among a journal's characters.
struct TextPlace {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
};

std::size_t member_bytes(ColumnType type) {
  if (type == ColumnType::int8) return 1;
  return type == ColumnType::text ? sizeof(TextPlace) : 8;
}

Hdf5Handle text_place_type() {
  Hdf5Handle type(H5Tcreate(H5T_COMPOUND, sizeof(TextPlace)), H5Tclose);
  H5Tinsert(type.get(), "offset", HOFFSET(TextPlace, offset), H5T_NATIVE_UINT64);
  H5Tinsert(type.get(), "length", HOFFSET(TextPlace, length), H5T_NATIVE_UINT64);
  return type;
}

void insert_member(hid_t record, const ColumnSchema& column, std::size_t offset) {
  const auto insert = [&](hid_t type) { H5Tinsert(record, column.name.c_str(), offset, type); };
  switch (column.type) {
    case ColumnType::int8:
      return insert(hdf5_number_type<std::int8_t>());
    case ColumnType::int64:
      return insert(hdf5_number_type<std::int64_t>());
    case ColumnType::uint64:
      return insert(hdf5_number_type<std::uint64_t>());
    case ColumnType::float64:
      return insert(hdf5_number_type<double>());
    case ColumnType::text:
      return insert(text_place_type().get());
  }
}

/// Writes the members of one column, `stride` bytes apart.
struct MemberWriter {
  std::size_t begin, end;
  char* target;
  std::size_t stride;
  std::uint64_t first_character;
  std::string& characters;

  template <class Number>
  void operator()(const std::vector<Number>& numbers) {
    for (std::size_t row = begin; row < end; ++row, target += stride) {
      std::memcpy(target, &numbers[row], sizeof(Number));
    }
  }
  void operator()(const std::vector<std::string>& texts) {
    for (std::size_t row = begin; row < end; ++row, target += stride) {
      const TextPlace place{first_character + characters.size(), texts[row].size()};
      characters += texts[row];
      std::memcpy(target, &place, sizeof place);
    }
  }
};

/// Reads the members of one column.
struct MemberReader {
  std::span<const char> bytes;
  std::size_t offset, stride;
  std::string_view characters;
  const std::vector<bool>& is_whole;

  template <class Member>
  Member member(std::size_t row) const {
    Member value{};
    if (is_whole[row]) std::memcpy(&value, bytes.data() + row * stride + offset, sizeof value);
    return value;
  }
  template <class Number>
  std::vector<Number> numbers() const {
    std::vector<Number> values(is_whole.size());
    for (std::size_t row = 0; row < values.size(); ++row) values[row] = member<Number>(row);
    return values;
  }
  std::vector<std::string> texts() const {
    std::vector<std::string> values(is_whole.size());
    for (std::size_t row = 0; row < values.size(); ++row) {
      const auto place = member<TextPlace>(row);
      values[row] = characters.substr(place.offset, place.length);
    }
    return values;
  }
  Column::Storage storage(ColumnType type) const {
    switch (type) {
      case ColumnType::int8:
        return numbers<std::int8_t>();
      case ColumnType::int64:
        return numbers<std::int64_t>();
      case ColumnType::uint64:
        return numbers<std::uint64_t>();
      case ColumnType::float64:
        return numbers<double>();
      case ColumnType::text:
        return texts();
    }
    return {};
  }
};

}  // namespace

RowLayout::RowLayout(TableSchema schema) : schema_(std::move(schema)) {
  for (const ColumnSchema& column : schema_.columns) {
    offsets_.push_back(row_bytes_);
    row_bytes_ += member_bytes(column.type);
  }
  row_bytes_ += sizeof(Checksum);
}

Hdf5Handle RowLayout::hdf5_type() const {
  Hdf5Handle record(H5Tcreate(H5T_COMPOUND, row_bytes_), H5Tclose);
  for (std::size_t i = 0; i < offsets_.size(); ++i) insert_member(record.get(), schema_.columns[i], offsets_[i]);
  H5Tinsert(record.get(), "crc32c", row_bytes_ - sizeof(Checksum), H5T_NATIVE_UINT32);
  return record;
}

void RowLayout::encode(const Table& rows, std::size_t begin, std::size_t end, std::uint64_t first_character,
                       std::string& characters, std::vector<char>& bytes) const {
  KVARIUM_EXPECT(rows.num_columns() == offsets_.size());
  const std::size_t size = bytes.size();
  bytes.resize(size + (end - begin) * row_bytes_);
  char* const first = bytes.data() + size;
  for (std::size_t i = 0; i < offsets_.size(); ++i) {
    std::visit(MemberWriter{begin, end, first + offsets_[i], row_bytes_, first_character, characters},
               rows.columns()[i].storage());
  }
  for (char* row = first; row < bytes.data() + bytes.size(); row += row_bytes_) {
    const std::size_t covered = row_bytes_ - sizeof(Checksum);
    const Checksum checksum = row_checksum({row, covered});
    std::memcpy(row + covered, &checksum, sizeof checksum);
  }
}

std::vector<bool> RowLayout::whole_rows(std::span<const char> bytes, std::size_t num_characters) const {
  std::vector<bool> is_whole(bytes.size() / row_bytes_);
  const std::size_t covered = row_bytes_ - sizeof(Checksum);
  const auto has_texts = [&](const char* row) {
    for (std::size_t i = 0; i < offsets_.size(); ++i) {
      if (schema_.columns[i].type != ColumnType::text) continue;
      TextPlace place;
      std::memcpy(&place, row + offsets_[i], sizeof place);
      if (place.offset > num_characters || place.length > num_characters - place.offset) return false;
    }
    return true;
  };
  for (std::size_t i = 0; i < is_whole.size(); ++i) {
    const char* const row = bytes.data() + i * row_bytes_;
    Checksum recorded = 0;
    std::memcpy(&recorded, row + covered, sizeof recorded);
    is_whole[i] = recorded == row_checksum({row, covered}) && has_texts(row);
  }
  return is_whole;
}

Table RowLayout::decode(std::span<const char> bytes, std::string_view characters,
                        const std::vector<bool>& is_whole) const {
  KVARIUM_EXPECT(bytes.size() == is_whole.size() * row_bytes_);
  std::vector<Column> columns;
  for (std::size_t i = 0; i < offsets_.size(); ++i) {
    const ColumnSchema& column = schema_.columns[i];
    const MemberReader reader{bytes, offsets_[i], row_bytes_, characters, is_whole};
    columns.emplace_back(column, reader.storage(column.type));
  }
  return Table(schema_, std::move(columns));
}

}  // namespace kvarium
