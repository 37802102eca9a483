#include "tests/experiments/readers/dump_writer.hpp"

namespace kvarium::test {

namespace {

void write_array(hid_t file, const char* name, const std::optional<DumpArray>& array) {
  if (!array) return;
  const hid_t space = H5Screate_simple(static_cast<int>(array->shape.size()), array->shape.data(), nullptr);
  const hid_t dataset = H5Dcreate2(file, name, array->type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  const std::vector<double> elements(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)), array->value);
  H5Dwrite(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, elements.data());
  H5Dclose(dataset);
  H5Sclose(space);
}

void write_value(hid_t file, const char* name, hid_t type, const void* value) {
  const hid_t space = H5Screate(H5S_SCALAR);
  const hid_t attribute = H5Acreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  H5Awrite(attribute, type, value);
  H5Aclose(attribute);
  H5Sclose(space);
}

/// Fixed-length text, as some writers store it.
void write_text(hid_t file, const char* name, const std::optional<std::string>& text) {
  if (!text) return;
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, text->size() + 1);
  write_value(file, name, type, text->c_str());
  H5Tclose(type);
}

}  // namespace

DumpFile::DumpFile()
    : key(DumpArray{{2, 5, 1, 8}, H5T_NATIVE_FLOAT, 1}),
      value(DumpArray{{2, 5, 1, 8}, H5T_NATIVE_FLOAT, 2}),
      query(DumpArray{{2, 5, 3, 8}, H5T_NATIVE_FLOAT, 3}),
      token_ids(DumpArray{{5}, H5T_NATIVE_INT, 7}) {}

void write_dump(const std::filesystem::path& path, const DumpFile& dump) {
  const hid_t file = H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  write_array(file, "key", dump.key);
  write_array(file, "value", dump.value);
  write_array(file, "query", dump.query);
  write_array(file, "token_ids", dump.token_ids);
  write_text(file, "model", dump.model);
  write_text(file, "element_type", dump.element_type);
  if (dump.scale) write_value(file, "scale", H5T_NATIVE_DOUBLE, &*dump.scale);
  H5Fclose(file);
}

}  // namespace kvarium::test
