#include "experiments/tuning/tuning_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/element_type.hpp"
#include "experiments/commands/text_table.hpp"
#include "experiments/run/result_report.hpp"

namespace kvarium {
namespace {

constexpr std::size_t most_rows = 10;

/// A variant that passed and its times.
struct Ranked {
  AttentionVariant variant;
  double seconds = 0;
  double fraction = 0;
};

/// Points of one shape.
struct ShapeResults {
  std::string shape;
  std::vector<Ranked> ranked;
  std::int64_t num_points = 0;
  bool is_of_same_size_read = false;
};

Ranked ranked_point(const AttentionVariant& variant, const Table& summary, bool& is_of_same_size_read) {
  const auto value = [&](const char* name) { return summary.column(name).values<double>()[0]; };
  const double same_size = value("fraction_of_same_size_read");
  is_of_same_size_read = !std::isnan(same_size);
  return {variant, value("median_duration"), is_of_same_size_read ? same_size : value("fraction_of_ceiling")};
}

std::vector<ShapeResults> results_by_shape(const Plan& plan, const ResultTables& results) {
  std::vector<ShapeResults> shapes;
  for (std::int64_t point = 0; point < plan.num_points(); ++point) {
    const BaseConfig base = plan.point(point).base;
    const std::string shape = shape_text(base);
    if (shapes.empty() || shapes.back().shape != shape) shapes.push_back({shape, {}, 0, false});
    ShapeResults& own = shapes.back();
    ++own.num_points;
    if (results.state(point).status != PointStatus::passed) continue;
    const PointTables rows = results.rows_of(point);
    own.ranked.push_back(ranked_point(base.variant, rows.timing_summary, own.is_of_same_size_read));
  }
  for (ShapeResults& shape : shapes) {
    std::stable_sort(shape.ranked.begin(), shape.ranked.end(),
                     [](const Ranked& left, const Ranked& right) { return left.seconds < right.seconds; });
  }
  return shapes;
}

std::string ranking_of(const ShapeResults& shape) {
  TextTable table({"rank", "family", "partition_size", "block_n", "stages", "warps", "combine", "median (us)",
                   shape.is_of_same_size_read ? "fraction of same-size read" : "fraction of read ceiling"});
  for (std::size_t rank = 0; rank < std::min(shape.ranked.size(), most_rows); ++rank) {
    const Ranked& one = shape.ranked[rank];
    const AttentionVariant& variant = one.variant;
    table.add({fmt::format("{}", rank + 1), variant.family, fmt::format("{}", variant.partition_size),
               fmt::format("{}", variant.block_n), fmt::format("{}", variant.stages), fmt::format("{}", variant.warps),
               variant.combine, fmt::format("{:.1f}", one.seconds * 1e6), fmt::format("{:.3f}", one.fraction)});
  }
  return fmt::format("{}\n{}{} of {} variants passed\n", shape.shape, table.text(), shape.ranked.size(),
                     shape.num_points);
}

std::string length_text(const BatchConfig& batch) {
  std::string text = batch.min_context_length > 0
                         ? fmt::format("{} to {}", batch.min_context_length, batch.context_length)
                         : fmt::format("{}", batch.context_length);
  return batch.sliding_window > 0 ? fmt::format("{} tokens in a window of {}", text, batch.sliding_window)
                                  : text + " tokens";
}

}  // namespace

std::string shape_text(const BaseConfig& base) {
  const CacheConfig& cache = base.cache;
  std::string text = fmt::format("{} x {}, {}/{} heads of {} {}, {} {} in blocks of {}", base.batch.num_sequences,
                                 length_text(base.batch), cache.num_kv_heads * cache.query_heads_per_kv_head,
                                 cache.num_kv_heads, cache.head_size, to_string(base.batch.query_type),
                                 to_string(cache.element_type), to_string(cache.layout), cache.block_size);
  return base.variant.verifies() ? text + ", verified by " + base.variant.verification : text;
}

std::string ranking_text(const Plan& plan, const ResultTables& results) {
  std::string text;
  for (const ShapeResults& shape : results_by_shape(plan, results)) {
    if (!text.empty()) text += "\n";
    text += ranking_of(shape);
  }
  return text + reasons_text(results);
}

}  // namespace kvarium
