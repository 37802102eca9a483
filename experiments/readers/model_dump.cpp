#include "experiments/readers/model_dump.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <hdf5.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "core/check.hpp"
#include "experiments/archive/hdf5_attribute.hpp"
#include "experiments/archive/hdf5_error.hpp"
#include "experiments/archive/hdf5_file.hpp"
#include "experiments/archive/hdf5_handle.hpp"
#include "experiments/archive/hdf5_probe.hpp"

namespace kvarium {

namespace {

constexpr const char* remedy = "; write the dump with python -m kvarium.models.smollm2";

struct Dataset {
  Hdf5Handle handle;
  std::string place;  ///< "FILE: dataset '/key'"
  std::vector<hsize_t> shape;
};

std::vector<hsize_t> shape_of(hid_t dataset) {
  const Hdf5Handle space(H5Dget_space(dataset), H5Sclose);
  const int rank = H5Sget_simple_extent_ndims(space.get());
  std::vector<hsize_t> shape(static_cast<std::size_t>(std::max(rank, 0)));
  if (rank > 0) H5Sget_simple_extent_dims(space.get(), shape.data(), nullptr);
  return shape;
}

Dataset open_dataset(hid_t file, const std::string& name, std::size_t rank) {
  const std::string place = fmt::format("{}: dataset '/{}'", hdf5_file_name(file), name);
  Hdf5Handle handle(H5Dopen2(file, name.c_str(), H5P_DEFAULT), H5Dclose);
  KVARIUM_VALIDATE(handle.is_valid(), place, " is missing", remedy);
  std::vector<hsize_t> shape = shape_of(handle.get());
  KVARIUM_VALIDATE(shape.size() == rank, place, " has ", shape.size(), " dimensions, not ", rank, remedy);
  // Larger extents are damage: no index of ours would reach them.
  for (const hsize_t extent : shape) {
    KVARIUM_VALIDATE(extent > 0 && extent <= std::numeric_limits<std::int32_t>::max(), place, " has shape ",
                     fmt::format("{}", shape), "; every extent must be at least 1 and below 2^31");
  }
  return {std::move(handle), place, std::move(shape)};
}

/// Elements of a dataset. A damaged extent must not become an allocation: deflate shrinks at most about a thousandfold.
std::size_t checked_size(const Dataset& dataset) {
  const Hdf5Handle file(H5Iget_file_id(dataset.handle.get()), H5Fclose);
  hsize_t file_bytes = 0;
  H5Fget_filesize(file.get(), &file_bytes);
  double size = 1;
  for (const hsize_t extent : dataset.shape) size *= static_cast<double>(extent);
  KVARIUM_VALIDATE(size <= 1100.0 * static_cast<double>(file_bytes), dataset.place, " has shape ",
                   fmt::format("{}", dataset.shape), ", more than the file can hold; the file is damaged");
  return static_cast<std::size_t>(size);
}

template <class Element>
std::vector<Element> read_elements(const Dataset& dataset, hid_t memory_type) {
  std::vector<Element> elements(checked_size(dataset));
  if (H5Dread(dataset.handle.get(), memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, elements.data()) < 0) {
    throw InputError(dataset.place + " cannot be read (" + hdf5_reason() + "); the file is damaged");
  }
  return elements;
}

std::vector<float> from_bfloat16(const std::vector<std::uint16_t>& stored) {
  std::vector<float> elements(stored.size());
  std::transform(stored.begin(), stored.end(), elements.begin(),
                 [](std::uint16_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits) << 16U); });
  return elements;
}

std::vector<float> read_floats(const Dataset& dataset, const std::string& element_type) {
  const Hdf5Handle type(H5Dget_type(dataset.handle.get()), H5Tclose);
  const H5T_class_t kind = H5Tget_class(type.get());
  if (kind == H5T_INTEGER && H5Tget_size(type.get()) == 2 && element_type == "bfloat16") {
    return from_bfloat16(read_elements<std::uint16_t>(dataset, H5T_NATIVE_UINT16));
  }
  KVARIUM_VALIDATE(kind == H5T_FLOAT, dataset.place,
                   " holds no floating-point numbers (uint16 is read as bfloat16 where element_type says so)", remedy);
  return read_elements<float>(dataset, H5T_NATIVE_FLOAT);
}

