#include "experiments/results/choice_columns.hpp"

#include "core/text.hpp"

namespace kvarium {
namespace {

ColumnSchema integer_column(const char* name, const char* unit, const char* description) {
  ColumnSchema column{name, ColumnType::int64, unit, description};
  column.may_be_missing = true;
  return column;
}

/// Values that the flag `chosen.extrapolated` may take; the last one of a point that did not run.
const std::vector<std::string> extrapolations{"no", "yes", "not_run"};

}  // namespace

std::vector<ColumnSchema> choice_columns() {
  std::vector<ColumnSchema> columns{
      {"chosen.family", ColumnType::text, "", "Attention family that ran"},
      integer_column("chosen.partition_size", "tokens", "Its partition_size; 0: a persistent schedule"),
      integer_column("chosen.block_n", "tokens", "Its block_n"),
      integer_column("chosen.stages", "1", "Its stages"),
      integer_column("chosen.warps", "1", "Its warps"),
      {"chosen.combine", ColumnType::text, "", "Its combine"},
      {"chosen.device_profile", ColumnType::text, "", "Its device_profile"},
      {"chosen.verification", ColumnType::text, "", "Its verification"},
      {"chosen.source", ColumnType::text, "",
       "What chose it: given (the experiment itself), rule, or the name of a tuning archive"},
      {"chosen.extrapolated", ColumnType::int8, "", "Whether that archive measured another shape", extrapolations}};
  // The device decides, and tunings that were stored between two runs.
  for (ColumnSchema& column : columns) column.deterministic = false;
  return columns;
}

std::vector<Value> choice_values(const std::optional<VariantChoice>& choice) {
  if (!choice) return {"", Value(), Value(), Value(), Value(), "", "", "", "", "not_run"};
  const AttentionVariant& variant = choice->variant;
  return {variant.family,         variant.partition_size,
          variant.block_n,        variant.stages,
          variant.warps,          variant.combine,
          variant.device_profile, variant.verification,
          choice->source,         choice->is_extrapolated ? "yes" : "no"};
}

std::optional<VariantChoice> archived_choice(const Table& points, std::size_t row) {
  const auto text = [&](const char* name) { return points.column(name).values<std::string>()[row]; };
  const auto integer = [&](const char* name) {
    return static_cast<int>(points.column(name).values<std::int64_t>()[row]);
  };
  if (text("chosen.family").empty()) return std::nullopt;
  VariantChoice choice;
  choice.variant = {text("chosen.family"),         integer("chosen.partition_size"), integer("chosen.block_n"),
                    text("chosen.device_profile"), integer("chosen.stages"),         integer("chosen.warps"),
                    text("chosen.combine"),        text("chosen.verification")};
  choice.source = text("chosen.source");
  choice.is_extrapolated = points.column("chosen.extrapolated").text(row) == "yes";
  return choice;
}

std::string choice_text(const VariantChoice& choice) {
  const AttentionVariant& variant = choice.variant;
  return concatenate(variant.family, " partition_size ", variant.partition_size, " block_n ", variant.block_n,
                     " stages ", variant.stages, " warps ", variant.warps, " combine ", variant.combine, " (",
                     choice.source, choice.is_extrapolated ? ", another shape" : "", ")");
}

}  // namespace kvarium
