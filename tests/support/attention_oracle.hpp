#pragma once

#include <vector>

#include "kernels/attention/attention_arguments.hpp"

namespace kvarium::test {

/// Decode attention in float64 straight from the definition, sharing no code with the kernels but the
/// argument struct: plain softmax over all visible tokens, no partitions.
struct OracleResult {
  std::vector<double> out;  ///< [num_sequences, num_heads, head_size]
  std::vector<double> lse;  ///< [num_sequences, num_heads]
};

OracleResult attention_oracle(const PagedAttentionArguments& arguments);

/// Largest relative L2 error over (sequence, head); rows whose expectation is zero must be zero.
/// Where it happens is printed in the failure.
struct WorstRow {
  double error = 0;
  std::int64_t row = 0;
  std::int64_t element = 0;  ///< of the row, where the difference is largest
  double actual = 0, expected = 0;
};

std::ostream& operator<<(std::ostream& stream, const WorstRow& worst);

WorstRow worst_row(const void* out, ElementType type, const std::vector<double>& expected, int head_size);

/// Tolerance of the contract for a query type.
double tolerance(ElementType query_type);

}  // namespace kvarium::test
