#include <bit>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <limits>

#include "core/element_conversion.hpp"
#include "core/random.hpp"
#include "kernels/attention/merge_states.hpp"
#include "kernels/cache/cache_operations.hpp"
#include "kernels/memory/memory_reader.hpp"
#include "tests/support/random_cache.hpp"

namespace kvarium::test {
namespace {

constexpr CacheLayout layouts[] = {CacheLayout::split_x, CacheLayout::nhd, CacheLayout::hnd, CacheLayout::packed};

PagedKvCache random_cache(CacheLayout layout, ElementType type) {
  PagedKvCache cache({layout, type, 5, 16, 3, 32});
  CounterRandom random({7, 7}, 0);
  for (std::size_t i = 0; i < cache.size_bytes(); ++i) cache.storage()(i) = static_cast<std::byte>(random());
  return cache;
}

bool equal_storage(const PagedKvCache& left, const PagedKvCache& right) {
  return std::equal(left.storage().data(), left.storage().data() + left.size_bytes(), right.storage().data());
}

TEST_CASE("bug 27: conversion between any two layouts and back keeps every byte", "[kernels][cache]") {
  const ElementType type = GENERATE(ElementType::float32, ElementType::float16, ElementType::float8_e4m3);
  for (CacheLayout from : layouts) {
    for (CacheLayout to : layouts) {
      const PagedKvCache source = random_cache(from, type);
      PagedKvCache other({to, type, 5, 16, 3, 32}), back({from, type, 5, 16, 3, 32});
      convert_layout(source.view(), other.view());
      convert_layout(other.view(), back.view());
      CAPTURE(to_string(from), to_string(to), to_string(type));
      CHECK(equal_storage(source, back));
    }
  }
}

TEST_CASE("write_cache puts tokens into their slots, skips padding and touches nothing else", "[kernels][cache]") {
  for (CacheLayout layout : layouts) {
    PagedKvCache cache({layout, ElementType::float16, 2, 8, 2, 16});
    std::vector<float> key(3 * 2 * 16), value(3 * 2 * 16);
    for (std::size_t i = 0; i < key.size(); ++i) {
      key[i] = static_cast<float>(i);
      value[i] = -static_cast<float>(i) - 1;
    }
    const std::vector<std::int64_t> slots{9, -1, 0};
    write_cache({key.data(), value.data(), ElementType::float32, slots.data(), 3}, cache.view());
    std::vector<std::uint16_t> key_cells(2 * 2 * 16, 0xFFFF), value_cells(2 * 2 * 16, 0xFFFF);
    gather_cells(cache.view(), {9, 0}, {key_cells.data(), value_cells.data()});
    for (std::size_t i = 0; i < 32; ++i) {
      CHECK(decode_element(key_cells[i], ElementType::float16) == key[i]);
      CHECK(decode_element(value_cells[32 + i], ElementType::float16) == value[64 + i]);
    }
    std::int64_t written = 0;
    for (std::size_t i = 0; i < cache.size_bytes(); ++i) written += cache.storage()(i) != std::byte{0};
    CHECK(written <= 2 * 2 * 2 * 16 * 2);
    const std::vector<std::int64_t> past{16};
    CHECK_THROWS_AS(write_cache({key.data(), value.data(), ElementType::float32, past.data(), 1}, cache.view()),
                    InputError);
  }
}

TEST_CASE("a NaN keeps its sign and loses its payload in a cache of another type", "[kernels][cache]") {
  const ElementType type = GENERATE(ElementType::float16, ElementType::bfloat16, ElementType::float8_e4m3,
                                    ElementType::float8_e5m2);
  PagedKvCache cache({CacheLayout::hnd, type, 1, 8, 1, 16});
  cache.key_scale = 2.0F;
  const std::vector<std::uint32_t> patterns{0x7FC00000U, 0xFFC00000U, 0x7F812345U, 0xFFFFFFFFU};
  std::vector<float> rows(16);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = std::bit_cast<float>(patterns[i % patterns.size()]);
  const std::vector<std::int64_t> slots{3};
  std::vector<std::byte> key(32), value(32);

  write_cache({rows.data(), rows.data(), ElementType::float32, slots.data(), 1}, cache.view());
  gather_cells(cache.view(), slots, {key.data(), value.data()});

  const std::uint32_t quiet_nan = encode_element(std::numeric_limits<float>::quiet_NaN(), type);
  const std::uint32_t sign = 1U << (8 * element_bytes(type) - 1);
  for (std::int64_t e = 0; e < 16; ++e) {
    CHECK(load_element_bits(key.data(), e, type) == (e % 2 == 0 ? quiet_nan : quiet_nan | sign));
    CHECK(load_element_bits(value.data(), e, type) == load_element_bits(key.data(), e, type));
  }
}

TEST_CASE("fp8 scales that are no positive finite number are refused", "[kernels][cache]") {
  const float scale = GENERATE(0.0F, -1.0F, std::numeric_limits<float>::infinity(),
                               std::numeric_limits<float>::quiet_NaN());
  PagedKvCache cache({CacheLayout::hnd, ElementType::float8_e4m3, 1, 8, 1, 16});
  cache.value_scale = scale;

  CHECK_THROWS_AS(write_cache({}, cache.view()), InputError);
}

TEST_CASE("fp8 caches store value over scale, saturated", "[kernels][cache]") {
  PagedKvCache cache({CacheLayout::hnd, ElementType::float8_e4m3, 1, 8, 1, 8});
  cache.key_scale = 2.0F;
  cache.value_scale = 0.5F;
  const std::vector<float> key{2, 4, 896, 1e6F, -1e6F, 0, 1, 3}, value{1, 0.5F, 100, 300, -300, 0, -2, 2.5F};
  const std::vector<std::int64_t> slots{3};
  write_cache({key.data(), value.data(), ElementType::float32, slots.data(), 1}, cache.view());
  std::vector<std::uint8_t> key_cells(8), value_cells(8);
  gather_cells(cache.view(), slots, {key_cells.data(), value_cells.data()});
  const std::vector<float> stored_key{1, 2, 448, 448, -448, 0, 0.5F, 1.5F};
  const std::vector<float> stored_value{2, 1, 192, 448, -448, 0, -4, 5};
  for (std::size_t i = 0; i < 8; ++i) {
    CHECK(decode_element(key_cells[i], ElementType::float8_e4m3) == stored_key[i]);
    CHECK(decode_element(value_cells[i], ElementType::float8_e4m3) == stored_value[i]);
  }
}

TEST_CASE("bug 3: merging empty, very negative and ordinary parts never gives NaN", "[kernels][attention]") {
  const float infinity = std::numeric_limits<float>::infinity();
  // What an empty part holds was never written.
  const float junk = std::numeric_limits<float>::quiet_NaN();
  std::vector<float> left{1, 2, 3, 4, junk, junk, 5, 6}, right{3, 4, junk, junk, junk, junk, 7, 8};
  std::vector<float> left_lse{0, 0, -infinity, -1e30F}, right_lse{0, -infinity, -infinity, -1e30F};
  std::vector<float> out(8), lse(4);
  merge_states({left.data(), left_lse.data()}, {right.data(), right_lse.data()}, {out.data(), lse.data()},
               {4, 2, ElementType::float32});
  CHECK(out == std::vector<float>{2, 3, 3, 4, 0, 0, 6, 7});
  CHECK(lse[0] == std::log(2.0F));
  CHECK(lse[1] == 0.0F);
  CHECK(lse[2] == -infinity);
  CHECK(lse[3] == -1e30F);
}

TEST_CASE("every memory reader reads every byte", "[kernels][memory]") {
  const std::string name = GENERATE(from_range(memory_readers().names()));
  const std::size_t bytes = 3 * 65536 + 4096;
  const ByteView memory = zeroed_bytes("kvarium::test::memory", bytes);
  const std::uint64_t before = memory_readers().at(name).read(memory.data(), bytes);
  for (std::size_t byte : {std::size_t{0}, std::size_t{4097}, std::size_t{65535}, std::size_t{131072}, bytes - 1}) {
    memory(byte) = std::byte{1};
    CHECK(memory_readers().at(name).read(memory.data(), bytes) != before);
    memory(byte) = std::byte{0};
  }
}

}  // namespace
}  // namespace kvarium::test
