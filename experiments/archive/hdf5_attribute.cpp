#include "experiments/archive/hdf5_attribute.hpp"

#include "experiments/archive/hdf5_error.hpp"
#include "experiments/archive/hdf5_handle.hpp"
#include "experiments/archive/hdf5_type.hpp"

namespace kvarium {

namespace {

void write(hid_t object, const std::string& name, hid_t type, const Hdf5Handle& space, const void* data) {
  const std::string action = "write attribute '" + name + "' of '" + hdf5_object_name(object) + "'";
  const Hdf5Handle attribute = hdf5_checked(
      H5Acreate2(object, name.c_str(), type, space.get(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose, object, action);
  hdf5_checked(H5Awrite(attribute.get(), type, data), object, action);
}

struct ScalarWriter {
  hid_t object;
  const std::string& name;

  void operator()(std::monostate) const { (*this)(std::string()); }
  void operator()(const std::string& text) const {
    const char* characters = text.c_str();
    write(object, name, hdf5_text_type().get(), Hdf5Handle(H5Screate(H5S_SCALAR), H5Sclose), &characters);
  }
  template <class Number>
  void operator()(Number number) const {
    write(object, name, hdf5_number_type<Number>(), Hdf5Handle(H5Screate(H5S_SCALAR), H5Sclose), &number);
  }
};

std::optional<Value> read_variable_text(hid_t attribute, hid_t type) {
  const Hdf5Handle memory(H5Tcopy(type), H5Tclose);
  char* text = nullptr;
  if (H5Aread(attribute, memory.get(), &text) < 0) return {};
  Value value(text == nullptr ? "" : text);
  H5free_memory(text);
  return value;
}

std::optional<Value> read_fixed_text(hid_t attribute, hid_t type) {
  std::string text(H5Tget_size(type), '\0');
  if (H5Aread(attribute, type, text.data()) < 0) return {};
  return Value(std::string(text.c_str()));
}

template <class Number>
std::optional<Value> read_number(hid_t attribute) {
  Number number{};
  if (H5Aread(attribute, hdf5_number_type<Number>(), &number) < 0) return {};
  return Value(number);
}

std::optional<Value> read_value(hid_t attribute, hid_t type) {
  switch (H5Tget_class(type)) {
    case H5T_STRING:
      return H5Tis_variable_str(type) > 0 ? read_variable_text(attribute, type) : read_fixed_text(attribute, type);
    case H5T_FLOAT:
      return read_number<double>(attribute);
    case H5T_INTEGER:
      if (H5Tget_sign(type) == H5T_SGN_NONE && H5Tget_size(type) == 8) return read_number<std::uint64_t>(attribute);
      return read_number<std::int64_t>(attribute);
    default:
      return {};
  }
}

herr_t collect_name(hid_t, const char* name, const H5A_info_t*, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

}  // namespace

void write_attribute(hid_t object, const std::string& name, const Value& value) {
  std::visit(ScalarWriter{object, name}, value.storage());
}

template <class Number>
void write_array_attribute(hid_t object, const std::string& name, std::span<const Number> values) {
  const hsize_t size = values.size();
  const Hdf5Handle space(H5Screate_simple(1, &size, nullptr), H5Sclose);
  write(object, name, hdf5_number_type<Number>(), space, values.data());
}

template void write_array_attribute(hid_t, const std::string&, std::span<const std::int8_t>);
template void write_array_attribute(hid_t, const std::string&, std::span<const std::int64_t>);
template void write_array_attribute(hid_t, const std::string&, std::span<const std::uint64_t>);
template void write_array_attribute(hid_t, const std::string&, std::span<const double>);

bool has_attribute(hid_t object, const std::string& name) { return H5Aexists(object, name.c_str()) > 0; }

std::optional<Value> read_attribute(hid_t object, const std::string& name) {
  if (!has_attribute(object, name)) return {};
  const Hdf5Handle attribute(H5Aopen(object, name.c_str(), H5P_DEFAULT), H5Aclose);
  if (!attribute.is_valid()) return {};
  const Hdf5Handle space(H5Aget_space(attribute.get()), H5Sclose);
  const Hdf5Handle type(H5Aget_type(attribute.get()), H5Tclose);
  if (H5Sget_simple_extent_npoints(space.get()) != 1 || !type.is_valid()) return {};
  return read_value(attribute.get(), type.get());
}

std::optional<std::string> read_text_attribute(hid_t object, const std::string& name) {
  const std::optional<Value> value = read_attribute(object, name);
  const std::string* text = value ? std::get_if<std::string>(&value->storage()) : nullptr;
  return text == nullptr ? std::nullopt : std::optional(*text);
}

std::optional<std::int64_t> read_integer_attribute(hid_t object, const std::string& name) {
  const std::optional<Value> value = read_attribute(object, name);
  const std::int64_t* integer = value ? std::get_if<std::int64_t>(&value->storage()) : nullptr;
  return integer == nullptr ? std::nullopt : std::optional(*integer);
}

NamedValues read_attributes(hid_t object) {
  std::vector<std::string> names;
  hsize_t position = 0;
  if (H5Aiterate2(object, H5_INDEX_CRT_ORDER, H5_ITER_INC, &position, collect_name, &names) < 0) {
    names.clear();
    position = 0;
    H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, &position, collect_name, &names);
  }
  NamedValues values;
  for (const std::string& name : names) {
    if (const std::optional<Value> value = read_attribute(object, name)) values.emplace_back(name, *value);
  }
  return values;
}

}  // namespace kvarium
