#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>
#include <limits>

#include "core/check.hpp"
#include "core/random.hpp"
#include "kernels/checksums/cell_bytes_sum.hpp"
#include "kernels/checksums/cell_checksum.hpp"
#include "kernels/checksums/mixed_sum.hpp"
#include "kernels/cuda/device_memory.hpp"
#include "kernels/cuda/driver_library.hpp"
#include "kernels/cuda/stream.hpp"
#include "tests/support/device_arrays.hpp"
#include "tests/support/verified_call.hpp"

namespace kvarium::test {
namespace {

constexpr std::array all_types{ElementType::float32, ElementType::float16, ElementType::bfloat16,
                               ElementType::float8_e4m3, ElementType::float8_e5m2};
constexpr std::array all_checksums{SliceChecksum::weighted_sum, SliceChecksum::mixed_sum};

DecodeCase case_of(CacheLayout layout, ElementType type) {
  DecodeShape shape = small_shape();
  shape.cache.layout = layout;
  shape.cache.element_type = type;
  shape.query_type = is_float8(type) ? ElementType::float16 : type;
  return make_decode_case(shape);
}

/// New tokens of one sequence, written one after another to the blocks of the case.
struct Appended {
  std::vector<std::byte> key, value;
  std::vector<std::int64_t> slots, positions;
  std::vector<std::int32_t> sequences;
  NewTokens tokens;

  Appended(const DecodeCase& item, std::int32_t sequence) {
    const CacheGeometry& geometry = item.shape.cache;
    const std::int64_t length = item.shape.seq_lens[static_cast<std::size_t>(sequence)];
    const auto bytes = static_cast<std::size_t>(length * geometry.num_kv_heads * geometry.head_size) *
                       static_cast<std::size_t>(element_bytes(geometry.element_type));
    CounterRandom random({11, 12}, 0);
    for (auto* data : {&key, &value}) {
      data->resize(bytes);
      for (std::byte& byte : *data) byte = static_cast<std::byte>(random());
    }
    for (std::int64_t token = 0; token < length; ++token) {
      const auto entry =
          static_cast<std::size_t>(sequence * item.max_num_blocks_per_sequence + token / geometry.block_size);
      slots.push_back(item.block_tables[entry] * std::int64_t{geometry.block_size} + token % geometry.block_size);
      positions.push_back(token);
      sequences.push_back(sequence);
    }
    slots.back() = -1;  // padding
    tokens = {key.data(), value.data(), geometry.element_type, slots.data(), length};
  }

