#include "experiments/kinds/output_comparison.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "core/check.hpp"
#include "core/element_conversion.hpp"

namespace kvarium {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Sums over one row.
struct RowDifference {
  double squares = 0;
  double norm = 0;
  double largest = 0;
  bool has_new_nan = false;

  void add(double actual, double expected) {
    if (!std::isfinite(actual) && std::isfinite(expected)) has_new_nan = true;
    if (actual == expected || (std::isnan(actual) && std::isnan(expected))) return add_equal(expected);
    const double difference = std::isfinite(expected) ? std::abs(actual - expected) : infinity;
    squares += difference * difference;
    norm += expected * expected;
    largest = std::max(largest, difference);
  }

  /// Equal elements, infinities and NaN among them, differ by nothing; only finite ones are part of the norm.
  void add_equal(double expected) {
    if (std::isfinite(expected)) norm += expected * expected;
  }

  double relative() const {
    if (squares == 0) return 0;
    if (norm == 0 || !std::isfinite(squares)) return infinity;
    return std::sqrt(squares / norm);
  }
};

/// The numbers that 16-bit elements stand for: looked up, a row is compared several times faster.
class ElementNumbers {
 public:
  explicit ElementNumbers(ElementType type) : numbers_(65536) {
    for (std::uint32_t bits = 0; bits < numbers_.size(); ++bits) numbers_[bits] = decode_element(bits, type);
  }
  double number(const std::byte* element) const {
    std::uint16_t bits = 0;
    std::memcpy(&bits, element, sizeof(bits));
    return static_cast<double>(numbers_[bits]);
  }

 private:
  std::vector<float> numbers_;
};

/// Reads elements of an output as numbers.
double load_number(const std::vector<std::byte>& output, std::int64_t index, ElementType type) {
  static const ElementNumbers float16(ElementType::float16), bfloat16(ElementType::bfloat16);
  if (type == ElementType::float16) return float16.number(output.data() + 2 * index);
  if (type == ElementType::bfloat16) return bfloat16.number(output.data() + 2 * index);
  return static_cast<double>(load_element(output.data(), index, type));
}

RowDifference compare_row(const std::vector<std::byte>& actual, const std::vector<std::byte>& expected,
                          ElementType type, std::int64_t first, int head_size) {
  RowDifference row;
  for (std::int64_t i = first; i < first + head_size; ++i) {
    row.add(load_number(actual, i, type), load_number(expected, i, type));
  }
  return row;
}

}  // namespace

OutputDifference compare_outputs(const std::vector<std::byte>& actual, const std::vector<std::byte>& expected,
                                 ElementType type, int head_size) {
  KVARIUM_EXPECT(actual.size() == expected.size());
  if (actual == expected) return {};
  std::vector<std::int64_t> rows(actual.size() / static_cast<std::size_t>(element_bytes(type) * head_size));
  std::iota(rows.begin(), rows.end(), std::int64_t{0});
  return compare_rows(actual, expected, {type, head_size}, rows);
}

OutputDifference compare_rows(const std::vector<std::byte>& actual, const std::vector<std::byte>& expected,
                              const OutputRows& shape, const std::vector<std::int64_t>& rows) {
  const std::int64_t bytes = std::int64_t{shape.head_size} * element_bytes(shape.type);
  OutputDifference difference;
  for (const std::int64_t number : rows) {
    const auto first = actual.begin() + number * bytes;
    if (std::equal(first, first + bytes, expected.begin() + number * bytes)) continue;
    const RowDifference row = compare_row(actual, expected, shape.type, number * shape.head_size, shape.head_size);
    difference.is_identical = false;
    difference.largest_difference = std::max(difference.largest_difference, row.largest);
    difference.has_new_nan = difference.has_new_nan || row.has_new_nan;
    if (row.relative() > difference.relative_l2) {
      difference.relative_l2 = row.relative();
      difference.worst_row = number;
    }
  }
  if (difference.has_new_nan) difference.relative_l2 = infinity;
  return difference;
}

double output_tolerance(ElementType query_type) {
  if (query_type == ElementType::float32) return 1e-5;
  return query_type == ElementType::float16 ? 2e-3 : 1e-2;
}

}  // namespace kvarium
