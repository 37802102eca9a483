#include "experiments/archive/hdf5_dataset.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "experiments/archive/hdf5_error.hpp"
#include "experiments/archive/hdf5_type.hpp"

namespace kvarium {

namespace {

/// Between the sizes that compress well and those that a reader of few rows does not mind to decompress.
hsize_t chunk_rows(std::size_t rows) { return std::clamp<std::size_t>(rows, 1024, 16384); }

Hdf5Handle column_properties(std::size_t rows, ColumnType type) {
  Hdf5Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  const hsize_t chunk = chunk_rows(rows);
  H5Pset_chunk(properties.get(), 1, &chunk);
  // netCDF-C refuses filters on variable-length text, whose characters lie outside the chunks anyway.
  if (type != ColumnType::text) {
    H5Pset_shuffle(properties.get());
    H5Pset_deflate(properties.get(), 4);
    H5Pset_fletcher32(properties.get());
  }
  return properties;
}

Hdf5Handle create_column(hid_t group, const Column& column, hid_t type) {
  const hsize_t rows = column.size();
  const hsize_t unlimited = H5S_UNLIMITED;
  const Hdf5Handle space(H5Screate_simple(1, &rows, &unlimited), H5Sclose);
  const Hdf5Handle properties = column_properties(column.size(), column.schema().type);
  const std::string& name = column.schema().name;
  return hdf5_checked(H5Dcreate2(group, name.c_str(), type, space.get(), H5P_DEFAULT, properties.get(), H5P_DEFAULT),
                      H5Dclose, group, "create dataset '" + name + "'");
}

void write_values(hid_t dataset, hid_t type, const void* values) {
  hdf5_checked(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), dataset,
               "write '" + hdf5_object_name(dataset) + "'");
}

std::vector<const char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<const char*> pointers;
  for (const std::string& text : texts) pointers.push_back(text.c_str());
  return pointers;
}

struct ColumnWriter {
  hid_t group;
  const Column& column;

  Hdf5Handle operator()(const std::vector<std::string>& texts) const {
    const Hdf5Handle type = hdf5_text_type();
    Hdf5Handle dataset = create_column(group, column, type.get());
    if (!texts.empty()) write_values(dataset.get(), type.get(), pointers_to(texts).data());
    return dataset;
  }
  template <class Number>
  Hdf5Handle operator()(const std::vector<Number>& numbers) const {
    Hdf5Handle dataset = create_column(group, column, hdf5_number_type<Number>());
    if (!numbers.empty()) write_values(dataset.get(), hdf5_number_type<Number>(), numbers.data());
    return dataset;
  }
};

[[noreturn]] void refuse(hid_t dataset, const std::string& what) {
  throw InputError(concatenate(hdf5_file_name(dataset), ": dataset '", hdf5_object_name(dataset), "' ", what,
                               "; it is damaged or no kvarium archive"));
}

/// Number of rows of a dataset [rows]. A damaged extent must not become an allocation: deflate shrinks at most
/// about a thousandfold.
std::size_t checked_rows(hid_t dataset) {
  const Hdf5Handle space(H5Dget_space(dataset), H5Sclose);
  const hssize_t rows = H5Sget_simple_extent_npoints(space.get());
  if (rows < 0 || H5Sget_simple_extent_ndims(space.get()) != 1) refuse(dataset, "does not have one dimension");
  const Hdf5Handle file(H5Iget_file_id(dataset), H5Fclose);
  hsize_t file_bytes = 0;
  H5Fget_filesize(file.get(), &file_bytes);
  if (static_cast<hsize_t>(rows) / 1100 > file_bytes) refuse(dataset, "claims more rows than the file can hold");
  return static_cast<std::size_t>(rows);
}

void read_values(hid_t dataset, hid_t type, void* values) {
  if (H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0) {
    const std::string reason = hdf5_reason();
    refuse(dataset, "cannot be read (" + reason + ")");
  }
}

template <class Number>
Column::Storage read_numbers(hid_t dataset) {
  std::vector<Number> numbers(checked_rows(dataset));
  if (!numbers.empty()) read_values(dataset, hdf5_number_type<Number>(), numbers.data());
  return numbers;
}

std::vector<std::string> read_variable_texts(hid_t dataset, hid_t type, std::size_t size) {
  std::vector<char*> pointers(size, nullptr);
  if (size > 0) read_values(dataset, type, pointers.data());
  std::vector<std::string> texts;
  for (char* pointer : pointers) {
    texts.emplace_back(pointer == nullptr ? "" : pointer);
    H5free_memory(pointer);
  }
  return texts;
}

