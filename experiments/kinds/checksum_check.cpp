#include "experiments/kinds/checksum_check.hpp"

#include <algorithm>

#include "experiments/config/checksum_rules.hpp"

namespace kvarium {

std::vector<ColumnSchema> checked_row_columns() {
  return {{"block_id", ColumnType::int64, "1", "Physical block of the row"},
          {"first_token", ColumnType::int64, "1", "Position in the request of the block's first token"},
          {"valid_tokens", ColumnType::int64, "1", "Tokens summed"},
          {"value", ColumnType::uint64, "1", "Checksum of the block row over all layers"},
          {"reference", ColumnType::uint64, "1", "The same by the sequential reference"}};
}

std::vector<std::uint64_t> host_checksums(const DecodeScenario& scenario, const ChecksumConfig& checksum,
                                          const std::string& implementation, std::int64_t num_rows) {
  const StoredBlocks stored = scenario.stored_blocks();
  ChecksumRows rows = stored.rows();
  rows.num_rows = std::min(rows.num_rows, num_rows);
  const ChecksumFamily& family = checksum_families().at(checksum.family);
  return family.compute(scenario.checksum_layers(), rows, checksum_parameters(checksum, implementation));
}

bool append_checked_rows(const DecodeScenario& scenario, const ChecksumConfig& checksum,
                         const std::vector<std::uint64_t>& values, Table& trials) {
  const StoredBlocks stored = scenario.stored_blocks();
  const auto expected = host_checksums(scenario, checksum, "host_reference", checked_checksum_rows);
  for (std::size_t row = 0; row < expected.size(); ++row) {
    trials.append_row(
        {stored.block_ids[row], stored.first_tokens[row], stored.valid_tokens[row], values[row], expected[row]});
  }
  return std::equal(expected.begin(), expected.end(), values.begin());
}

}  // namespace kvarium
