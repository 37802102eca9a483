#include "tests/support/device_checksums.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <cstring>

#include "core/paged_kv_cache.hpp"
#include "core/random.hpp"
#include "kernels/cuda/driver_library.hpp"
#include "tests/support/checksum_cases.hpp"
#include "tests/support/checksum_vectors.hpp"
#include "tests/support/decode_run.hpp"
#include "tests/support/wanted_family.hpp"

namespace kvarium::test {
namespace {

constexpr std::array all_types{ElementType::float32, ElementType::float16, ElementType::bfloat16,
                               ElementType::float8_e4m3, ElementType::float8_e5m2};

void require_device() {
  if (!missing_device_reason().empty()) SKIP("no GPU: " << missing_device_reason());
}

LayersChecksumArguments arguments_of(ViewCase& item) {
  LayersChecksumArguments arguments;
  arguments.pieces = item.view;
  arguments.layers = item.layers.data();
  arguments.num_layers = static_cast<std::int64_t>(item.layers.size());
  arguments.rows = {item.block_ids.data(), item.first_tokens.data(), item.valid_tokens.data(),
                    static_cast<std::int64_t>(item.block_ids.size())};
  arguments.out = item.initial.data();
  arguments.num_columns = item.num_columns;
  arguments.aligned = std::all_of(item.layers.begin(), item.layers.end(),
                                  [](const ChecksumLayer& layer) { return layer.address % 16 == 0; });
  return arguments;
}

TEST_CASE("layers_checksum on a device reproduces every strided view of the vectors bit for bit", "[gpu]") {
  require_device();
  const std::int64_t chunk = GENERATE(0, 16, 48, 1024);
  int seen = 0;
  for (ViewCase& item : view_cases()) {
    CAPTURE(item.name, chunk);
    LayersChecksumArguments arguments = arguments_of(item);

    sum_pieces_on_device(arguments, {.chunk = chunk});

    CHECK(item.initial == item.expected);
    ++seen;
  }
  CHECK(seen == 26);
}

/// A view of two layers whose tokens are `pieces` pieces one after another, as the layouts packed and hnd show them.
struct RandomView {
  PieceView view;
  std::vector<std::uint64_t> memory;
  std::vector<ChecksumLayer> layers;
  std::vector<std::int64_t> block_ids{4, 0, 2, 3, 1}, first_tokens{0, 16, 1000, 3, 64}, valid_tokens{16, 1, 9, 0, 15};

  RandomView(int piece_width, std::int64_t shift) {
    const std::int64_t pieces = 64 / piece_width;
    view = {{5, 1, 3, 16, pieces}, {3 * 16 * pieces, 0, 16 * pieces, pieces, 1}, piece_width};
    memory.resize(2 * 5 * 3 * 16 * 8 + 2);
    CounterRandom random({3, 3}, 0);
    for (std::uint64_t& word : memory) word = random();
    const auto address = reinterpret_cast<std::int64_t>(memory.data()) + shift;
    layers = {{address, 70000, 1}, {address + 5 * 3 * 16 * 64, 5, 0}};
  }

