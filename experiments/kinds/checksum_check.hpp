#pragma once

#include <vector>

#include "experiments/kinds/decode_scenario.hpp"
#include "experiments/results/point_tables.hpp"

namespace kvarium {

/// Rows that are compared with the sequential reference: it sums piece by piece, and takes these well under a second
/// a layer.
inline constexpr std::int64_t checked_checksum_rows = 64;

/// /trials of kinds that check the checksums of block rows.
std::vector<ColumnSchema> checked_row_columns();

/// Values [num_rows, words of a value] of the first `num_rows` stored blocks by an implementation on the host.
std::vector<std::uint64_t> host_checksums(const DecodeScenario& scenario, const ChecksumConfig& checksum,
                                          const std::string& implementation, std::int64_t num_rows);

/// Appends the first checked_checksum_rows of `values`, one value a stored block from the first on, beside those of the
/// sequential reference. Whether they agree.
bool append_checked_rows(const DecodeScenario& scenario, const ChecksumConfig& checksum,
                         const std::vector<std::uint64_t>& values, Table& trials);

}  // namespace kvarium
