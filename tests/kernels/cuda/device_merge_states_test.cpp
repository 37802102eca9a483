#include "kernels/attention/device_merge_states.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <cmath>
#include <limits>

#include "core/element_conversion.hpp"
#include "core/random.hpp"
#include "kernels/cuda/driver_library.hpp"
#include "tests/support/attention_oracle.hpp"
#include "tests/support/device_arrays.hpp"

namespace kvarium::test {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

/// Rows of random parts; every third is empty on one side or both, and then holds NaN.
struct Parts {
  StateShape shape;
  std::vector<std::byte> out;
  std::vector<float> lse;

  Parts(const StateShape& wanted, std::uint64_t seed, std::int64_t period) : shape(wanted) {
    CounterRandom random({seed, 0}, 0);
    out.resize(static_cast<std::size_t>(shape.num_rows * shape.head_size * element_bytes(shape.element_type)));
    for (std::int64_t row = 0; row < shape.num_rows; ++row) {
      const bool is_empty = row % period == 0;
      lse.push_back(is_empty ? -infinity : static_cast<float>(5 * random.normal()));
      for (std::int64_t e = 0; e < shape.head_size; ++e) {
        const auto value = static_cast<float>(random.normal());
        store_element(out.data(), row * shape.head_size + e, shape.element_type, is_empty ? std::nanf("") : value);
      }
    }
  }
};

TEST_CASE("states merged on a device equal the host's, empty ones included", "[gpu]") {
  if (!missing_device_reason().empty()) SKIP("no GPU: " << missing_device_reason());
  const ElementType type = GENERATE(ElementType::float32, ElementType::float16, ElementType::bfloat16);
  const int head_size = GENERATE(8, 128, 256);
  const StateShape shape{50, head_size, type};
  Parts left(shape, 1, 3), right(shape, 2, 4);
  std::vector<std::byte> expected(left.out.size());
  std::vector<float> expected_lse(left.lse.size());
  merge_states({left.out.data(), left.lse.data()}, {right.out.data(), right.lse.data()},
               {expected.data(), expected_lse.data()}, shape);
  AttentionState device_left{left.out.data(), left.lse.data()}, device_right{right.out.data(), right.lse.data()};
  DeviceArrays arrays;
  arrays.copy_back(device_left.out, left.out.size());
  arrays.copy_back(device_left.lse, left.lse.size() * sizeof(float));
  arrays.copy(device_right.out, right.out.size());
  arrays.copy(device_right.lse, right.lse.size() * sizeof(float));

  // Into one of the inputs, which must be as good as into a third place.
  merge_states_on_device(device_left, device_right, device_left, shape);
  arrays.fetch();

  std::vector<double> wanted;
  for (std::int64_t i = 0; i < shape.num_rows * head_size; ++i) {
    wanted.push_back(static_cast<double>(load_element(expected.data(), i, type)));
  }
  CAPTURE(to_string(type), head_size);
  const WorstRow worst = worst_row(left.out.data(), type, wanted, head_size);
  CAPTURE(worst);
  CHECK(worst.error <= tolerance(type));
  for (std::size_t row = 0; row < expected_lse.size(); ++row) {
    CAPTURE(row, left.lse[row], expected_lse[row]);
    CHECK((left.lse[row] == expected_lse[row] || std::abs(left.lse[row] - expected_lse[row]) < 1e-5F));
  }
}

}  // namespace
}  // namespace kvarium::test
