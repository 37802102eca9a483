#include "experiments/run/points_table.hpp"

#include <utility>

#include "core/check.hpp"
#include "experiments/results/choice_columns.hpp"

namespace kvarium {

namespace {

ColumnType column_type(FieldType type) {
  switch (type) {
    case FieldType::boolean:
      return ColumnType::int8;
    case FieldType::integer:
      return ColumnType::int64;
    case FieldType::number:
      return ColumnType::float64;
    case FieldType::text:
      return ColumnType::text;
  }
  return ColumnType::text;
}

std::string unit_of(const Field& field) {
  const bool is_number = field.type == FieldType::integer || field.type == FieldType::number;
  return field.info.unit.empty() && is_number ? "1" : std::string(field.info.unit);
}

ColumnSchema swept_column(const Field& field) {
  ColumnSchema column{field.path, column_type(field.type), unit_of(field), std::string(field.info.description)};
  if (field.type == FieldType::boolean) column.flag_meanings = {"false", "true"};
  return column;
}

TableSchema points_schema(const Plan& plan) {
  TableSchema schema{"/plan/points", "point", "Points of the sweep: every combination of the swept values", {}};
  schema.columns.push_back({"point", ColumnType::int64, "1", "Index of the point in the plan"});
  schema.columns.push_back({"id", ColumnType::uint64, "1", "Identity of the point: hash of its resolved parameters"});
  for (const Field* field : plan.swept_fields()) schema.columns.push_back(swept_column(*field));
  schema.columns.push_back({"status", ColumnType::int8, "", "How the point ended", point_status_names()});
  schema.columns.push_back({"reason", ColumnType::text, "", "Why the point did not pass; empty when it did"});
  schema.columns.push_back({"trials", ColumnType::int64, "1", "Rows of /trials the point has"});
  if (plan.leaves_variants_open()) {
    for (ColumnSchema& column : choice_columns()) schema.columns.push_back(std::move(column));
  }
  return schema;
}

}  // namespace

Value to_value(const FieldValue& value) {
  return std::visit([](const auto& held) { return Value(held); }, value);
}

Table points_table(const Plan& plan, const std::vector<PointState>& states) {
  KVARIUM_EXPECT(std::cmp_equal(states.size(), plan.num_points()));
  Table table(points_schema(plan));
  table.reserve(states.size());
  const bool has_choices = plan.leaves_variants_open();
  for (std::int64_t point = 0; point < plan.num_points(); ++point) {
    const auto index = static_cast<std::size_t>(point);
    std::vector<Value> row{point, plan.point_ids()[index]};
    for (const FieldValue& value : plan.swept_values(point)) row.push_back(to_value(value));
    row.insert(row.end(), {states[index].status, states[index].reason, states[index].num_trials});
    if (has_choices) {
      for (Value& value : choice_values(states[index].choice)) row.push_back(std::move(value));
    }
    table.append_row(row);
  }
  return table;
}

}  // namespace kvarium
