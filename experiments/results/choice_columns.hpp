#pragma once

#include <optional>
#include <vector>

#include "experiments/results/table.hpp"
#include "kernels/attention/variant_choice.hpp"

namespace kvarium {

/// Columns of /plan/points that say which variant ran at a point whose plan leaves variants open, and what chose it.
std::vector<ColumnSchema> choice_columns();

/// Their values; missing of a point that did not run.
std::vector<Value> choice_values(const std::optional<VariantChoice>& choice);

/// Inverse of choice_values. Precondition: the table has choice_columns().
std::optional<VariantChoice> archived_choice(const Table& points, std::size_t row);

/// In words, for printed tables: "register_mma, partition_size 0, block_n 32, ... (rule)".
std::string choice_text(const VariantChoice& choice);

}  // namespace kvarium
