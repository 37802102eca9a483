#include "experiments/plan/listed_points.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/config/field_table.hpp"
#include "experiments/plan/sweep_product.hpp"

namespace kvarium {
namespace {

std::vector<FieldValue> values_at(BaseConfig base, const std::vector<std::string>& paths) {
  const std::vector<FieldPointer> members = field_pointers(base);
  std::vector<FieldValue> values;
  for (const std::string& path : paths) {
    values.push_back(get_value(members[static_cast<std::size_t>(base_fields().find(path))]));
  }
  return values;
}

std::map<std::vector<FieldValue>, std::size_t> positions_of(const SweepAxis& axis) {
  std::map<std::vector<FieldValue>, std::size_t> positions;
  for (std::size_t i = 0; i < axis.values.size(); ++i) positions.emplace(axis.values[i], i);
  return positions;
}

}  // namespace

ListedPoints::ListedPoints(const ExperimentConfig& experiment, std::optional<std::vector<std::int64_t>> kept)
    : sweep_(experiment.sweep),
      kept_(std::move(kept)),
      paths_(swept_paths(sweep_)),
      base_values_(values_at(experiment.point.base, paths_)) {
  if (sweep_.list.empty()) return;
  for (const SweepAxis& axis : sweep_.axes) axis_values_.push_back(positions_of(axis));
}

bool ListedPoints::is_in_product(const std::vector<FieldValue>& values) const {
  if (sweep_.axes.empty()) return false;
  std::vector<std::size_t> positions;
  auto value = values.begin();
  for (std::size_t axis = 0; axis < sweep_.axes.size(); ++axis) {
    const auto end = value + std::ssize(sweep_.axes[axis].paths);
    const auto found = axis_values_[axis].find(std::vector<FieldValue>(value, end));
    if (found == axis_values_[axis].end()) return false;
    positions.push_back(found->second);
    value = end;
  }
  // Keys that only rows name have the value of base in the product.
  if (!std::equal(value, values.end(), base_values_.end() - (values.end() - value))) return false;
  return !kept_ || std::ranges::binary_search(*kept_, combination_index(sweep_.axes, positions));
}

std::string ListedPoints::twin_of(std::size_t row) {
  const SweepRow& named = sweep_.list[row];
  std::vector<FieldValue> values = base_values_;
  for (std::size_t i = 0; i < named.paths.size(); ++i) {
    const auto path = std::ranges::find(paths_, named.paths[i]);
    values[static_cast<std::size_t>(path - paths_.begin())] = named.values[i];
  }
  if (is_in_product(values)) return "a point of grid and zip already";
  const auto [first, is_new] = earlier_rows_.emplace(std::move(values), row + 1);
  return is_new ? "" : fmt::format("the same point as row {}", first->second);
}

}  // namespace kvarium