  TokenPlaces places() const { return {sequences.data(), positions.data()}; }
};

/// The checksum of one block row of both heads, from cells gathered one by one.
std::uint64_t gathered_sum(const CacheLayer& layer, const BlockRow& row, const SliceSum& sum) {
  if (sum.checksum == SliceChecksum::weighted_sum) return cell_bytes_sum(layer, row, 8);
  const MixedKeys keys(sum.seed);
  std::uint64_t value = 0;
  for_each_cell({layer}, row, [&](const Cell& cell) {
    value += mixed_cell_sum_of_definition(keys.cell(layer, cell.head, row.first_token + cell.token), cell.bytes);
  });
  return value;
}

TEST_CASE("records of stored blocks are the checksum of each head's slice", "[kernels][checksum]") {
  const CacheLayout layout = GENERATE(from_range(all_layouts));
  const ElementType type = GENERATE(from_range(all_types));
  const DecodeCase item = case_of(layout, type);
  HostRecords records = record(item, GENERATE(from_range(all_checksums)));
  const std::int64_t blocks = item.max_num_blocks_per_sequence;
  const auto block_of = [&](std::int64_t index) {
    return std::int64_t{item.block_tables[static_cast<std::size_t>(index)]};
  };

  std::uint64_t both = 0;
  for (int head : {0, 1}) both += records.expected[static_cast<std::size_t>((8 * blocks + 8) * 2 + head)];

  CHECK(records.covered_tokens[static_cast<std::size_t>(8 * blocks + 8)] == 2);
  CHECK(both == gathered_sum({item.cache.view(), 3, 5}, {block_of(8 * blocks + 8), 128, 2}, records.sum));
}

TEST_CASE("write_cache keeps records as recording the stored blocks anew would give them", "[kernels][checksum]") {
  const CacheLayout layout = GENERATE(from_range(all_layouts));
  const ElementType type = GENERATE(from_range(all_types));
  const DecodeCase item = case_of(layout, type);
  Appended appended(item, 8);
  appended.slots.back() = appended.slots[appended.slots.size() - 2] + 1;
  const SliceChecksum checksum = GENERATE(from_range(all_checksums));
  HostRecords records = record(item, checksum);
  HostRecords expected = records;
  const auto row = static_cast<std::size_t>(8 * item.max_num_blocks_per_sequence);
  std::fill(records.covered_tokens.begin() + static_cast<std::ptrdiff_t>(row), records.covered_tokens.end(), 0);
  std::fill(records.expected.begin() + static_cast<std::ptrdiff_t>(2 * row), records.expected.end(), 0);

  write_cache(appended.tokens, item.cache.view(), appended.places(), records.view(item));

  expected = record(item, checksum);
  CHECK(records.expected == expected.expected);
  CHECK(records.covered_tokens == expected.covered_tokens);
}

TEST_CASE("a token whose place is outside the records is refused before anything is written", "[kernels][checksum]") {
  const DecodeCase item = case_of(CacheLayout::hnd, ElementType::float16);
  HostRecords records = record(item);
  Appended appended(item, 8);
  appended.positions[5] = 100'000;
  const std::vector<std::uint64_t> before = records.expected;
  CHECK_THROWS_MATCHES(write_cache(appended.tokens, item.cache.view(), appended.places(), records.view(item)),
                       InputError, Catch::Matchers::MessageMatches(Catch::Matchers::ContainsSubstring("positions[5]")));
  CHECK(records.expected == before);
}

TEST_CASE("tokens out of order, twice or at another place of their block are refused", "[kernels][checksum]") {
  const DecodeCase item = case_of(CacheLayout::nhd, ElementType::float16);
  HostRecords records = record(item);
  std::fill(records.covered_tokens.begin(), records.covered_tokens.end(), 0);
  const auto refuses = [&](const Appended& appended, const char* what) {
    const std::vector<std::uint64_t> before = records.expected;
    CHECK_THROWS_MATCHES(write_cache(appended.tokens, item.cache.view(), appended.places(), records.view(item)),
                         InputError, Catch::Matchers::MessageMatches(Catch::Matchers::ContainsSubstring(what)));
    CHECK(records.expected == before);
  };
  Appended appended(item, 8);
  appended.slots[3] = -1;  // a token left out
  refuses(appended, "whose record covers 3");
  appended = Appended(item, 8);
  appended.slots[4] = appended.slots[3];
  refuses(appended, "slot_mapping[4] is token 3 of its block");
  appended = Appended(item, 8);
  records.covered_tokens[static_cast<std::size_t>(8 * item.max_num_blocks_per_sequence)] = 1;
  refuses(appended, "positions[0] is token 0 of a block whose record covers 1");
}

TEST_CASE("a length that its row of records does not hold is refused", "[kernels][checksum]") {
  DecodeCase item = case_of(CacheLayout::nhd, ElementType::float16);
  item.shape.seq_lens[4] = static_cast<std::int32_t>(item.max_num_blocks_per_sequence * 16 + 1);
  CHECK_THROWS_MATCHES(record(item), InputError,
                       Catch::Matchers::MessageMatches(Catch::Matchers::ContainsSubstring("seq_lens[4]")));
}

TEST_CASE("records without a checksum are refused", "[kernels][checksum]") {
  const DecodeCase item = case_of(CacheLayout::nhd, ElementType::float16);
  CHECK_THROWS_MATCHES(record(item, SliceChecksum::none), InputError,
                       Catch::Matchers::MessageMatches(Catch::Matchers::ContainsSubstring("use weighted_sum or")));
}

TEST_CASE("numbers of layer and heads that have no weight are refused", "[kernels][checksum]") {
  const DecodeCase item = case_of(CacheLayout::nhd, ElementType::float16);
  HostRecords records = record(item);
  const StoredSequences batch{item.block_tables.data(), item.shape.seq_lens.data()};
  const auto [layer, first_head] = GENERATE(table<std::int64_t, std::int64_t>(
      {{-1, 0}, {(std::int64_t{1} << 44) + 1, 0}, {0, -1}, {0, 65535}, {0, std::numeric_limits<std::int64_t>::max()}}));
  SliceRecords wrong = records.view(item);
  wrong.layer = layer;
  wrong.first_head = first_head;
  const auto is_told = Catch::Matchers::MessageMatches(Catch::Matchers::ContainsSubstring("use layers 0 to 2^44"));
  CHECK_THROWS_MATCHES(record_blocks(item.cache.view(), batch, wrong), InputError, is_told);
  CHECK_THROWS_MATCHES(record_blocks_on_device(item.cache.view(), batch, wrong), InputError, is_told);
  wrong.layer = std::int64_t{1} << 44;
  wrong.first_head = 65534;
  CHECK_NOTHROW(record_blocks(item.cache.view(), batch, wrong));
}

void clear(HostRecords& records) {
  std::fill(records.covered_tokens.begin(), records.covered_tokens.end(), 0);
  std::fill(records.expected.begin(), records.expected.end(), 0);
}

/// A case's cache on the device, with records that are empty at first.
class DeviceRecords {
 public:
  DeviceRecords(const DecodeCase& item, SliceChecksum checksum)
      : item_(item), records_(record(item, checksum)), cache_(item.cache.size_bytes()), view_(item.cache.view()) {
    std::byte* const host = item.cache.storage().data();
    copy_to_device(cache_.data(), host, item.cache.size_bytes());
    for (CacheTensor* tensor : {&view_.key, &view_.value}) {
      tensor->data = static_cast<std::byte*>(cache_.data()) + (tensor->data - host);
    }
    clear(records_);
    on_device_ = records_.view(item);
    arrays_.copy_back(on_device_.expected, records_.expected.size() * sizeof(std::uint64_t));
    arrays_.copy_back(on_device_.covered_tokens, records_.covered_tokens.size() * sizeof(std::int32_t));
  }

