#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include "tests/support/verified_call.hpp"

namespace kvarium::test {
namespace {

struct Types {
  ElementType query, cache;
};

std::vector<Types> types_of(const std::string& family) {
  std::vector<Types> types{{ElementType::float16, ElementType::float16},
                           {ElementType::bfloat16, ElementType::bfloat16},
                           {ElementType::bfloat16, ElementType::float8_e4m3},
                           {ElementType::float16, ElementType::float8_e5m2},
                           {ElementType::float32, ElementType::float32}};
  std::erase_if(types, [&](const Types& item) {
    DecodeShape shape = small_shape();
    shape.query_type = item.query;
    shape.cache.element_type = item.cache;
    const DecodeCase decode = make_decode_case(shape);
    return attention_families()
        .at(family)
        .refusal(decode.arguments(nullptr, nullptr).shape, {family, 128, 16})
        .has_value();
  });
  return types;
}

DecodeShape shape_of(CacheLayout layout, const Types& types, int block_size, int head_size) {
  DecodeShape shape = small_shape();
  shape.cache.layout = layout;
  shape.cache.element_type = types.cache;
  shape.cache.block_size = block_size;
  shape.cache.head_size = head_size;
  shape.query_type = types.query;
  return shape;
}

AttentionVariant unverified(const std::string& family, int block_n, int partition_size) {
  AttentionVariant variant{family, partition_size, block_n};
  return variant;
}

AttentionVariant verified(const std::string& family, int block_n, int partition_size = 256) {
  AttentionVariant variant = unverified(family, block_n, partition_size);
  variant.verification = "weighted_sum";
  return variant;
}

/// Slices a call reads, and those of them that a window cuts.
struct SliceCounts {
  std::uint64_t read = 0, cut = 0;
};

SliceCounts count_slices(const DecodeCase& item, std::int64_t window) {
  SliceCounts counts;
  const std::int64_t block_size = item.shape.cache.block_size;
  for (std::int64_t length : item.shape.seq_lens) {
    const std::int64_t visible = first_visible_token(length, window);
    counts.read += static_cast<std::uint64_t>((length + block_size - 1) / block_size - visible / block_size);
    counts.cut += visible % block_size != 0 ? 1 : 0;
  }
  const auto heads = static_cast<std::uint64_t>(item.shape.cache.num_kv_heads);
  return {counts.read * heads, counts.cut * heads};
}

/// Whether the family takes the case at that setting.
bool takes(const DecodeCase& item, const AttentionVariant& variant) {
  const AttentionFamily& family = attention_families().at(variant.family);
  if (variant.partition_size % item.shape.cache.block_size != 0) return false;
  if (variant.partition_size == 0 && !family.traits().has_persistent_schedule) return false;
  return !family.refusal(item.arguments(nullptr, nullptr).shape, variant);
}

void check_clean(const DecodeCase& item, const AttentionVariant& variant, const DecodeOptions& options) {
  AttentionVariant plain = variant;
  plain.verification = "none";
  VerifiedCall call(item, variant, options);
  const VerificationResult found = call.run();
  const SliceCounts counts = count_slices(item, options.window);
  CAPTURE(variant.family, to_string(item.shape.cache), variant.block_n, variant.partition_size, options.window);
  CHECK(found.fault == VerificationResult::no_fault);
  CHECK(found.verified == counts.read - counts.cut);
  CHECK(found.unverified == counts.cut);
  CHECK(call.result() == run_decode(item, plain, options));
}

/// Blocks in steps, steps in blocks, and heads that are no power of two.
struct Sizes {
  int head_size, block_size, block_n;
};

constexpr std::array tested_sizes{Sizes{64, 16, 64}, Sizes{128, 16, 32}, Sizes{128, 128, 16}, Sizes{80, 32, 32}};

TEST_CASE("verified attention gives the bits of unverified and finds nothing in a clean cache", "[kernels][gpu]") {
  const std::string family = GENERATE(from_range(verifying_families()));
  const CacheLayout layout = GENERATE(from_range(all_layouts));
  for (const Types& types : types_of(family)) {
    for (std::size_t i = 0; i < tested_sizes.size(); ++i) {
      const Sizes& sizes = tested_sizes[i];
      const DecodeCase item = make_decode_case(shape_of(layout, types, sizes.block_size, sizes.head_size));
      const AttentionVariant variant = verified(family, sizes.block_n, i % 2 == 0 ? 0 : 256);
      if (!takes(item, variant)) continue;
      check_clean(item, variant, {});
      check_clean(item, variant, {.sinks = true, .window = 21});
    }
  }
}

/// A place that is damaged: the last token of a sequence with a partial last block, or one inside.
struct DamagedCell {
  std::int64_t sequence, token;
  int head, element;
};

void check_flips(const DecodeCase& item, const AttentionVariant& variant, const DamagedCell& cell) {
  VerifiedCall call(item, variant);
  CHECK(call.run().fault == VerificationResult::no_fault);  // the load-time check
  const FaultPlace place{cell.sequence, cell.token / item.shape.cache.block_size, cell.head};
  for (bool is_key : {true, false}) {
    for (int bit = 0; bit < 8 * element_bytes(item.shape.cache.element_type); ++bit) {
      call.flip(is_key, cell.sequence, cell.token, cell.head, cell.element, bit);
      const VerificationResult found = call.run();
      CAPTURE(variant.family, to_string(item.shape.cache), is_key, bit, cell.token, cell.element);
      CHECK(fault_place(found.fault) == place);
      call.flip(is_key, cell.sequence, cell.token, cell.head, cell.element, bit);
    }
  }
  CHECK(call.run().fault == VerificationResult::no_fault);
}

TEST_CASE("verified attention sees a flip of any bit of K and V after the load check", "[kernels][gpu]") {
  const std::string family = GENERATE(from_range(verifying_families()));
  const CacheLayout layout = GENERATE(from_range(all_layouts));
  for (const Types& types : types_of(family)) {
    const DecodeCase item = make_decode_case(shape_of(layout, types, 16, 64));
    const AttentionVariant variant = verified(family, 32);
    if (!takes(item, variant)) continue;
    check_flips(item, variant, {8, 129, 1, 63});
    check_flips(item, variant, {8, 37, 0, 6});
    check_flips(item, variant, {3, 16, 1, 0});
  }
}

TEST_CASE("verified attention sees wrong, stale and swapped blocks, and names the first", "[kernels][gpu]") {
  const std::string family = GENERATE(from_range(verifying_families()));
  const CacheLayout layout = GENERATE(from_range(all_layouts));
  for (const Types& types : types_of(family)) {
    const DecodeCase item = make_decode_case(shape_of(layout, types, 16, 64));
    for (int partition_size : {0, 256}) {
      const AttentionVariant variant = verified(family, 32, partition_size);
      if (!takes(item, variant)) continue;
      const auto id = [&](std::int64_t sequence, std::int64_t block) {
        return item.block_tables[static_cast<std::size_t>(sequence * item.max_num_blocks_per_sequence + block)];
      };
      VerifiedCall call(item, variant);
      REQUIRE(call.run().fault == VerificationResult::no_fault);
      // Another request's block, as it stood at the same place of that request.
      call.set_block(8, 2, id(7, 2));
      CHECK(fault_place(call.run().fault) == FaultPlace{8, 2, 0});
      call.set_block(8, 2, id(8, 2));
      // What the block held before it was given to this request.
      call.set_block(8, 5, id(5, 1));
      CHECK(fault_place(call.run().fault) == FaultPlace{8, 5, 0});
      call.set_block(8, 5, id(8, 5));
      // Two blocks of one request in each other's place.
      call.set_block(6, 1, id(6, 3));
      call.set_block(6, 3, id(6, 1));
      CHECK(fault_place(call.run().fault) == FaultPlace{6, 1, 0});
      call.set_block(6, 1, id(6, 1));
      call.set_block(6, 3, id(6, 3));
      CHECK(call.run().fault == VerificationResult::no_fault);
    }
  }
}

TEST_CASE("blocks that no record covers as they stand count as unverified", "[kernels][gpu]") {
  const std::string family = GENERATE(from_range(verifying_families()));
  const DecodeCase item = make_decode_case(small_shape());
  VerifiedCall call(item, verified(family, 32));
  const std::uint64_t all = count_slices(item, 0).read;
  call.set_covered(8, 0, 0);
  call.set_covered(8, 1, 15);
  call.set_covered(8, 8, 1);  // of two valid tokens
  VerificationResult found = call.run();
  CHECK(found.fault == VerificationResult::no_fault);
  CHECK(found.unverified == 6);
  CHECK(found.verified == all - 6);
  call.flip(true, 8, 3, 0, 0, 0);  // nothing vouches for this block
  found = call.run();
  CHECK(found.fault == VerificationResult::no_fault);
}

}  // namespace
}  // namespace kvarium::test