std::vector<std::string> read_texts(hid_t dataset, hid_t type, std::size_t size) {
  if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) <= 0) refuse(dataset, "is not UTF-8 text");
  return read_variable_texts(dataset, type, size);
}

Hdf5Handle open_dataset(hid_t group, const std::string& name) {
  return hdf5_checked(H5Dopen2(group, name.c_str(), H5P_DEFAULT), H5Dclose, group, "open dataset '" + name + "'");
}

}  // namespace

Hdf5Handle make_hdf5_group(hid_t file, const std::string& path) {
  if (H5Lexists(file, path.c_str(), H5P_DEFAULT) > 0) {
    return hdf5_checked(H5Gopen2(file, path.c_str(), H5P_DEFAULT), H5Gclose, file, "open group '" + path + "'");
  }
  const std::size_t slash = path.rfind('/');
  if (slash != std::string::npos && slash > 0) make_hdf5_group(file, path.substr(0, slash));
  const Hdf5Handle properties(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
  H5Pset_link_creation_order(properties.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  H5Pset_attr_creation_order(properties.get(), H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED);
  return hdf5_checked(H5Gcreate2(file, path.c_str(), H5P_DEFAULT, properties.get(), H5P_DEFAULT), H5Gclose, file,
                      "create group '" + path + "'");
}

Hdf5Handle write_hdf5_column(hid_t group, const Column& column) {
  return std::visit(ColumnWriter{group, column}, column.storage());
}

Column::Storage read_hdf5_column(hid_t dataset) {
  const Hdf5Handle type(H5Dget_type(dataset), H5Tclose);
  const std::size_t bytes = H5Tget_size(type.get());
  switch (H5Tget_class(type.get())) {
    case H5T_STRING:
      return read_texts(dataset, type.get(), checked_rows(dataset));
    case H5T_FLOAT:
      if (bytes == 8) return read_numbers<double>(dataset);
      break;
    case H5T_INTEGER:
      if (bytes == 8 && H5Tget_sign(type.get()) == H5T_SGN_NONE) return read_numbers<std::uint64_t>(dataset);
      if (bytes == 8) return read_numbers<std::int64_t>(dataset);
      if (bytes == 1 && H5Tget_sign(type.get()) != H5T_SGN_NONE) return read_numbers<std::int8_t>(dataset);
      break;
    default:
      break;
  }
  refuse(dataset, "has a type that no column has (use " + join(column_type_names()) + ")");
}

void write_hdf5_text(hid_t group, const std::string& name, const std::string& text) {
  const Hdf5Handle type = hdf5_text_type();
  const Hdf5Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Hdf5Handle dataset =
      hdf5_checked(H5Dcreate2(group, name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                   H5Dclose, group, "create dataset '" + name + "'");
  const char* characters = text.c_str();
  write_values(dataset.get(), type.get(), &characters);
}

void write_hdf5_texts(hid_t group, const std::string& name, const std::vector<std::string>& texts) {
  const Hdf5Handle type = hdf5_text_type();
  const hsize_t size = texts.size();
  const Hdf5Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
  const Hdf5Handle dataset =
      hdf5_checked(H5Dcreate2(group, name.c_str(), type.get(), space.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                   H5Dclose, group, "create dataset '" + name + "'");
  if (!texts.empty()) write_values(dataset.get(), type.get(), pointers_to(texts).data());
}

std::string read_hdf5_text(hid_t group, const std::string& name) {
  const Hdf5Handle dataset = open_dataset(group, name);
  const Hdf5Handle space(H5Dget_space(dataset.get()), H5Sclose);
  const Hdf5Handle type(H5Dget_type(dataset.get()), H5Tclose);
  if (H5Sget_simple_extent_npoints(space.get()) != 1) refuse(dataset.get(), "is not one text");
  return read_texts(dataset.get(), type.get(), 1).front();
}

std::vector<std::string> read_hdf5_texts(hid_t group, const std::string& name) {
  const Hdf5Handle dataset = open_dataset(group, name);
  const Hdf5Handle type(H5Dget_type(dataset.get()), H5Tclose);
  return read_texts(dataset.get(), type.get(), checked_rows(dataset.get()));
}

}  // namespace kvarium
