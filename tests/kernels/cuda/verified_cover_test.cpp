#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "tests/support/verified_call.hpp"
#include "tests/support/verified_settings.hpp"

// Clean caches over a cover of every verifying family's axes. Each family is a test of its own: what takes the time is
// that each setting is compiled, with and without verification.

namespace kvarium::test {
namespace {

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

void check_clean(const DecodeCase& item, const AttentionVariant& variant, const DecodeOptions& options) {
  VerifiedCall call(item, variant, options);
  const VerificationResult found = call.run();
  const SliceCounts counts = count_slices(item, options.window);
  CAPTURE(variant.family, to_string(item.shape.cache), to_string(item.shape.query_type), variant.block_n,
          variant.partition_size, variant.stages, variant.warps, options.window);
  CHECK(found.fault == VerificationResult::no_fault);
  CHECK(found.verified == counts.read - counts.cut);
  CHECK(found.unverified == counts.cut);
  CHECK(call.result() == run_decode(item, unverified(variant), options));
}

void check_clean_cover(const std::string& family) {
  const std::vector<std::string> tested = verifying_families();
  if (std::find(tested.begin(), tested.end(), family) == tested.end()) SKIP(family << " is not asked for");
  const std::vector<DecodeSetting> settings = on_this_device(verified_cover(family));
  std::vector<DecodeSetting> compiled = settings;
  for (DecodeSetting setting : settings) {
    setting.variant = unverified(setting.variant);
    compiled.push_back(setting);
  }
  compile_ahead(compiled);
  for (const DecodeSetting& setting : settings) {
    const DecodeCase item = make_decode_case(setting.shape);
    const std::int32_t longest = *std::max_element(setting.shape.seq_lens.begin(), setting.shape.seq_lens.end());
    check_clean(item, setting.variant, {});
    check_clean(item, setting.variant, {.sinks = true, .window = longest / 6});
  }
}

TEST_CASE("verified gqa_packed gives the bits of unverified and finds nothing in a clean cache", "[kernels][gpu]") {
  check_clean_cover("gqa_packed");
}

TEST_CASE("verified register_mma gives the bits of unverified and finds nothing in a clean cache", "[kernels][gpu]") {
  check_clean_cover("register_mma");
}

TEST_CASE("verified staged_mma gives the bits of unverified and finds nothing in a clean cache", "[kernels][gpu]") {
  check_clean_cover("staged_mma");
}

TEST_CASE("verified bulk_mma gives the bits of unverified and finds nothing in a clean cache", "[kernels][gpu]") {
  check_clean_cover("bulk_mma");
}

TEST_CASE("every family that verifies has a test over clean caches", "[kernels][cuda]") {
  const std::vector<std::string> families = families_that_verify();
  if (families.empty()) SKIP("this build has no CUDA families");
  CHECK(families == std::vector<std::string>{"gqa_packed", "register_mma", "staged_mma", "bulk_mma"});
}

TEST_CASE("covers of verified variants are few settings of both schedules and of more blocks than ranges",
          "[kernels][cuda]") {
  for (const std::string& family : families_that_verify()) {
    const std::vector<DecodeSetting> settings = verified_cover(family);
    const auto count = [&](bool is_persistent, bool has_many_blocks) {
      return std::count_if(settings.begin(), settings.end(), [&](const DecodeSetting& setting) {
        const bool is_long = setting.shape.seq_lens != small_shape().seq_lens;
        return (setting.variant.partition_size == 0) == is_persistent && is_long == has_many_blocks;
      });
    };
    CAPTURE(family, settings.size());
    CHECK(settings.size() <= 40);
    CHECK(small_verified_cover(family).size() <= 20);
    for (bool has_many_blocks : {false, true}) {
      CHECK(count(false, has_many_blocks) > 0);
      const bool has_persistent = attention_families().at(family).traits().has_persistent_schedule;
      CHECK((count(true, has_many_blocks) > 0) == has_persistent);
    }
  }
}

}  // namespace
}  // namespace kvarium::test
