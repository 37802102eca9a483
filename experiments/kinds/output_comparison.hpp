#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/element_type.hpp"

namespace kvarium {

/// How far an attention output is from the one expected.
struct OutputDifference {
  /// Of the worst (sequence, head); infinite where the expectation is 0 and the output not.
  double relative_l2 = 0;
  std::int64_t worst_row = 0;     ///< sequence * num_heads + head
  double largest_difference = 0;  ///< of a single element
  bool is_identical = true;       ///< bit for bit
  bool has_new_nan = false;       ///< NaN or infinity where the expectation is finite
};

/// Compares [num_rows, head_size] outputs of `type`. Rows are (sequence, head).
OutputDifference compare_outputs(const std::vector<std::byte>& actual, const std::vector<std::byte>& expected,
                                 ElementType type, int head_size);

/// Type and length of an output's rows.
struct OutputRows {
  ElementType type = ElementType::float32;
  int head_size = 0;
};

/// The same where only the rows listed may differ.
OutputDifference compare_rows(const std::vector<std::byte>& actual, const std::vector<std::byte>& expected,
                              const OutputRows& shape, const std::vector<std::int64_t>& rows);

/// Relative L2 within which an output of `query_type` counts as right: 1e-5 float32, 2e-3 float16, 1e-2 bfloat16.
double output_tolerance(ElementType query_type);

}  // namespace kvarium
