#include "experiments/tuning/tuning_rows.hpp"

#include <map>
#include <optional>
#include <set>
#include <utility>

#include "core/check.hpp"
#include "experiments/config/field_table.hpp"
#include "experiments/config/value_reader.hpp"
#include "experiments/results/point_status.hpp"
#include "experiments/tuning/point_variant.hpp"

namespace kvarium {
namespace {

const Table& table_at(const std::string& place, const ArchiveContent& archive, const std::string& path) {
  const Table* table = archive.find_table(path);
  KVARIUM_VALIDATE(table != nullptr, place, ": no tuning (table ", path, " is missing); `kvarium tune` makes one");
  return *table;
}

const Column& column_at(const std::string& place, const Table& table, const std::string& name, ColumnType type) {
  const int index = table.schema().find(name);
  KVARIUM_VALIDATE(index >= 0 && table.columns()[static_cast<std::size_t>(index)].schema().type == type, place,
                   ": no tuning (column '", name, "' of ", table.schema().path,
                   " is missing or damaged); `kvarium tune` makes one");
  return table.columns()[static_cast<std::size_t>(index)];
}

/// Integers and texts are all that the keys of a tuning hold.
FieldValue field_value(const std::string& place, const Table& points, const Field& field, std::size_t row) {
  if (field.type == FieldType::text) {
    return column_at(place, points, field.path, ColumnType::text).values<std::string>()[row];
  }
  return column_at(place, points, field.path, ColumnType::int64).values<std::int64_t>()[row];
}

/// Sets the keys of a point from its row.
void read_keys(const std::string& place, const Table& points, const std::vector<std::string>& keys, std::size_t row,
               BaseConfig& base) {
  const std::vector<FieldPointer> members = field_pointers(base);
  ErrorList errors;
  for (const std::string& key : keys) {
    const auto index = static_cast<std::size_t>(base_fields().find(key));
    const Field& field = base_fields().fields()[index];
    const FieldValue value = field_value(place, points, field, row);
    if (check_value(value, field, {place + ":/plan/points", 0, 0}, errors)) set_value(members[index], value);
  }
  errors.throw_if_any();
}

/// Median time by point.
std::map<std::int64_t, double> median_durations(const std::string& place, const ArchiveContent& archive) {
  const Table& summary = table_at(place, archive, "/timing/summary");
  const auto points = column_at(place, summary, "point", ColumnType::int64).values<std::int64_t>();
  const auto medians = column_at(place, summary, "median_duration", ColumnType::float64).values<double>();
  std::map<std::int64_t, double> durations;
  for (std::size_t row = 0; row < points.size(); ++row) durations[points[row]] = medians[row];
  return durations;
}

/// A shape, to tell points of one shape from those of another.
using ShapeKey = std::vector<FieldValue>;

struct PointRow {
  ShapeKey shape;
  BaseConfig base;
};

PointRow read_row(const std::string& place, const Table& points, std::size_t row) {
  PointRow read;
  read_keys(place, points, tuning_shape_keys(), row, read.base);
  read_keys(place, points, tuning_variant_keys(), row, read.base);
  const std::vector<FieldPointer> members = field_pointers(read.base);
  for (const std::string& key : tuning_shape_keys()) {
    read.shape.push_back(get_value(members[static_cast<std::size_t>(base_fields().find(key))]));
  }
  read.shape.emplace_back(read.base.variant.verification);
  return read;
}

std::vector<PointRow> read_rows(const std::string& place, const Table& points) {
  std::vector<PointRow> rows;
  for (std::size_t row = 0; row < points.num_rows(); ++row) rows.push_back(read_row(place, points, row));
  return rows;
}

}  // namespace

const std::vector<std::string>& tuning_shape_keys() {
  static const std::vector<std::string> keys{
      "cache.layout",       "cache.element_type",       "cache.head_size",      "cache.block_size",
      "cache.num_kv_heads", "batch.num_sequences",      "batch.context_length", "cache.query_heads_per_kv_head",
      "batch.query_type",   "batch.min_context_length", "batch.sliding_window"};
  return keys;
}

const std::vector<std::string>& tuning_variant_keys() {
  static const std::vector<std::string> keys{"variant.verification",   "variant.device_profile", "variant.family",
                                             "variant.partition_size", "variant.block_n",        "variant.stages",
                                             "variant.warps",          "variant.combine"};
  return keys;
}

std::vector<TunedVariant> tuning_rows(const std::filesystem::path& path, const ArchiveContent& archive) {
  const std::string place = path.string();
  const Table& points = table_at(place, archive, "/plan/points");
  const auto statuses = column_at(place, points, "status", ColumnType::int8).values<std::int8_t>();
  const std::map<std::int64_t, double> durations = median_durations(place, archive);
  const auto has_status = [&](std::size_t row, PointStatus status) {
    return statuses[row] == static_cast<std::int8_t>(status);
  };
  const std::vector<PointRow> rows = read_rows(place, points);
  std::set<ShapeKey> unfinished;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (has_status(row, PointStatus::unfinished)) unfinished.insert(rows[row].shape);
  }
  std::vector<TunedVariant> tuned;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const auto duration = durations.find(static_cast<std::int64_t>(row));
    if (!has_status(row, PointStatus::passed) || duration == durations.end()) continue;
    if (unfinished.contains(rows[row].shape)) continue;
    const BaseConfig& base = rows[row].base;
    tuned.push_back(
        {attention_shape(base), attended_tokens(base), base.variant, duration->second, path.filename().string()});
  }
  return tuned;
}

}  // namespace kvarium
