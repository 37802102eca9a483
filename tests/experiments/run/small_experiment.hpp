#pragma once

#include <filesystem>
#include <string>

#include "experiments/plan/plan.hpp"
#include "experiments/results/table.hpp"
#include "tests/experiments/commands/captured_output.hpp"

namespace kvarium::test {

/// Six points of kind fault_impact, two of them impossible (split_x holds float8 heads of multiples of 16), a few
/// trials each.
inline const std::string small_experiment =
    "schema: 1\nname: small\nkind: fault_impact\nseed: 7\nreplicates: 4\n"
    "base:\n"
    "  cache: {layout: split_x, head_size: 24, num_kv_heads: 1, query_heads_per_kv_head: 2}\n"
    "  batch: {num_sequences: 2, context_length: 40}\n"
    "  checksum: {family: weighted_sum}\n"
    "sweep:\n"
    "  grid:\n"
    "    fault.model: [single_bit_flip, stale_block]\n"
    "    cache.element_type: [float16, float8_e4m3, bfloat16]\n";

/// The plan of the small experiment.
Plan small_plan();

/// Writes the small experiment beside `output` and runs it there, with further arguments.
CommandResult run_small(const std::filesystem::path& output, const std::vector<std::string>& arguments = {});

/// Tables of an archive whose columns are all deterministic.
std::vector<Table> deterministic_tables(const std::filesystem::path& archive);

/// Takes the last `count` points out of an archive, as a run that was stopped before them leaves it.
void forget_last_points(const std::filesystem::path& archive, int count);

}  // namespace kvarium::test
