#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <cmath>

#include "core/element_conversion.hpp"
#include "core/random.hpp"
#include "kernels/cache/device_cache_operations.hpp"
#include "kernels/cuda/driver_library.hpp"
#include "kernels/cuda/stream.hpp"
#include "tests/support/decode_run.hpp"
#include "tests/support/device_arrays.hpp"

namespace kvarium::test {
namespace {

constexpr std::array all_types{ElementType::float32, ElementType::float16, ElementType::bfloat16,
                               ElementType::float8_e4m3, ElementType::float8_e5m2};

void require_device() {
  if (!missing_device_reason().empty()) SKIP("no GPU: " << missing_device_reason());
}

PagedKvCache random_cache(CacheLayout layout, ElementType type, int head_size = 32) {
  PagedKvCache cache({layout, type, 5, 16, 3, head_size});
  CounterRandom random({7, 7}, 0);
  for (std::size_t i = 0; i < cache.size_bytes(); ++i) cache.storage()(i) = static_cast<std::byte>(random());
  return cache;
}

/// A cache in device memory; `fetch` brings it back into the host's.
struct DeviceCache {
  const PagedKvCache* host;
  DeviceBytes memory;
  PagedCacheView view;

  explicit DeviceCache(const PagedKvCache& cache) : host(&cache), memory(cache.size_bytes()), view(cache.view()) {
    copy_to_device(memory.data(), cache.storage().data(), cache.size_bytes());
    for (CacheTensor* tensor : {&view.key, &view.value}) {
      tensor->data = static_cast<std::byte*>(memory.data()) + (tensor->data - cache.storage().data());
    }
  }

