#pragma once

#include <string>
#include <vector>

#include "experiments/results/table.hpp"

namespace kvarium {

/// One deterministic value, as stored and as computed again.
struct ComparedValue {
  std::string table;
  std::size_t row = 0;
  std::string column;
  std::string stored;
  std::string replayed;
  bool is_equal = false;
};

/// Compares every deterministic column of two tables of one schema, floats by their bits; rows that only one of them
/// has differ in all columns ("-").
std::vector<ComparedValue> compare_rows(const Table& stored, const Table& replayed);

}  // namespace kvarium
