#include "experiments/kinds/decode_scenario.hpp"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cmath>

#include "core/element_conversion.hpp"
#include "experiments/kinds/reference_check.hpp"
#include "tests/experiments/kinds/small_point.hpp"

using namespace kvarium;
using namespace kvarium::test;

namespace {

/// Largest difference between what a layer's tensor holds for a sequence and what the source says.
double worst_difference(const DecodeScenario& scenario, const CacheTensor& tensor, float scale,
                        const std::vector<float>& expected) {
  const CacheGeometry& geometry = scenario.views().front().geometry;
  double worst = 0;
  std::size_t i = 0;
  for (std::int64_t token = 0; token < 40; ++token) {
    const std::int64_t block = scenario.batch().block_tables(1, static_cast<std::size_t>(token / 16));
    for (std::int64_t head = 0; head < geometry.num_kv_heads; ++head) {
      for (std::int64_t e = 0; e < geometry.head_size; ++e, ++i) {
        const float held =
            load_element(tensor.data, tensor.strides.offset(block, head, token % 16, e), geometry.element_type);
        worst = std::max(
            worst, std::abs(static_cast<double>(held) * static_cast<double>(scale) - static_cast<double>(expected[i])) /
                       std::max(1.0, std::abs(static_cast<double>(expected[i]))));
      }
    }
  }
  return worst;
}

}  // namespace

TEST_CASE("caches hold the source's keys and values, fp8 within its scale", "[experiments][kinds]") {
  const auto [type, tolerance] = GENERATE(table<ElementType, double>(
      {{ElementType::float32, 0.0}, {ElementType::float16, 1e-3}, {ElementType::float8_e4m3, 0.07}}));
  CAPTURE(to_string(type));
  PointConfig point = small_point();
  point.base.cache.element_type = type;
  const DecodeScenario scenario(point, small_key);
  std::vector<float> key(40 * 2 * 16), value(key.size());
  scenario.source().fill_key({1, 1, 0, 40}, key.data());
  scenario.source().fill_value({1, 1, 0, 40}, value.data());

  const PagedCacheView& view = scenario.views()[1];

  CHECK(worst_difference(scenario, view.key, view.key_scale, key) <= tolerance);
  CHECK(worst_difference(scenario, view.value, view.value_scale, value) <= tolerance);
}

TEST_CASE("fp8 scales make the largest number of the first sequence the largest code", "[experiments][kinds]") {
  PointConfig point = small_point();
  point.base.cache.element_type = ElementType::float8_e4m3;
  const DecodeScenario scenario(point, small_key);
  std::vector<float> value(40 * 2 * 16);
  scenario.source().fill_value({0, 0, 0, 40}, value.data());
  float largest = 0;
  for (const float number : value) largest = std::max(largest, std::abs(number));

  CHECK(scenario.views()[0].value_scale == largest / 448.0F);
  CHECK(scenario.views()[0].key_scale != scenario.views()[0].value_scale);
}

TEST_CASE("an output is checked against the float64 reference, not against its own kernel", "[experiments][kinds]") {
  PointConfig point = small_point();
  point.base.cache.element_type = point.base.batch.query_type = ElementType::float32;
  const DecodeScenario scenario(point, small_key);
  std::vector<std::byte> output = run_attention(scenario, 0, point.base.variant);

  const ReferenceCheck right = check_with_reference(scenario, 0, point.base.variant, output);
  CHECK(right.is_right());
  CHECK(right.num_sequences == 2);
  // float32 sums round otherwise than float64 ones.
  CHECK(right.difference.relative_l2 > 0);

  store_element(output.data(), 3, ElementType::float32, load_element(output.data(), 3, ElementType::float32) + 0.01F);
  CHECK_FALSE(check_with_reference(scenario, 0, point.base.variant, output).is_right());
}