  bool equals(const PagedKvCache& expected) const {
    std::vector<std::byte> bytes(memory.size_bytes());
    copy_to_host(bytes.data(), memory.data(), bytes.size());
    synchronize_stream(nullptr);
    return std::equal(bytes.begin(), bytes.end(), expected.storage().data());
  }
};

/// Every 16-bit code, NaN of each payload too, and with them every exponent of the narrower types, halves between codes
/// included.
std::vector<std::uint16_t> all_codes(std::size_t count) {
  std::vector<std::uint16_t> codes(count);
  for (std::size_t i = 0; i < count; ++i) codes[i] = static_cast<std::uint16_t>(i);
  return codes;
}

TEST_CASE("write_cache on a device stores the host's bits for every 16-bit code, layout and cache type", "[gpu]") {
  require_device();
  const ElementType source = GENERATE(ElementType::float16, ElementType::bfloat16);
  const CacheLayout layout = GENERATE(from_range(all_layouts));
  const ElementType type = GENERATE(from_range(all_types));
  // 65,536 codes are 683 tokens of 3 heads of 32 elements.
  constexpr std::int64_t num_tokens = 683;
  PagedKvCache expected({layout, type, 50, 16, 3, 32});
  expected.key_scale = 0.75F;
  expected.value_scale = 3.0F;
  const DeviceCache cache(expected);
  const std::vector<std::uint16_t> key = all_codes(num_tokens * 96), value = all_codes(num_tokens * 96);
  std::vector<std::int64_t> slots;
  for (std::int64_t token = 0; token < num_tokens; ++token) slots.push_back(token % 7 == 3 ? -1 : 799 - token);
  NewTokens tokens{key.data(), value.data(), source, slots.data(), num_tokens};
  write_cache(tokens, expected.view());
  DeviceArrays arrays;
  arrays.copy(tokens.key, key.size() * 2);
  arrays.copy(tokens.value, value.size() * 2);
  arrays.copy(tokens.slot_mapping, slots.size() * 8);
  PagedCacheView view = cache.view;
  view.key_scale = expected.key_scale;
  view.value_scale = expected.value_scale;

  write_cache_on_device(tokens, view);

  CAPTURE(to_string(layout), to_string(type), to_string(source));
  CHECK(cache.equals(expected));
}

TEST_CASE("write_cache on a device stores the host's NaN in every type", "[gpu]") {
  require_device();
  const ElementType type = GENERATE(from_range(all_types));
  const ElementType source = GENERATE(ElementType::float32, ElementType::float16, ElementType::bfloat16);
  PagedKvCache cache({CacheLayout::hnd, type, 1, 16, 1, 8});
  const DeviceCache device(cache);
  std::vector<std::byte> rows(8 * 4);
  for (std::int64_t e = 0; e < 8; ++e)
    store_element(rows.data(), e, source, e % 2 == 0 ? std::nanf("") : -std::nanf(""));
  const std::vector<std::int64_t> slots{5};
  NewTokens tokens{rows.data(), rows.data(), source, slots.data(), 1};
  std::vector<std::byte> key(8 * 4), value(8 * 4);
  DenseCells cells{key.data(), value.data()};
  DeviceArrays arrays;
  arrays.copy(tokens.key, rows.size());
  arrays.copy(tokens.value, rows.size());
  arrays.copy(tokens.slot_mapping, 8);
  arrays.copy_back(cells.key, key.size());
  arrays.copy_back(cells.value, value.size());

  write_cache_on_device(tokens, device.view);
  gather_cells_on_device(device.view, {tokens.slot_mapping, 1}, cells);
  arrays.fetch();
  std::vector<std::byte> host_key(8 * 4), host_value(8 * 4);
  write_cache({rows.data(), rows.data(), source, slots.data(), 1}, cache.view());
  gather_cells(cache.view(), slots, {host_key.data(), host_value.data()});

  CAPTURE(to_string(type), to_string(source));
  for (std::int64_t e = 0; e < 8; ++e) CHECK(std::isnan(load_element(key.data(), e, type)));
  CHECK(key == host_key);
  CHECK(value == host_value);
}

TEST_CASE("write_cache on a device leaves slots outside the cache out and touches nothing else", "[gpu]") {
  require_device();
  const CacheLayout layout = GENERATE(from_range(all_layouts));
  PagedKvCache expected = random_cache(layout, ElementType::float32);
  const DeviceCache cache(expected);
  const std::vector<float> rows(4 * 96, 1.5F);
  std::vector<std::int64_t> slots{80, 3, std::int64_t{1} << 62, -5};
  const std::vector<std::int64_t> inside{-1, 3, -1, -1};
  write_cache({rows.data(), rows.data(), ElementType::float32, inside.data(), 4}, expected.view());
  NewTokens tokens{rows.data(), rows.data(), ElementType::float32, slots.data(), 4};
  DeviceArrays arrays;
  arrays.copy(tokens.key, rows.size() * 4);
  arrays.copy(tokens.value, rows.size() * 4);
  arrays.copy(tokens.slot_mapping, slots.size() * 8);

  write_cache_on_device(tokens, cache.view);

  CHECK(cache.equals(expected));
}

TEST_CASE("blocks copied on a device between any two layouts are the host's bytes", "[gpu]") {
  require_device();
  const CacheLayout from = GENERATE(from_range(all_layouts));
  const CacheLayout to = GENERATE(from_range(all_layouts));
  const ElementType type = GENERATE(ElementType::float32, ElementType::bfloat16, ElementType::float8_e5m2);
  const int head_size = GENERATE(16, 48);
  const PagedKvCache source = random_cache(from, type, head_size);
  PagedKvCache expected({to, type, 9, 16, 3, head_size});
  const DeviceCache device_source(source), device_destination(expected);
  const std::vector<BlockCopy> copies{{4, 0}, {0, 8}, {2, 3}, {2, 4}};
  copy_blocks(source.view(), expected.view(), copies);
  const BlockCopy* list = copies.data();
  DeviceArrays arrays;
  arrays.copy(list, copies.size() * sizeof(BlockCopy));

  copy_blocks_on_device(device_source.view, device_destination.view, list, static_cast<std::int64_t>(copies.size()));

  CAPTURE(to_string(from), to_string(to), to_string(type), head_size);
  CHECK(device_destination.equals(expected));
}

TEST_CASE("cells gathered on a device and scattered elsewhere are the host's bytes", "[gpu]") {
  require_device();
  const CacheLayout layout = GENERATE(from_range(all_layouts));
  const ElementType type = GENERATE(from_range(all_types));
  const PagedKvCache source = random_cache(layout, type);
  PagedKvCache expected = random_cache(layout, type);
  const DeviceCache device_source(source), device_destination(expected);
  const std::vector<std::int64_t> slots{79, 0, -1, 33}, targets{1, -1, 2, 78};
  const std::size_t bytes = slots.size() * 96 * static_cast<std::size_t>(element_bytes(type));
  std::vector<std::byte> key(bytes, std::byte{0x11}), value(bytes, std::byte{0x22});
  DenseCells cells{key.data(), value.data()};
  DeviceSlots device_slots{slots.data(), 4}, device_targets{targets.data(), 4};
  DeviceArrays arrays;
  arrays.copy_back(cells.key, bytes);
  arrays.copy_back(cells.value, bytes);
  arrays.copy(device_slots.slots, slots.size() * 8);
  arrays.copy(device_targets.slots, targets.size() * 8);

  gather_cells_on_device(device_source.view, device_slots, cells);
  scatter_cells_on_device(cells, device_targets, device_destination.view);
  arrays.fetch();

  std::vector<std::byte> expected_key(bytes, std::byte{0x11}), expected_value(bytes, std::byte{0x22});
  gather_cells(source.view(), slots, {expected_key.data(), expected_value.data()});
  scatter_cells({expected_key.data(), expected_value.data()}, targets, expected.view());
  CAPTURE(to_string(layout), to_string(type));
  CHECK(key == expected_key);
  CHECK(value == expected_value);
  CHECK(device_destination.equals(expected));
}

}  // namespace
}  // namespace kvarium::test