  void record_stored() {
    StoredSequences batch{item_.block_tables.data(), item_.shape.seq_lens.data()};
    arrays_.copy(batch.block_tables, item_.block_tables.size() * sizeof(std::int32_t));
    arrays_.copy(batch.seq_lens, item_.shape.seq_lens.size() * sizeof(std::int32_t));
    record_blocks_on_device(view_, batch, on_device_);
  }

  void append(const Appended& appended) {
    const auto count = static_cast<std::size_t>(appended.tokens.num_tokens);
    NewTokens tokens = appended.tokens;
    TokenPlaces places = appended.places();
    arrays_.copy(tokens.key, appended.key.size());
    arrays_.copy(tokens.value, appended.value.size());
    arrays_.copy(tokens.slot_mapping, count * sizeof(std::int64_t));
    arrays_.copy(places.sequences, count * sizeof(std::int32_t));
    arrays_.copy(places.positions, count * sizeof(std::int64_t));
    write_cache_on_device(tokens, view_, places, on_device_);
  }

  void check_equal(const HostRecords& expected) {
    arrays_.fetch();
    CHECK(records_.expected == expected.expected);
    CHECK(records_.covered_tokens == expected.covered_tokens);
  }

 private:
  const DecodeCase& item_;
  HostRecords records_;
  DeviceBytes cache_;
  PagedCacheView view_;
  SliceRecords on_device_;
  DeviceArrays arrays_;
};

TEST_CASE("records of stored blocks on a device equal those of the host", "[kernels][checksum][gpu]") {
  if (!missing_device_reason().empty()) SKIP("no GPU: " << missing_device_reason());
  const DecodeCase item = case_of(GENERATE(from_range(all_layouts)), GENERATE(from_range(all_types)));
  const SliceChecksum checksum = GENERATE(from_range(all_checksums));
  DeviceRecords records(item, checksum);

  records.record_stored();

  records.check_equal(record(item, checksum));
}

TEST_CASE("records of appended tokens on a device equal those of the host", "[kernels][checksum][gpu]") {
  if (!missing_device_reason().empty()) SKIP("no GPU: " << missing_device_reason());
  const DecodeCase item = case_of(GENERATE(from_range(all_layouts)), GENERATE(from_range(all_types)));
  const Appended appended(item, 8);
  REQUIRE(appended.slots.back() == -1);
  const SliceChecksum checksum = GENERATE(from_range(all_checksums));
  DeviceRecords records(item, checksum);
  HostRecords expected = record(item, checksum);
  clear(expected);

  records.append(appended);

  write_cache(appended.tokens, item.cache.view(), appended.places(), expected.view(item));
  records.check_equal(expected);
}

}  // namespace
}  // namespace kvarium::test
