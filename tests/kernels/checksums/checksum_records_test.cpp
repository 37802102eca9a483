#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include "core/check.hpp"
#include "core/random.hpp"
#include "tests/support/checksum_cases.hpp"
#include "tests/support/decode_run.hpp"
#include "tests/support/summed_cache.hpp"

namespace kvarium::test {
namespace {

constexpr BlockRow row{1, 16, 12, nullptr};

/// Value of the row alone.
std::vector<std::uint64_t> value_of(const SummedCache& cache, const ChecksumCase& item) {
  return checksum_families()
      .at(item.family)
      .compute(cache.layers(), {&row.block, &row.first_token, &row.valid_tokens, 1}, item.parameters);
}

/// Gives `count` bytes of the row's block, valid or not, other values.
std::vector<ChangedByte> change_bytes(SummedCache& cache, int count, CounterRandom& random) {
  std::vector<ChangedByte> changes;
  const auto draw = [&](std::int64_t bound) {
    return static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(bound)));
  };
  for (int i = 0; i < count; ++i) {
    ChangedByte change{draw(2), draw(2), draw(16), draw(SummedCache::cell_bytes)};
    const auto is_same = [&](const ChangedByte& other) {
      return std::tie(change.layer, change.head, change.token, change.byte) ==
             std::tie(other.layer, other.head, other.token, other.byte);
    };
    if (std::ranges::any_of(changes, is_same)) continue;
    std::byte& byte = cache.at({change.layer, row.block, change.token, change.head, change.byte});
    change.before = byte;
    byte ^= static_cast<std::byte>(1 + random.below(255));
    change.after = byte;
    changes.push_back(change);
  }
  return changes;
}

TEST_CASE("a value follows changed bytes exactly as summing again gives it, if the checksum is declared to update",
          "[kernels][checksum][traits]") {
  const ChecksumCase item = GENERATE(from_range(checksum_cases()));
  const CacheLayout layout = GENERATE(from_range(all_layouts));
  CAPTURE(item, to_string(layout));
  for (std::uint64_t trial = 0; trial < 8; ++trial) {
    SummedCache cache(layout, trial);
    std::vector<std::uint64_t> value = value_of(cache, item);
    const std::vector<std::uint64_t> before = value;
    CounterRandom random({9, trial}, 0);
    const auto changes = change_bytes(cache, static_cast<int>(1 + 8 * trial), random);

    const bool is_updated =
        checksum_families().at(item.family).update(cache.layers(), row, changes, item.parameters, value);

    REQUIRE(is_updated == item.traits().updates);
    REQUIRE(value == (is_updated ? value_of(cache, item) : before));
  }
}

TEST_CASE("a record is clean beside its value, a mismatch beside another, and unverified where it is absent",
          "[kernels][checksum]") {
  const ChecksumCase item = GENERATE(from_range(checksum_cases()));
  const ChecksumFamily& family = checksum_families().at(item.family);
  const std::vector<std::uint64_t> value = value_of(SummedCache(CacheLayout::hnd), item);
  CAPTURE(item);
  CHECK(family.judge({value}, value, item.parameters) == ChecksumJudgement::clean);
  CHECK(family.judge({value, false}, value, item.parameters) == ChecksumJudgement::unverified);
  for (std::size_t word = 0; word < value.size(); ++word) {
    std::vector<std::uint64_t> other = value;
    other[word] ^= 1;
    CHECK(family.judge({other}, value, item.parameters) == ChecksumJudgement::mismatch);
  }
}

TEST_CASE("a recorded 0 is a value, unless zero means absent", "[kernels][checksum]") {
  const ChecksumCase item = GENERATE(from_range(checksum_cases()));
  if (item.family == "kv_canary") return;  // its zeros stand for single slots
  const ChecksumFamily& family = checksum_families().at(item.family);
  const std::vector<std::uint64_t> value = value_of(SummedCache(CacheLayout::hnd), item);
  const std::vector<std::uint64_t> zero(value.size(), 0);
  ChecksumParameters absent = item.parameters;
  absent.zero_means_absent = true;
  CAPTURE(item);
  CHECK(family.judge({zero}, value, item.parameters) == ChecksumJudgement::mismatch);
  CHECK(family.judge({zero}, zero, item.parameters) == ChecksumJudgement::clean);
  CHECK(family.judge({zero}, value, absent) == ChecksumJudgement::unverified);
  CHECK(family.judge({value}, zero, absent) == ChecksumJudgement::mismatch);
}

TEST_CASE("a canary whose hash of a slot's data is 0 leaves the row unverified where zero means absent",
          "[kernels][checksum]") {
  ChecksumCase item{"kv_canary", {}};
  const ChecksumFamily& family = checksum_families().at(item.family);
  const std::vector<std::uint64_t> value = value_of(SummedCache(CacheLayout::hnd), item);
  std::vector<std::uint64_t> absent = value, moved = value;
  absent[3] = 0;
  moved[3] = 0;
  moved[5] += 1;
  CHECK(family.judge({absent}, value, item.parameters) == ChecksumJudgement::mismatch);
  item.parameters.zero_means_absent = true;
  CHECK(family.judge({absent}, value, item.parameters) == ChecksumJudgement::unverified);
  CHECK(family.judge({moved}, value, item.parameters) == ChecksumJudgement::mismatch);
}

TEST_CASE("a canary binds the ids of a block's tokens", "[kernels][checksum]") {
  const SummedCache cache(CacheLayout::hnd);
  std::vector<std::int64_t> ids(16);
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<std::int64_t>(100 + i);
  const auto value = [&] {
    return checksum_families()
        .at("kv_canary")
        .compute(cache.layers(), {&row.block, &row.first_token, &row.valid_tokens, 1, ids.data()}, {});
  };
  const auto before = value();
  CHECK(before[4] == 101);
  ids[11] += 1;
  CHECK(value() != before);
  ids[11] -= 1;
  ids[12] += 1;
  CHECK(value() == before);
}

TEST_CASE("a setting that a family does not take must be at its default", "[kernels][checksum]") {
  const ChecksumSetting& edge = *std::ranges::find(checksum_settings(), "edge_width", &ChecksumSetting::name);
  ChecksumParameters parameters;
  CHECK(!checksum_setting_problem("crc32", edge, parameters));
  parameters.edge_width = 8;
  CHECK(!checksum_setting_problem("edge_crc", edge, parameters));
  CHECK(checksum_setting_problem("crc32", edge, parameters) ==
        "checksum 'crc32' takes no 'edge_width' (8); it takes only byte_order, zero_means_absent");
  CHECK(checksum_setting_problem("none", edge, parameters) ==
        "checksum 'none' takes no 'edge_width' (8); it takes no settings");
}

TEST_CASE("memory's order is refused for blocks with gaps, and more sampled buffers than there are",
          "[kernels][checksum]") {
  const SummedCache cache(CacheLayout::nhd);
  ChecksumParameters parameters;
  parameters.byte_order = ByteOrder::memory;
  CHECK_THROWS_AS(SummedCache::values("crc32", cache.layers(0, 1), parameters), InputError);
  parameters = {};
  parameters.sampled_buffers = 5;
  CHECK_THROWS_AS(cache.values("fmix_digest", parameters), InputError);
}

}  // namespace
}  // namespace kvarium::test
