#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include "tests/support/verified_call.hpp"
#include "tests/support/verified_settings.hpp"

namespace kvarium::test {
namespace {

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

/// The small cover of a family, compiled.
std::vector<DecodeSetting> compiled_settings(const std::string& family) {
  std::vector<DecodeSetting> settings = on_this_device(small_verified_cover(family));
  compile_ahead(settings);
  return settings;
}

TEST_CASE("verified attention sees a flip of any bit of K and V after the load check", "[kernels][gpu]") {
  const std::string family = GENERATE(from_range(verifying_families()));
  for (const DecodeSetting& setting : compiled_settings(family)) {
    const DecodeCase item = make_decode_case(setting.shape);
    check_flips(item, setting.variant, {8, 129, 1, 63});
    check_flips(item, setting.variant, {8, 37, 0, 6});
    check_flips(item, setting.variant, {3, 16, 1, 0});
  }
}

void check_misplaced_blocks(const DecodeCase& item, const AttentionVariant& variant) {
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

TEST_CASE("verified attention sees wrong, stale and swapped blocks, and names the first", "[kernels][gpu]") {
  const std::string family = GENERATE(from_range(verifying_families()));
  for (const DecodeSetting& setting : compiled_settings(family)) {
    CAPTURE(family, to_string(setting.shape.cache), setting.variant.partition_size);
    check_misplaced_blocks(make_decode_case(setting.shape), setting.variant);
  }
}

TEST_CASE("blocks that no record covers as they stand count as unverified", "[kernels][gpu]") {
  const std::string family = GENERATE(from_range(verifying_families()));
  const DecodeCase item = make_decode_case(small_shape());
  AttentionVariant variant{family, 256, 32};
  variant.verification = GENERATE(as<std::string>(), "weighted_sum", "mixed_sum");
  VerifiedCall call(item, variant);
  constexpr std::uint64_t all = 27 * 2;  // blocks of nine sequences, each for two KV heads
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
