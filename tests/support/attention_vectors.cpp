#include "tests/support/attention_vectors.hpp"

#include <hdf5.h>

#include <stdexcept>

namespace kvarium::test {
namespace {

hid_t check(hid_t id) {
  if (id < 0) throw std::runtime_error("cannot read paged_attention.h5");
  return id;
}

std::vector<hsize_t> shape_of(hid_t group, const char* name) {
  const hid_t dataset = check(H5Dopen2(group, name, H5P_DEFAULT));
  const hid_t space = check(H5Dget_space(dataset));
  std::vector<hsize_t> shape(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
  H5Sget_simple_extent_dims(space, shape.data(), nullptr);
  H5Sclose(space);
  H5Dclose(dataset);
  return shape;
}

/// All elements, converted to `Element` by the library.
template <class Element>
std::vector<Element> read(hid_t group, const char* name, hid_t type) {
  std::size_t count = 1;
  for (hsize_t size : shape_of(group, name)) count *= size;
  std::vector<Element> values(count);
  const hid_t dataset = check(H5Dopen2(group, name, H5P_DEFAULT));
  check(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
  H5Dclose(dataset);
  return values;
}

double attribute(hid_t group, const char* name) {
  const hid_t id = check(H5Aopen(group, name, H5P_DEFAULT));
  double value = 0;
  check(H5Aread(id, H5T_NATIVE_DOUBLE, &value));
  H5Aclose(id);
  return value;
}

AttentionVector read_case(hid_t file, const std::string& name) {
  const hid_t group = check(H5Gopen2(file, name.c_str(), H5P_DEFAULT));
  AttentionVector item;
  item.name = name;
  const auto query = shape_of(group, "query");
  const auto key = shape_of(group, "key_cache");
  item.num_sequences = static_cast<std::int64_t>(query[0]);
  item.num_heads = static_cast<int>(query[1]);
  item.head_size = static_cast<int>(query[2]);
  item.num_blocks = static_cast<std::int64_t>(key[0]);
  item.num_kv_heads = static_cast<int>(attribute(group, "num_kv_heads"));
  item.block_size = static_cast<int>(attribute(group, "block_size"));
  item.x = static_cast<int>(attribute(group, "x"));
  item.scale = attribute(group, "scale");
  item.softcap = attribute(group, "softcap");
  item.sliding_window = static_cast<std::int64_t>(attribute(group, "sliding_window"));
  item.max_num_blocks_per_sequence = static_cast<std::int64_t>(shape_of(group, "block_tables")[1]);
  item.query = read<float>(group, "query", H5T_NATIVE_FLOAT);
  item.key_cache = read<float>(group, "key_cache", H5T_NATIVE_FLOAT);
  item.value_cache = read<float>(group, "value_cache", H5T_NATIVE_FLOAT);
  item.block_tables = read<std::int32_t>(group, "block_tables", H5T_NATIVE_INT32);
  item.seq_lens = read<std::int32_t>(group, "seq_lens", H5T_NATIVE_INT32);
  item.expected_output = read<double>(group, "expected_output", H5T_NATIVE_DOUBLE);
  item.expected_lse = read<double>(group, "expected_lse", H5T_NATIVE_DOUBLE);
  if (H5Lexists(group, "alibi_slopes", H5P_DEFAULT) > 0) {
    item.alibi_slopes = read<float>(group, "alibi_slopes", H5T_NATIVE_FLOAT);
  }
  H5Gclose(group);
  return item;
}

}  // namespace

std::vector<AttentionVector> attention_vectors() {
  const std::string path = std::string(KVARIUM_TEST_DATA) + "/vectors/paged_attention.h5";
  const hid_t file = check(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
  std::vector<std::string> names;
  const auto collect = [](hid_t, const char* name, const H5L_info_t*, void* list) -> herr_t {
    static_cast<std::vector<std::string>*>(list)->emplace_back(name);
    return 0;
  };
  H5Literate(file, H5_INDEX_NAME, H5_ITER_INC, nullptr, collect, &names);
  std::vector<AttentionVector> cases;
  for (const std::string& name : names) cases.push_back(read_case(file, name));
  H5Fclose(file);
  return cases;
}

}  // namespace kvarium::test
