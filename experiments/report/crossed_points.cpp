#include "experiments/report/crossed_points.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "experiments/config/field_table.hpp"

namespace kvarium {
namespace {

/// Names that a label always begins with, without their keys.
bool is_name(const Field& field) {
  return field.path == "fault.model" || field.path == "fault.preset" || field.path == "checksum.family" ||
         field.path == "variant.family";
}

std::string leaf(const std::string& path) { return path.substr(path.rfind('.') + 1); }

/// Whether some axis sweeps the field.
bool is_swept(const Plan& plan, const Field& field) {
  const std::vector<const Field*> swept = plan.swept_fields();
  return std::ranges::any_of(swept, [&](const Field* one) { return one->path == field.path; });
}

/// Fields that make up the labels of one side.
std::vector<std::size_t> labelled_fields(const Plan& plan, bool is_fault) {
  const std::vector<Field>& all = base_fields().fields();
  std::vector<std::size_t> labelled;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].path.starts_with("fault.") != is_fault) continue;
    // Where no checksum or variant is compared with another, its name still says what the figures are of.
    const bool is_named = is_name(all[i]) && all[i].path != "variant.family";
    if (is_named || is_swept(plan, all[i])) labelled.push_back(i);
  }
  return labelled;
}

std::string label(PointConfig point, const std::vector<std::size_t>& labelled) {
  const std::vector<FieldPointer> values = field_pointers(point.base);
  std::string text;
  for (const std::size_t i : labelled) {
    const Field& field = base_fields().fields()[i];
    const FieldValue value = get_value(values[i]);
    if (value == field.default_value) continue;
    if (!text.empty()) text += ' ';
    text += is_name(field) ? to_string(value) : fmt::format("{}={}", leaf(field.path), to_string(value));
  }
  return text.empty() ? "defaults" : text;
}

/// Index of a label, which is appended where it is new.
std::size_t index_of(std::vector<std::string>& labels, const std::string& label) {
  const auto found = std::ranges::find(labels, label);
  if (found != labels.end()) return static_cast<std::size_t>(found - labels.begin());
  labels.push_back(label);
  return labels.size() - 1;
}

void add_numbers(PointNumbers& numbers, const Table& table) {
  if (table.num_rows() == 0) return;
  for (const Column& column : table.columns()) {
    const Value value = column.value(0);
    const auto* number = std::get_if<double>(&value.storage());
    const auto* integer = std::get_if<std::int64_t>(&value.storage());
    if (number != nullptr && !std::isnan(*number)) numbers[column.schema().name] = *number;
    if (integer != nullptr) numbers[column.schema().name] = static_cast<double>(*integer);
  }
}

}  // namespace

CrossedPoints::CrossedPoints(const Plan& plan) {
  const std::vector<std::size_t> fault_fields = labelled_fields(plan, true),
                                 other_fields = labelled_fields(plan, false);
  std::vector<std::pair<std::size_t, std::size_t>> places;
  for (std::int64_t point = 0; point < plan.num_points(); ++point) {
    const PointConfig config = plan.point(point);
    places.emplace_back(index_of(faults_, label(config, fault_fields)), index_of(others_, label(config, other_fields)));
  }
  points_.assign(faults_.size() * others_.size(), -1);
  for (std::size_t point = 0; point < places.size(); ++point) {
    points_[places[point].first * others_.size() + places[point].second] = static_cast<std::int64_t>(point);
  }
}

std::vector<PointNumbers> point_numbers(const StoredResults& stored) {
  std::vector<PointNumbers> all(static_cast<std::size_t>(stored.plan.num_points()));
  for (std::size_t point = 0; point < all.size(); ++point) {
    const PointTables tables = stored.results.rows_of(static_cast<std::int64_t>(point));
    add_numbers(all[point], tables.summary);
    add_numbers(all[point], tables.timing_summary);
  }
  return all;
}

std::optional<ReportedShare> share_of(const PointNumbers& numbers, const std::string& column) {
  const std::string stem = column.substr(0, column.size() - std::string_view("_rate").size());
  const auto rate = numbers.find(column), low = numbers.find(stem + "_low"), high = numbers.find(stem + "_high"),
             trials = numbers.find("applicable");
  const auto end = numbers.end();
  if (rate == end || low == end || high == end || trials == end) return {};
  return ReportedShare{rate->second, low->second, high->second, static_cast<std::int64_t>(trials->second)};
}

std::optional<double> cost_of(const std::vector<const PointNumbers*>& points, const ReportedCost& cost) {
  std::vector<double> found;
  for (const PointNumbers* numbers : points) {
    if (const auto number = numbers->find(cost.column); number != numbers->end()) found.push_back(number->second);
  }
  if (found.empty()) return {};
  if (cost.summing == Summing::total) return std::accumulate(found.begin(), found.end(), 0.0);
  std::ranges::nth_element(found, found.begin() + static_cast<std::ptrdiff_t>(found.size() / 2));
  return found[found.size() / 2];
}

}  // namespace kvarium
