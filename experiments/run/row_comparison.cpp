#include "experiments/run/row_comparison.hpp"

#include <algorithm>
#include <bit>

namespace kvarium {

namespace {

std::string text_at(const Column& column, std::size_t row) { return row < column.size() ? column.text(row) : "-"; }

bool equal_values(const Value& first, const Value& second) {
  const auto* left = std::get_if<double>(&first.storage());
  const auto* right = std::get_if<double>(&second.storage());
  if (left == nullptr || right == nullptr) return first == second;
  return std::bit_cast<std::uint64_t>(*left) == std::bit_cast<std::uint64_t>(*right);
}

bool equal_at(const Column& first, const Column& second, std::size_t row) {
  return row < first.size() && row < second.size() && equal_values(first.value(row), second.value(row));
}

}  // namespace

std::vector<ComparedValue> compare_rows(const Table& stored, const Table& replayed) {
  std::vector<ComparedValue> values;
  for (std::size_t row = 0; row < std::max(stored.num_rows(), replayed.num_rows()); ++row) {
    for (const Column& column : stored.columns()) {
      if (!column.schema().deterministic) continue;
      const std::string& name = column.schema().name;
      const Column& again = replayed.column(name);
      values.push_back(
          {stored.schema().path, row, name, text_at(column, row), text_at(again, row), equal_at(column, again, row)});
    }
  }
  return values;
}

}  // namespace kvarium
