#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include "core/paged_kv_cache.hpp"
#include "kernels/checksums/checksum_family.hpp"
#include "kernels/checksums/crc32c.hpp"
#include "tests/support/decode_run.hpp"
#include "tests/support/summed_cache.hpp"

namespace kvarium::test {
namespace {

TEST_CASE("every checksum's implementations give the same values in every layout and piece width",
          "[kernels][checksum]") {
  const std::string family = GENERATE(from_range(checksum_families().names()));
  const CacheLayout layout = GENERATE(from_range(all_layouts));
  const int piece_width = GENERATE(1, 2, 4, 8);
  const SummedCache cache(layout);
  CAPTURE(family, to_string(layout), piece_width);
  CHECK(cache.values(family, {piece_width, "host"}) == cache.values(family, {piece_width, "host_reference"}));
}

/// One head and one layer whose cells are the given bytes, one token after another.
std::uint64_t value_of_bytes(const std::string& family, std::span<const unsigned char> bytes) {
  constexpr int head_size = 8;
  const auto tokens = static_cast<std::int64_t>(bytes.size()) / (2 * head_size);
  PagedKvCache cache({CacheLayout::packed, ElementType::float8_e4m3, 1, 64, 1, head_size});
  std::ranges::copy(std::as_bytes(bytes), cache.storage().data());  // memcpy must not be given the null of no bytes
  const std::int64_t block = 0, first = 0;
  return checksum_families().at(family).compute({{cache.view(), 0, 0}}, {&block, &first, &tokens, 1}, {})[0];
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
  CHECK(value_of_bytes("plain_sum", {}) == 0);
  CHECK(value_of_bytes("xor_fold", {}) == 0);
  CHECK(value_of_bytes("fmix_digest", {}) == 0);
}

/// Two buffers of 192 bytes, byte i of buffer k = 29k + 5i + 1 modulo 256, as the K and V of one layer.
std::uint64_t digest_of_slots(int row_bytes, const std::vector<int>& slots) {
  PagedKvCache cache({CacheLayout::nhd, ElementType::float8_e4m3, 1, 64, row_bytes / 8 + (row_bytes < 8), 8});
  const PagedCacheView view = cache.view();
  const std::int64_t stride = view.key.strides.token;
  for (std::size_t token = 0; token < slots.size(); ++token) {
    for (int byte = 0; byte < row_bytes; ++byte) {
      const int i = slots[token] * row_bytes + byte;
      view.key.data[static_cast<std::int64_t>(token) * stride + byte] = static_cast<std::byte>((5 * i + 1) % 256);
      view.value.data[static_cast<std::int64_t>(token) * stride + byte] =
          static_cast<std::byte>((29 + 5 * i + 1) % 256);
    }
  }
  const std::int64_t block = 0, first = 0, valid = static_cast<std::int64_t>(slots.size());
  return checksum_families().at("fmix_digest").compute({{view, 0, 0}}, {&block, &first, &valid, 1}, {})[0];
}

TEST_CASE("fmix_digest gives the value restated for two buffers and rows of 16 bytes", "[kernels][checksum]") {
  CHECK(digest_of_slots(16, {3, 0, 2}) == 0xF7BAAABB0E791242);
}

TEST_CASE("the update of crc32c by parts is the update of the whole", "[kernels][checksum]") {
  std::vector<std::byte> bytes(100);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(7 * i);
  for (std::size_t cut : {0, 1, 50, 99, 100}) {
    const std::span<const std::byte> whole(bytes);
    CHECK(crc32c_update(crc32c_update(~0U, whole.first(cut)), whole.subspan(cut)) == crc32c_update(~0U, whole));
  }
}

}  // namespace
}  // namespace kvarium::test
