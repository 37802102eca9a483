#include "sim/contents/normal_numbers.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace kvarium {
namespace {

/// Numbers one call of philox gives: two from each of its four words.
constexpr std::size_t group_size = 8;

/// Two normals from one word (Box and Muller, "A note on the generation of random normal deviates", 1958).
std::array<float, 2> normal_pair(std::uint64_t word) {
  const auto high = static_cast<float>(word >> 40);
  const auto low = static_cast<float>((word >> 8) & 0xFFFFFFU);
  const float radius = std::sqrt(-2.0F * std::log((high + 1.0F) * 0x1.0p-24F));
  const float angle = low * (0x1.0p-23F * std::numbers::pi_v<float>);
  return {radius * std::cos(angle), radius * std::sin(angle)};
}

std::array<float, group_size> normal_group(const RandomKey& key, const ContentRow& row, std::size_t group) {
  // The last counter word of CounterRandom is 0; here it never is.
  const std::uint64_t stream = (static_cast<std::uint64_t>(row.part) << 32) | static_cast<std::uint32_t>(row.layer);
  const auto words =
      philox({group, static_cast<std::uint64_t>(row.token), static_cast<std::uint64_t>(row.owner), stream},
             {key.seed, key.stimulus});
  std::array<float, group_size> numbers{};
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto [first, second] = normal_pair(words[i]);
    numbers[2 * i] = first;
    numbers[2 * i + 1] = second;
  }
  return numbers;
}

}  // namespace

void fill_normal(const RandomKey& key, const ContentRow& row, std::span<float> numbers) {
  for (std::size_t first = 0; first < numbers.size(); first += group_size) {
    const auto group = normal_group(key, row, first / group_size);
    const std::size_t count = std::min(group_size, numbers.size() - first);
    std::copy_n(group.begin(), count, numbers.begin() + static_cast<std::ptrdiff_t>(first));
  }
}

}  // namespace kvarium
