#include "kernels/checksums/mixed_sum.hpp"

#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "core/paged_kv_cache.hpp"

namespace kvarium::test {
namespace {

/// One row of docs/mixed_sum.md.
struct SumVector {
  std::uint64_t seed;
  std::int64_t layer, head;
  int num_heads;
  std::int64_t first_token, valid_tokens;
  int cell_bytes;
  std::uint64_t value;
};

const std::vector<SumVector> sum_vectors{
    {0x0, 0, 0, 1, 0, 0, 16, 0x0000000000000000},
    {0x0, 0, 0, 1, 0, 1, 16, 0x63D12EC0C3AB2A50},
    {0x0, 0, 0, 1, 0, 2, 16, 0x04FB41CB7EF6FC58},
    {0x1, 0, 0, 1, 0, 2, 16, 0x8262E69C010BEB00},
    {0x7fffffffffffffff, 0, 0, 1, 0, 2, 16, 0x6AB6DCDA1D5306A0},
    {0x0, 5, 3, 2, 0, 3, 32, 0xE307B2CD93B4C194},
    {0x0, 5, 3, 2, 0, 4, 32, 0xAC3A5D6F26FD2776},
    {0x0, 5, 3, 2, 8, 3, 32, 0xEFB599F20F6DEADE},
    {0x0, 43, 65535, 1, 0, 8, 32, 0x5882B76E490482FA},
    {0x0, 17592186044416, 1, 1, 0, 8, 32, 0x59C8AFB24E8AE254},
    {0x7, 2, 0, 8, 0, 16, 512, 0xFCEA6C25C6940D88},
    {0x7, 2, 0, 8, 1048576, 16, 512, 0xA6EE205B04E01FF8},
    {0x7, 2, 0, 8, 0, 13, 256, 0xDAEF5DACE76C68FC},
    {0x0, 0, 0, 1, 2305843009213693952, 1, 2048, 0x58AC789A4D1D6340},
    {0x0, 0, 0, 4, 100, 8, 16, 0xF7764F4C9E08A016},
};

struct KeyVector {
  std::uint64_t seed;
  std::int64_t layer, head, position;
  unsigned int piece;
  std::uint64_t key;
};

const std::vector<KeyVector> key_vectors{
    {0, 0, 0, 0, 0, 0x8F8A25449B860D6B},
    {0, 0, 0, 0, 1, 0xF8242AFE445D4FD5},
    {0, 0, 0, 1, 0, 0x1177A426B2036EA5},
    {0, 0, 1, 0, 0, 0x14D837D1EE17E165},
    {0, 1, 0, 0, 0, 0xD72106D01ADD0757},
    {1, 0, 0, 0, 0, 0x6B46EFF7AA277D3D},
    {0, 79, 65535, 131071, 511, 0xD17987FEC774A079},
};

TEST_CASE("mixed_sum gives the values of its published vectors", "[kernels][checksum]") {
  for (const SumVector& item : sum_vectors) {
    const ElementType type = item.cell_bytes > 512 ? ElementType::float32 : ElementType::float8_e4m3;
    const int head_size = item.cell_bytes / 2 / static_cast<int>(element_bytes(type));
    PagedKvCache cache({CacheLayout::packed, type, 1, 16, item.num_heads, head_size});
    for (std::size_t i = 0; i < cache.size_bytes(); ++i) {
      const auto cell = static_cast<int>(i) / item.cell_bytes, byte = static_cast<int>(i) % item.cell_bytes;
      const std::int64_t head = item.head + cell / 16;
      cache.storage()(i) = static_cast<std::byte>((131 * head + 17 * (cell % 16) + 7 * byte + 3) % 256);
    }
    const std::int64_t block = 0;
    ChecksumParameters parameters;
    parameters.seed = item.seed;
    CAPTURE(item.seed, item.layer, item.head, item.num_heads, item.first_token, item.valid_tokens, item.cell_bytes);
    for (const char* implementation : {"host", "host_reference"}) {
      parameters.implementation = implementation;
      CHECK(checksum_families()
                .at("mixed_sum")
                .compute({{cache.view(), item.layer, item.head}}, {&block, &item.first_token, &item.valid_tokens, 1},
                         parameters)[0] == item.value);
    }
  }
}

TEST_CASE("keys of mixed_sum are the published ones", "[kernels][checksum]") {
  for (const KeyVector& item : key_vectors) {
    const CacheLayer layer{{}, item.layer, 0};
    CAPTURE(item.seed, item.layer, item.head, item.position, item.piece);
    CHECK(MixedKeys(item.seed).cell(layer, item.head, item.position).piece_key(item.piece) == item.key);
  }
}

}  // namespace
}  // namespace kvarium::test
