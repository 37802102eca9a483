#include "experiments/archive/table_groups.hpp"

#include <hdf5_hl.h>

#include <array>
#include <numeric>
#include <sstream>

#include "core/check.hpp"
#include "experiments/archive/hdf5_attribute.hpp"
#include "experiments/archive/hdf5_dataset.hpp"
#include "experiments/archive/hdf5_error.hpp"
#include "experiments/archive/hdf5_handle.hpp"

namespace kvarium {

namespace {

/// Stands for _FillValue on uint64 columns: readers that decode that turn the column into float64, which holds only 53
/// of a mask's 64 bits.
constexpr const char* value_of_missing = "absent_value";

template <class Number>
void write_fill_value(hid_t dataset, Number value) {
  write_array_attribute<Number>(dataset, "_FillValue", std::array{value});
}

void write_fill_value(hid_t dataset, const ColumnSchema& column) {
  if (column.type == ColumnType::float64) write_fill_value(dataset, std::numeric_limits<double>::quiet_NaN());
  if (!column.may_be_missing) return;
  if (column.type == ColumnType::int8) write_fill_value(dataset, missing_integer<std::int8_t>());
  if (column.type == ColumnType::int64) write_fill_value(dataset, missing_integer<std::int64_t>());
  if (column.type == ColumnType::uint64) {
    write_array_attribute<std::uint64_t>(dataset, value_of_missing, std::array{missing_integer<std::uint64_t>()});
  }
}

void write_flags(hid_t dataset, const ColumnSchema& column) {
  if (column.flag_meanings.empty()) return;
  std::vector<std::int8_t> numbers(column.flag_meanings.size());
  std::iota(numbers.begin(), numbers.end(), std::int8_t{0});
  write_array_attribute<std::int8_t>(dataset, "flag_values", numbers);
  write_attribute(dataset, "flag_meanings", join(column.flag_meanings, " "));
}

void write_column_attributes(hid_t dataset, const ColumnSchema& column) {
  write_attribute(dataset, "long_name", column.description);
  if (!column.unit.empty()) write_attribute(dataset, "units", column.unit);
  write_fill_value(dataset, column);
  write_flags(dataset, column);
  write_array_attribute<std::int8_t>(dataset, "deterministic",
                                     std::array{static_cast<std::int8_t>(column.deterministic)});
}

Hdf5Handle write_column(hid_t group, const Column& column) {
  Hdf5Handle dataset = write_hdf5_column(group, column);
  write_column_attributes(dataset.get(), column.schema());
  return dataset;
}

Hdf5Handle write_scale(hid_t group, const Table& table) {
  const std::string& dimension = table.schema().dimension;
  const Column& column = table.column(dimension);
  if (column.schema().type != ColumnType::int64) {
    throw AssertionFailure(concatenate("table '", table.schema().path, "': its dimension must be an int64 column"));
  }
  Hdf5Handle scale = write_column(group, column);
  hdf5_checked(H5DSset_scale(scale.get(), dimension.c_str()), scale.get(),
               "make '" + dimension + "' a dimension scale");
  return scale;
}

herr_t collect_dataset(hid_t group, const char* name, const H5L_info_t*, void* names) {
  H5O_info_t information{};
  if (H5Oget_info_by_name1(group, name, &information, H5P_DEFAULT) < 0) return -1;
  if (information.type == H5O_TYPE_DATASET) static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

/// Names of the datasets in the order of their creation, or by name where the file does not keep that.
std::vector<std::string> dataset_names(hid_t group) {
  const Hdf5Handle properties(H5Gget_create_plist(group), H5Pclose);
  unsigned flags = 0;
  H5Pget_link_creation_order(properties.get(), &flags);
  const H5_index_t index = (flags & H5P_CRT_ORDER_TRACKED) != 0 ? H5_INDEX_CRT_ORDER : H5_INDEX_NAME;
  std::vector<std::string> names;
  hdf5_checked(H5Literate(group, index, H5_ITER_INC, nullptr, collect_dataset, &names), group,
               "list group '" + hdf5_object_name(group) + "'");
  return names;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

Column read_column(hid_t group, const std::string& name) {
  const Hdf5Handle dataset =
      hdf5_checked(H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose, group, "open dataset '" + name + "'");
  Column::Storage storage = read_hdf5_column(dataset.get());
  ColumnSchema schema{name, static_cast<ColumnType>(storage.index()),
                      read_text_attribute(dataset.get(), "units").value_or(""),
                      read_text_attribute(dataset.get(), "long_name").value_or("")};
  schema.deterministic = read_integer_attribute(dataset.get(), "deterministic").value_or(1) != 0;
  if (schema.type == ColumnType::int8) {
    schema.flag_meanings = words_of(read_text_attribute(dataset.get(), "flag_meanings").value_or(""));
  }
  const bool has_missing = has_attribute(dataset.get(), "_FillValue") || has_attribute(dataset.get(), value_of_missing);
  schema.may_be_missing = schema.type != ColumnType::float64 && has_missing;
  return Column(std::move(schema), std::move(storage));
}

std::string dimension_of(hid_t group, const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const Hdf5Handle dataset(H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose);
    if (H5DSis_scale(dataset.get()) > 0) return name;
  }
  return "";
}

void check_lengths(hid_t file, const std::string& path, const std::vector<Column>& columns) {
  for (const Column& column : columns) {
    KVARIUM_VALIDATE(column.size() == columns.front().size(), hdf5_file_name(file), ": dataset '", path, "/",
                     column.schema().name, "' has ", column.size(), " rows where '", columns.front().schema().name,
                     "' has ", columns.front().size(), "; the archive is damaged");
  }
}

}  // namespace

void write_table(hid_t file, const Table& table) {
  const TableSchema& schema = table.schema();
  const Hdf5Handle group = make_hdf5_group(file, schema.path);
  write_attribute(group.get(), "title", schema.description);
  write_array_attribute<std::int8_t>(group.get(), "derived", std::array{static_cast<std::int8_t>(schema.derived)});
  const Hdf5Handle scale = write_scale(group.get(), table);
  for (const Column& column : table.columns()) {
    if (column.schema().name == schema.dimension) continue;
    const Hdf5Handle dataset = write_column(group.get(), column);
    hdf5_checked(H5DSattach_scale(dataset.get(), scale.get(), 0), dataset.get(), "attach the dimension scale");
  }
}

Table read_table(hid_t file, const std::string& path) {
  const Hdf5Handle group =
      hdf5_checked(H5Gopen2(file, path.c_str(), H5P_DEFAULT), H5Gclose, file, "open group '" + path + "'");
  const std::vector<std::string> names = dataset_names(group.get());
  TableSchema schema{
      path, dimension_of(group.get(), names), read_text_attribute(group.get(), "title").value_or(""), {}};
  schema.derived = read_integer_attribute(group.get(), "derived").value_or(0) != 0;
  std::vector<Column> columns;
  for (const std::string& name : names) columns.push_back(read_column(group.get(), name));
  check_lengths(file, path, columns);
  for (const Column& column : columns) schema.columns.push_back(column.schema());
  return Table(std::move(schema), std::move(columns));
}

}  // namespace kvarium