  LayersChecksumArguments arguments(std::vector<std::uint64_t>& out, bool is_aligned) {
    LayersChecksumArguments arguments;
    arguments.pieces = view;
    arguments.layers = layers.data();
    arguments.num_layers = 2;
    arguments.rows = {block_ids.data(), first_tokens.data(), valid_tokens.data(), 5};
    arguments.out = out.data();
    arguments.num_columns = 2;
    arguments.aligned = is_aligned;
    return arguments;
  }
};

TEST_CASE("layers_checksum on a device equals the host's for every width, aligned or not, one layer or more", "[gpu]") {
  require_device();
  const int piece_width = GENERATE(1, 2, 4, 8);
  const std::int64_t shift = GENERATE(0, 8);
  const std::int64_t num_layers = GENERATE(1, 2);
  RandomView item(piece_width, shift);
  std::vector<std::uint64_t> expected(10, 7), actual(10, 7);
  LayersChecksumArguments arguments = item.arguments(expected, false);
  arguments.num_layers = num_layers;
  layers_checksum(arguments, "host_reference");
  arguments.out = actual.data();
  arguments.aligned = item.layers[0].address % 16 == 0;

  sum_pieces_on_device(arguments);

  CAPTURE(piece_width, shift, num_layers);
  CHECK(actual == expected);
}

TEST_CASE("layers_checksum on a device adds nothing for blocks and columns outside", "[gpu]") {
  require_device();
  RandomView item(8, 0);
  std::vector<std::uint64_t> expected(10, 7), actual(10, 7);
  item.valid_tokens[0] = 0;
  item.layers[1].column = 1;
  LayersChecksumArguments arguments = item.arguments(expected, false);
  arguments.num_layers = 1;
  layers_checksum(arguments, "host_reference");
  item.valid_tokens[0] = 16;
  item.block_ids[0] = 5;
  item.layers[1].column = 2;

  sum_pieces_on_device(item.arguments(actual, false));

  CHECK(actual == expected);
}

PagedKvCache random_cache(CacheLayout layout, ElementType type, int head_size, std::uint64_t seed) {
  PagedKvCache cache({layout, type, 5, 16, 3, head_size});
  CounterRandom random({seed, 7}, 0);
  for (std::size_t i = 0; i < cache.size_bytes(); ++i) cache.storage()(i) = static_cast<std::byte>(random());
  return cache;
}

/// The checksums that run on a device, at all their settings.
std::vector<ChecksumCase> device_cases() {
  std::vector<std::string> families = device_checksums().names();
  keep_wanted_family(families);
  REQUIRE_FALSE(families.empty());
  std::vector<ChecksumCase> cases = checksum_cases();
  std::erase_if(cases, [&](const ChecksumCase& item) { return std::ranges::find(families, item.family) == families.end(); });
  return cases;
}

/// Ids of the tokens of `rows` blocks of 16.
std::vector<std::int64_t> token_ids(std::int64_t rows) {
  std::vector<std::int64_t> ids;
  CounterRandom random({4, 4}, 0);
  for (std::int64_t i = 0; i < 16 * rows; ++i) ids.push_back(static_cast<std::int64_t>(random.below(50000)));
  return ids;
}

TEST_CASE("every checksum on a device equals the host's in every layout, type, setting and partial tail", "[gpu]") {
  require_device();
  const CacheLayout layout = GENERATE(from_range(all_layouts));
  const ElementType type = GENERATE(from_range(all_types));
  // Every head size with every layout and every type, not with every pair of them: each triple is compiled anew.
  constexpr int head_sizes[] = {16, 32, 48};
  const int head_size = head_sizes[(static_cast<int>(layout) + static_cast<int>(type)) % 3];
  const PagedKvCache first = random_cache(layout, type, head_size, 1),
                     second = random_cache(layout, type, head_size, 2);
  const std::vector<CacheLayer> layers{{first.view(), 3, 5}, {second.view(), 0, 65533}};
  const std::vector<std::int64_t> blocks{4, 0, 0, 2, 1, 3}, first_tokens{0, 16, 0, 1 << 20, 5, 7},
      valid_tokens{16, 1, 15, 7, 0, 99}, ids = token_ids(6);
  const ChecksumRows rows{blocks.data(), first_tokens.data(), valid_tokens.data(), 6, ids.data()};
  for (const ChecksumCase& item : device_cases()) {
    const auto expected = checksum_families().at(item.family).compute(layers, rows, item.parameters);

    const auto actual = values_on_device(item.family, layers, rows, DeviceChecksumSettings::from(item.parameters));

    CAPTURE(item, to_string(layout), to_string(type), head_size);
    CHECK(actual == expected);
  }
}

/// A copy of a cache in `memory`, its K `shift` bytes behind the start and its V `shift` bytes behind that; `packed`
/// with 2 elements between tokens where it is shifted.
PagedCacheView shifted_copy(const PagedKvCache& cache, std::size_t shift, std::vector<std::byte>& memory) {
  const std::byte* const cells = cache.storage().data();
  const std::size_t half = cache.size_bytes() / 2;
  memory.assign(3 * cache.size_bytes() + 2 * shift, std::byte{0x5A});
  if (cache.geometry().layout != CacheLayout::packed) {
    std::copy_n(cells, half, memory.data() + shift);
    std::copy_n(cells + half, half, memory.data() + half + 2 * shift);
    return dense_cache_view(cache.geometry(), memory.data() + shift, memory.data() + half + 2 * shift);
  }
  PagedCacheView view = dense_cache_view(cache.geometry(), memory.data() + shift, nullptr);
  const auto cell = static_cast<std::size_t>(cell_bytes(cache.geometry()));
  const std::size_t gap = shift == 0 ? 0 : 4;
  for (std::size_t token = 0; token < cache.size_bytes() / cell; ++token) {
    std::copy_n(cells + token * cell, cell, memory.data() + shift + token * (cell + gap));
  }
  const auto padded = [&](std::int64_t stride) {
    const auto element = static_cast<std::int64_t>(element_bytes(cache.geometry().element_type));
    return stride * element / static_cast<std::int64_t>(cell) * static_cast<std::int64_t>(cell + gap) / element;
  };
  for (CacheTensor* tensor : {&view.key, &view.value}) {
    tensor->strides.block = padded(tensor->strides.block);
    tensor->strides.kv_head = padded(tensor->strides.kv_head);
    tensor->strides.token = padded(tensor->strides.token);
  }
  return view;
}

TEST_CASE("every checksum on a device takes odd addresses, any chunk and more layers than one launch", "[gpu]") {
  require_device();
  const CacheLayout layout = GENERATE(from_range(all_layouts));
  const std::int64_t chunk = GENERATE(1, 1073741824);
  const std::size_t shift = GENERATE(0, 6);
  const PagedKvCache cells = random_cache(layout, ElementType::float16, 16, 1);
  std::vector<std::byte> memory;
  const PagedCacheView apart = shifted_copy(cells, shift, memory);
  std::vector<CacheLayer> layers;
  for (std::int64_t layer = 0; layer < 70; ++layer) layers.push_back({apart, layer, 0});
  const std::vector<std::int64_t> blocks{4, 1}, first_tokens{0, 16}, valid_tokens{16, 3};
  const ChecksumRows rows{blocks.data(), first_tokens.data(), valid_tokens.data(), 2};
  for (const ChecksumCase& item : device_cases()) {
    const bool has_gaps = layout == CacheLayout::packed && shift != 0;
    if (has_gaps && !item.traits().masks_tail) continue;
    const auto expected = checksum_families().at(item.family).compute(layers, rows, item.parameters);
    DeviceChecksumSettings settings = DeviceChecksumSettings::from(item.parameters);
    settings.chunk = chunk;

    CAPTURE(item, to_string(layout), chunk, shift);
    CHECK(values_on_device(item.family, layers, rows, settings) == expected);
  }
}

TEST_CASE("fmix_digest on a device sums tiles of 32 tokens of large blocks apart", "[gpu]") {
  require_device();
  const CacheLayout layout = GENERATE(from_range(all_layouts));
  PagedKvCache cache({layout, ElementType::bfloat16, 2, 128, 2, 16});
  CounterRandom random({5, 5}, 0);
  for (std::size_t i = 0; i < cache.size_bytes(); ++i) cache.storage()(i) = static_cast<std::byte>(random());
  const std::vector<CacheLayer> layers{{cache.view(), 0, 0}};
  const std::vector<std::int64_t> blocks{0, 1, 1, 0}, first_tokens{0, 128, 7, 1}, valid_tokens{128, 33, 32, 127};
  const ChecksumRows rows{blocks.data(), first_tokens.data(), valid_tokens.data(), 4};
  CHECK(values_on_device("fmix_digest", layers, rows) ==
        checksum_families().at("fmix_digest").compute(layers, rows, {}));
}

TEST_CASE("a block outside the cache has the checksum of no bytes on a device", "[gpu]") {
  require_device();
  const PagedKvCache cache = random_cache(CacheLayout::hnd, ElementType::float16, 16, 1);
  PagedCacheView narrow = cache.view();
  narrow.geometry.num_blocks = 3;
  const std::vector<std::int64_t> blocks{1, 4}, first_tokens{0, 0}, valid_tokens{16, 16}, none{16, 0};
  const ChecksumRows rows{blocks.data(), first_tokens.data(), valid_tokens.data(), 2};
  for (const ChecksumCase& item : device_cases()) {
    const ChecksumFamily& family = checksum_families().at(item.family);
    const ChecksumRows emptied{blocks.data(), first_tokens.data(), none.data(), 2};
    auto expected = family.compute({{cache.view(), 0, 0}}, emptied, item.parameters);
    // Whole blocks are summed whatever is valid of them.
    if (!item.traits().masks_tail) expected[1] = family.compute({}, rows, {})[1];

    CAPTURE(item);
    CHECK(values_on_device(item.family, {{narrow, 0, 0}}, rows, DeviceChecksumSettings::from(item.parameters)) ==
          expected);
  }
}

TEST_CASE("exact sums of a syndrome on a device carry past 64 bits as the host's do", "[gpu]") {
  require_device();
  PagedKvCache cache({GENERATE(from_range(all_layouts)), ElementType::float32, 1, 128, 16, 128});
  std::memset(cache.storage().data(), 0xFF, cache.size_bytes());
  const std::vector<CacheLayer> layers{{cache.view(), 0, 0}};
  const std::int64_t block = 0, first = 0, valid = GENERATE(128, 127);
  const ChecksumRows rows{&block, &first, &valid, 1};
  const auto expected = checksum_families().at("syndrome").compute(layers, rows, {});
  CHECK(values_on_device("syndrome", layers, rows) == expected);
  CHECK(expected[3] > 0);
}

}  // namespace
}  // namespace kvarium::test
