#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include "core/check.hpp"
#include "tests/support/verified_call.hpp"

// Verified attention of the host families; tests/kernels/cuda/verified_*_test.cpp hold CUDA families to the same.

namespace kvarium::test {
namespace {

constexpr std::array all_types{ElementType::float32, ElementType::float16, ElementType::bfloat16,
                               ElementType::float8_e4m3, ElementType::float8_e5m2};

DecodeCase case_of(CacheLayout layout, ElementType type) {
  DecodeShape shape = small_shape();
  shape.cache.layout = layout;
  shape.cache.element_type = type;
  shape.query_type = is_float8(type) ? ElementType::float16 : type;
  return make_decode_case(shape);
}

AttentionVariant verified(const std::string& family, const std::string& checksum) {
  AttentionVariant variant{family, 64, 32};
  variant.verification = checksum;
  return variant;
}

AttentionVariant any_variant() {
  const std::string family = GENERATE(as<std::string>(), "host_reference", "host");
  return verified(family, GENERATE(as<std::string>(), "weighted_sum", "mixed_sum"));
}

/// A case with records of its cache as it was made.
class Verified {
 public:
  Verified(DecodeCase& item, const AttentionVariant& variant)
      : item_(item), variant_(variant), records_(record(item, parse_slice_checksum(variant.verification))) {}

  VerificationResult run(const DecodeOptions& options = {}) {
    VerificationResult found;
    result_ = make_result(item_);
    PagedAttentionArguments arguments = decode_arguments(item_, result_, options);
    arguments.verification = {
        records_.expected.data(), records_.covered_tokens.data(), records_.layer, records_.first_head, &found,
        records_.sum.seed};
    paged_attention_v2(arguments, variant_);
    return found;
  }

  const DecodeResult& result() const { return result_; }
  HostRecords& records() { return records_; }
  std::int32_t& block(std::int64_t sequence, std::int64_t block) {
    return item_.block_tables[static_cast<std::size_t>(sequence * item_.max_num_blocks_per_sequence + block)];
  }
  std::int32_t& covered(std::int64_t sequence, std::int64_t block) {
    return records_.covered_tokens[static_cast<std::size_t>(sequence * item_.max_num_blocks_per_sequence + block)];
  }

 private:
  DecodeCase& item_;
  AttentionVariant variant_;
  HostRecords records_;
  DecodeResult result_;
};

constexpr std::uint64_t all_slices = 27 * 2;  // blocks of nine sequences, each for two KV heads

TEST_CASE("verified host attention gives the bits of unverified and finds nothing in a clean cache",
          "[kernels][contract]") {
  const AttentionVariant variant = any_variant();
  DecodeCase item = case_of(GENERATE(from_range(all_layouts)), GENERATE(from_range(all_types)));
  AttentionVariant plain = variant;
  plain.verification = "none";
  Verified call(item, variant);

  const VerificationResult found = call.run();

  CHECK(found.fault == VerificationResult::no_fault);
  CHECK(found.verified == all_slices);
  CHECK(found.unverified == 0);
  CHECK(call.result() == run_decode(item, plain));
}

TEST_CASE("verified host attention sees a flip of any bit of K and V", "[kernels][contract]") {
  const AttentionVariant variant = any_variant();
  const ElementType type = GENERATE(from_range(all_types));
  DecodeCase item = case_of(GENERATE(from_range(all_layouts)), type);
  Verified call(item, variant);
  const CacheTensor& tensor = GENERATE(true, false) ? item.cache.view().key : item.cache.view().value;
  std::byte* const element =
      tensor.data + tensor.strides.offset(call.block(8, 8), 1, 1, 63) * element_bytes(type);  // the last token's

  for (int bit = 0; bit < 8 * element_bytes(type); ++bit) {
    element[bit / 8] ^= std::byte{1} << bit % 8;
    CAPTURE(bit);
    CHECK(fault_place(call.run().fault) == FaultPlace{8, 8, 1});
    element[bit / 8] ^= std::byte{1} << bit % 8;
  }
  CHECK(call.run().fault == VerificationResult::no_fault);
}

TEST_CASE("verified host attention sees wrong, stale and swapped blocks, and names the first", "[kernels][contract]") {
  DecodeCase item = make_decode_case(small_shape());
  Verified call(item, any_variant());
  const auto finds = [&](std::int64_t sequence, std::int64_t block, std::int32_t id) {
    const std::int32_t own = std::exchange(call.block(sequence, block), id);
    CHECK(fault_place(call.run().fault) == FaultPlace{sequence, block, 0});
    call.block(sequence, block) = own;
  };

  finds(8, 2, call.block(7, 2));
  finds(8, 5, call.block(5, 1));
  std::swap(call.block(6, 1), call.block(6, 3));
  CHECK(fault_place(call.run().fault) == FaultPlace{6, 1, 0});
  std::swap(call.block(6, 1), call.block(6, 3));
  CHECK(call.run().fault == VerificationResult::no_fault);
}

TEST_CASE("slices that no record covers, or that a window cuts, count as unverified on the host",
          "[kernels][contract]") {
  DecodeCase item = make_decode_case(small_shape());
  Verified call(item, any_variant());
  std::uint64_t read = 0, cut = 0;
  for (const std::int64_t length : item.shape.seq_lens) {
    const std::int64_t visible = first_visible_token(length, 20);
    read += 2 * static_cast<std::uint64_t>((length + 15) / 16 - visible / 16);
    cut += visible % 16 != 0 ? 2 : 0;
  }
  const VerificationResult windowed = call.run({.window = 20});
  CHECK(windowed.fault == VerificationResult::no_fault);
  CHECK(windowed.unverified == cut);
  CHECK(windowed.verified == read - cut);

  call.covered(8, 0) = 0;
  call.covered(8, 1) = 15;
  call.covered(8, 8) = 1;  // of two valid tokens
  const VerificationResult found = call.run();

  CHECK(found.fault == VerificationResult::no_fault);
  CHECK(found.unverified == 6);
  CHECK(found.verified == all_slices - 6);
}

TEST_CASE("records of another checksum, seed, layer or head do not verify", "[kernels][contract]") {
  DecodeCase item = make_decode_case(small_shape());
  const std::string checksum = GENERATE(as<std::string>(), "weighted_sum", "mixed_sum");
  Verified call(item, verified("host", checksum));
  REQUIRE(call.run().fault == VerificationResult::no_fault);

  SECTION("checksum") {
    call.records().expected =
        record(item, checksum == "mixed_sum" ? SliceChecksum::weighted_sum : SliceChecksum::mixed_sum).expected;
  }
  SECTION("layer") { ++call.records().layer; }
  SECTION("first head") { ++call.records().first_head; }
  if (checksum == "mixed_sum") {
    SECTION("seed of the keys") { ++call.records().sum.seed; }
  }

  std::int64_t first = 0;
  while (item.shape.seq_lens[static_cast<std::size_t>(first)] == 0) ++first;
  CHECK(fault_place(call.run().fault) == FaultPlace{first, 0, 0});
}

TEST_CASE("attention without records is refused where the variant verifies", "[kernels][contract]") {
  const DecodeCase item = make_decode_case(small_shape());
  DecodeResult result = make_result(item);

  CHECK_THROWS_AS(paged_attention_v2(decode_arguments(item, result), any_variant()), InputError);
}

}  // namespace
}  // namespace kvarium::test
