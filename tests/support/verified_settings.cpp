#include "tests/support/verified_settings.hpp"

#include <array>
#include <catch2/catch_test_macros.hpp>

#include "kernels/cuda/driver_library.hpp"
#include "tests/support/cuda_settings.hpp"
#include "tests/support/decode_run.hpp"
#include "tests/support/pairwise.hpp"
#include "tests/support/wanted_family.hpp"

namespace kvarium::test {
namespace {

struct Types {
  ElementType query, cache;
};

constexpr std::array all_type_pairs{
    Types{ElementType::float16, ElementType::float16}, Types{ElementType::bfloat16, ElementType::bfloat16},
    Types{ElementType::bfloat16, ElementType::float8_e4m3}, Types{ElementType::float16, ElementType::float8_e5m2},
    Types{ElementType::float32, ElementType::float32}};
/// Persistent, and fixed.
constexpr std::array partition_sizes{0, 256};
/// Powers of two and one that is none; blocks in steps, and steps in blocks.
constexpr std::array head_sizes{64, 80, 128};
constexpr std::array block_sizes{16, 32, 128};
constexpr std::array block_ns{16, 32, 64};
constexpr std::array stages{2, 3};
constexpr std::array warps{2, 4, 8};
const std::array<std::string, 2> checksums{"weighted_sum", "mixed_sum"};

/// Over a thousand blocks for each of two KV heads: no device runs so many warps at once that each had one block.
std::vector<std::int32_t> many_blocks(int block_size) {
  return {700 * block_size - 1, 0, 450 * block_size, 3, 500 * block_size + 1};
}

DecodeSetting small_setting(const std::string& family, CacheLayout layout, const Types& types, int partition_size,
                            const std::string& checksum) {
  DecodeSetting setting{small_shape(), {family, partition_size, 32, "h200"}};
  setting.shape.cache.layout = layout;
  setting.shape.cache.element_type = types.cache;
  setting.shape.query_type = types.query;
  setting.variant.verification = checksum;
  return setting;
}

/// The setting at a point of the axes; the order is that of `verified_cover`.
DecodeSetting setting_at(const std::string& family, const AxisPoint& point) {
  DecodeSetting setting = small_setting(family, all_layouts[point[0]], all_type_pairs[point[1]],
                                        partition_sizes[point[2]], checksums[point[9]]);
  setting.shape.cache.head_size = head_sizes[point[3]];
  setting.shape.cache.block_size = block_sizes[point[4]];
  setting.variant.block_n = block_ns[point[5]];
  setting.variant.stages = stages[point[6]];
  setting.variant.warps = warps[point[7]];
  if (point[8] == 1) setting.shape.seq_lens = many_blocks(setting.shape.cache.block_size);
  return setting;
}

/// Many large blocks are more memory than a test needs.
bool is_wanted(const DecodeSetting& setting) {
  const bool has_many_blocks = setting.shape.seq_lens == many_blocks(setting.shape.cache.block_size);
  return is_taken(setting) && !(has_many_blocks && setting.shape.cache.block_size == block_sizes.back());
}

}  // namespace

std::vector<std::string> families_that_verify() {
  std::vector<std::string> names = cuda_families();
  std::erase_if(names, [](const auto& name) { return !attention_families().at(name).traits().can_verify; });
  return names;
}

std::vector<std::string> verifying_families() {
  if (!missing_device_reason().empty()) SKIP("no GPU: " << missing_device_reason());
  std::vector<std::string> names = families_that_verify();
  keep_wanted_family(names);
  REQUIRE_FALSE(names.empty());
  return names;
}

std::vector<DecodeSetting> verified_cover(const std::string& family) {
  std::vector<DecodeSetting> settings;
  const auto is_allowed = [&](const AxisPoint& point) { return is_wanted(setting_at(family, point)); };
  constexpr std::size_t num_lengths = 2;
  for (const AxisPoint& point :
       pairwise_cover({all_layouts.size(), all_type_pairs.size(), partition_sizes.size(), head_sizes.size(),
                       block_sizes.size(), block_ns.size(), stages.size(), warps.size(), num_lengths, checksums.size()},
                      is_allowed)) {
    settings.push_back(setting_at(family, point));
  }
  return settings;
}

std::vector<DecodeSetting> small_verified_cover(const std::string& family) {
  const auto setting_at_point = [&](const AxisPoint& point) {
    return small_setting(family, all_layouts[point[0]], all_type_pairs[point[1]], partition_sizes[point[2]],
                         checksums[point[3]]);
  };
  std::vector<DecodeSetting> settings;
  for (const AxisPoint& point :
       pairwise_cover({all_layouts.size(), all_type_pairs.size(), partition_sizes.size(), checksums.size()},
                      [&](const auto& item) { return is_taken(setting_at_point(item)); })) {
    settings.push_back(setting_at_point(point));
  }
  return settings;
}

std::vector<DecodeSetting> on_this_device(std::vector<DecodeSetting> settings) {
  for (DecodeSetting& setting : settings) setting.variant.device_profile = "native";
  std::erase_if(settings, [](const DecodeSetting& setting) { return !is_taken(setting); });
  REQUIRE_FALSE(settings.empty());
  return settings;
}

AttentionVariant unverified(AttentionVariant variant) {
  variant.verification = "none";
  return variant;
}

}  // namespace kvarium::test
