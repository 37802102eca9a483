#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <numeric>

#include "core/paged_kv_cache.hpp"
#include "kernels/checksums/checksum_family.hpp"
#include "kernels/checksums/crc_ring.hpp"
#include "kernels/checksums/cuda/splitmix.cuh"
#include "kernels/checksums/fmix_digest.hpp"
#include "tests/support/checksum_cases.hpp"
#include "tests/support/decode_run.hpp"
#include "tests/support/summed_cache.hpp"

namespace kvarium::test {
namespace {

TEST_CASE("every checksum's implementations give the same values in every layout and at all settings",
          "[kernels][checksum]") {
  const ChecksumCase item = GENERATE(from_range(checksum_cases()));
  const CacheLayout layout = GENERATE(from_range(all_layouts));
  const SummedCache cache(layout);
  ChecksumParameters reference = item.parameters;
  reference.implementation = "host_reference";
  CAPTURE(item, to_string(layout));
  CHECK(cache.values(item.family, item.parameters) == cache.values(item.family, reference));
}

/// One head and one layer whose cells are the given bytes, one token after another.
std::uint64_t value_of_bytes(const std::string& family, std::span<const unsigned char> bytes,
                             const std::string& implementation = "host") {
  constexpr int head_size = 8;
  const auto tokens = static_cast<std::int64_t>(bytes.size()) / (2 * head_size);
  PagedKvCache cache({CacheLayout::packed, ElementType::float8_e4m3, 1, 256, 1, head_size});
  std::ranges::copy(std::as_bytes(bytes), cache.storage().data());  // memcpy must not be given the null of no bytes
  const std::int64_t block = 0, first = 0;
  return checksum_families().at(family).compute({{cache.view(), 0, 0}}, {&block, &first, &tokens, 1},
                                                {.implementation = implementation})[0];
}

TEST_CASE("crc32c and adler32 of the published examples", "[kernels][checksum]") {
  // RFC 3720, appendix B.4: 32 bytes of zeros, of ones, and counting up.
  std::vector<unsigned char> bytes(32, 0);
  CHECK(value_of_bytes("crc32c", bytes) == 0x8A9136AA);
  bytes.assign(32, 0xFF);
  CHECK(value_of_bytes("crc32c", bytes) == 0x62A8AB43);
  for (std::size_t i = 0; i < 32; ++i) bytes[i] = static_cast<unsigned char>(i);
  CHECK(value_of_bytes("crc32c", bytes) == 0x46DD794E);
  // Adler-32 by hand: A = 1 + 0 + ... + 31, B = the sum of A after each byte.
  std::uint64_t a = 1, b = 0;
  for (unsigned char byte : bytes) b += a += byte;
  CHECK(value_of_bytes("adler32", bytes) == (b << 16 | a));
}

TEST_CASE("checksums of no bytes are their starts", "[kernels][checksum]") {
  CHECK(value_of_bytes("crc32c", {}) == 0);
  CHECK(value_of_bytes("adler32", {}) == 1);
  CHECK(value_of_bytes("crc32", {}) == 0);
  CHECK(value_of_bytes("crc64_ecma", {}) == 0);
  CHECK(value_of_bytes("xxh3_64", {}) == 0x2D06800538D394C2);
  CHECK(value_of_bytes("plain_sum", {}) == 0);
  CHECK(value_of_bytes("xor_fold", {}) == 0);
  CHECK(value_of_bytes("fmix_digest", {}) == 0);
}

/// Byte i of buffer k of the two buffers of 192 bytes that the restated values are of.
int buffer_byte(int buffer, int i) { return (29 * buffer + 5 * i + 1) % 256; }

/// Tokens of one head in two buffers, in blocks of any size.
PagedCacheView view_of_buffers(std::vector<std::byte> (&buffers)[2], int tokens, int row_bytes) {
  const CacheGeometry geometry{CacheLayout::nhd, ElementType::float8_e4m3, 1, tokens, 1, row_bytes};
  return {geometry, {buffers[0].data(), key_strides(geometry)}, {buffers[1].data(), value_strides(geometry)}};
}

/// Both as the K and V of one layer whose tokens are the given slots.
std::uint64_t digest_of_slots(int row_bytes, const std::vector<int>& slots) {
  std::vector<std::byte> buffers[2];
  for (int buffer : {0, 1}) {
    for (int slot : slots) {
      for (int i = 0; i < row_bytes; ++i) {
        buffers[buffer].push_back(static_cast<std::byte>(buffer_byte(buffer, slot * row_bytes + i)));
      }
    }
  }
  const auto tokens = static_cast<int>(slots.size());
  const PagedCacheView view = view_of_buffers(buffers, tokens, row_bytes);
  const std::int64_t block = 0, first = 0, valid = tokens;
  return checksum_families().at("fmix_digest").compute({{view, 0, 0}}, {&block, &first, &valid, 1}, {})[0];
}

TEST_CASE("a digest of two buffers gives the values restated for rows of 16 and 4 bytes", "[kernels][checksum]") {
  CHECK(digest_of_slots(16, {3, 0, 2}) == 0xF7BAAABB0E791242);
  std::vector<int> slots(40);
  std::iota(slots.begin(), slots.end(), 0);
  CHECK(digest_of_slots(4, slots) == 0x60ED78395869DC40);
}

TEST_CASE("a transfer's number chooses the buffers that a sampled digest reads", "[kernels][checksum]") {
  CHECK(splitmix(12345) == 0xF36CF1164265DD51);
  CHECK(sampled_buffers(12345, 64, 4) == std::vector<std::int64_t>{17, 33, 49, 1});
  CHECK(sampled_buffers(12345, 3, 0).size() == 3);
}

TEST_CASE("a digest's layout has the signature restated", "[kernels][checksum]") {
  CHECK(DigestLayout{1, 64, 2048, 4, 32}.signature() == 0x4A8D3E4A41952F9D);
}

TEST_CASE("a canary gives the values restated for its anchor and two sources of 16 bytes", "[kernels][checksum]") {
  PagedKvCache cache({CacheLayout::nhd, ElementType::float8_e4m3, 1, 8, 1, 16});
  const PagedCacheView view = cache.view();
  for (int byte = 0; byte < 16; ++byte) {
    view.key.data[byte] = static_cast<std::byte>(buffer_byte(0, byte));
    view.value.data[byte] = static_cast<std::byte>(buffer_byte(1, byte));
  }
  const std::int64_t block = 0, first = 7, valid = 2;
  ChecksumParameters parameters;
  parameters.canary_data = CanaryData::partial;
  const auto words =
      checksum_families().at("kv_canary").compute({{view, 0, 0}}, {&block, &first, &valid, 1}, parameters);
  REQUIRE(words.size() == 32);
  CHECK(words[1] == 7);
  CHECK(words[2] == 0xDE7FAE23A9A1B716);
  CHECK(words[3] == 0x7D83E2C170CB8E69);
  CHECK(words[5] == 8);
  CHECK(std::all_of(words.begin() + 8, words.end(), [](std::uint64_t word) { return word == 0; }));
}

TEST_CASE("Adler-32 in memory's order gives the value restated for pages 2, 0 and 3 of two buffers",
          "[kernels][checksum]") {
  // Three pages of 48 bytes are a block of 18 tokens of 8 bytes.
  std::vector<std::byte> buffers[2];
  for (int buffer : {0, 1}) {
    for (int page : {2, 0, 3}) {
      for (int i = 48 * page; i < 48 * (page + 1); ++i) {
        buffers[buffer].push_back(static_cast<std::byte>(buffer_byte(buffer, i)));
      }
    }
  }
  const PagedCacheView view = view_of_buffers(buffers, 18, 8);
  const std::int64_t block = 0, first = 0, valid = 3;
  ChecksumParameters parameters;
  parameters.byte_order = ByteOrder::memory;
  CHECK(checksum_families().at("adler32").compute({{view, 0, 0}}, {&block, &first, &valid, 1}, parameters)[0] ==
        0xE24D8BA1);
}

TEST_CASE("CRCs of the digits 1 to 9 are the published check values", "[kernels][checksum]") {
  const std::string digits = "123456789";
  CrcDefinition<Crc32Ring, ~0U> crc32;
  CrcDefinition<Crc32cRing, ~0U> crc32c;
  CrcDefinition<Crc64EcmaRing, std::uint64_t{0}> crc64;
  for (auto* bytes = digits.data(); bytes < digits.data() + digits.size(); ++bytes) {
    const auto byte = std::as_bytes(std::span(bytes, 1));
    crc32.add(byte), crc32c.add(byte), crc64.add(byte);
  }
  CHECK(crc32.value() == 0xCBF43926);
  CHECK(crc32c.value() == 0xE3069283);
  CHECK(crc64.value() == 0x6C40DF5F0B497347);
}

TEST_CASE("the library and the definition of XXH3 agree at every length cells can have", "[kernels][checksum]") {
  std::vector<unsigned char> bytes(4096);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(i * i + 3 * i);
  for (std::size_t size = 0; size <= bytes.size(); size += 16) {
    const std::span<const unsigned char> part = std::span(bytes).first(size);
    CAPTURE(size);
    REQUIRE(value_of_bytes("xxh3_64", part, "host") == value_of_bytes("xxh3_64", part, "host_reference"));
  }
}

}  // namespace
}  // namespace kvarium::test