double read_scale(hid_t file) {
  const std::optional<Value> value = read_attribute(file, "scale");
  const double* scale = value ? std::get_if<double>(&value->storage()) : nullptr;
  KVARIUM_VALIDATE(scale != nullptr && std::isfinite(*scale) && *scale > 0, hdf5_file_name(file),
                   ": attribute 'scale' is missing or not a positive number", remedy);
  return *scale;
}

std::string read_text(hid_t file, const std::string& name) {
  const std::optional<std::string> text = read_text_attribute(file, name);
  KVARIUM_VALIDATE(text.has_value(), hdf5_file_name(file), ": attribute '", name, "' is missing or no text", remedy);
  return *text;
}

void check_shapes(const Dataset& key, const Dataset& value, const Dataset& query, const Dataset& token_ids) {
  KVARIUM_VALIDATE(value.shape == key.shape, value.place, " has shape ", fmt::format("{}", value.shape), " and '/key' ",
                   fmt::format("{}", key.shape), "; they must be equal");
  KVARIUM_VALIDATE(query.shape[0] == key.shape[0] && query.shape[1] == key.shape[1] && query.shape[3] == key.shape[3],
                   query.place, " has shape ", fmt::format("{}", query.shape), " and '/key' ",
                   fmt::format("{}", key.shape), "; layers, tokens and head size must be equal");
  KVARIUM_VALIDATE(query.shape[2] % key.shape[2] == 0, query.place, " has ", query.shape[2],
                   " heads, no multiple of the ", key.shape[2], " KV heads of '/key'");
  KVARIUM_VALIDATE(token_ids.shape[0] == key.shape[1], token_ids.place, " has ", token_ids.shape[0],
                   " entries for the ", key.shape[1], " tokens of '/key'");
}

void set_extents(ModelDump& dump, const std::vector<hsize_t>& key, const std::vector<hsize_t>& query) {
  dump.num_layers = static_cast<int>(key[0]);
  dump.num_tokens = static_cast<std::int64_t>(key[1]);
  dump.num_kv_heads = static_cast<int>(key[2]);
  dump.num_heads = static_cast<int>(query[2]);
  dump.head_size = static_cast<int>(key[3]);
}

std::int64_t count_not_finite(const std::vector<float>& elements) {
  return std::count_if(elements.begin(), elements.end(), [](float element) { return !std::isfinite(element); });
}

std::vector<std::int64_t> read_token_ids(const Dataset& dataset) {
  const Hdf5Handle type(H5Dget_type(dataset.handle.get()), H5Tclose);
  KVARIUM_VALIDATE(H5Tget_class(type.get()) == H5T_INTEGER, dataset.place, " holds no integers", remedy);
  return read_elements<std::int64_t>(dataset, H5T_NATIVE_INT64);
}

ModelDump read_dump(const std::filesystem::path& path) {
  const Hdf5Handle file = open_hdf5_file(path);
  const Dataset key = open_dataset(file.get(), "key", 4);
  const Dataset value = open_dataset(file.get(), "value", 4);
  const Dataset query = open_dataset(file.get(), "query", 4);
  const Dataset token_ids = open_dataset(file.get(), "token_ids", 1);
  check_shapes(key, value, query, token_ids);

  ModelDump dump;
  dump.model = read_text(file.get(), "model");
  dump.element_type = read_text(file.get(), "element_type");
  dump.scale = read_scale(file.get());
  set_extents(dump, key.shape, query.shape);
  dump.key = read_floats(key, dump.element_type);
  dump.value = read_floats(value, dump.element_type);
  dump.query = read_floats(query, dump.element_type);
  dump.token_ids = read_token_ids(token_ids);
  dump.num_not_finite = count_not_finite(dump.key) + count_not_finite(dump.value) + count_not_finite(dump.query);
  return dump;
}

}  // namespace

ModelDump read_model_dump(const std::filesystem::path& path) {
  probe_hdf5(path, [&] { read_dump(path); });
  return read_dump(path);
}

}  // namespace kvarium
