#include "experiments/kinds/checksum_check.hpp"

#include <algorithm>

#include "experiments/config/checksum_rules.hpp"
#include "kernels/checksums/cuda/splitmix.cuh"

namespace kvarium {

namespace {

/// A row's value as one number: itself, or a mix of its words.
std::uint64_t one_word(std::span<const std::uint64_t> words) {
  if (words.size() == 1) return words[0];
  std::uint64_t mixed = 0;
  for (std::uint64_t word : words) mixed = splitmix(mixed ^ word);
  return mixed;
}

}  // namespace

std::vector<ColumnSchema> checked_row_columns() {
  return {{"block_id", ColumnType::int64, "1", "Physical block of the row"},
          {"first_token", ColumnType::int64, "1", "Position in the request of the block's first token"},
          {"valid_tokens", ColumnType::int64, "1", "Tokens summed"},
          {"value", ColumnType::uint64, "1",
           "Checksum of the block row over all layers; a mix of its words where it has several"},
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
  const std::size_t num_rows = std::min(stored.block_ids.size(), static_cast<std::size_t>(checked_checksum_rows));
  const std::size_t words = num_rows == 0 ? 0 : expected.size() / num_rows;
  for (std::size_t row = 0; row < num_rows; ++row) {
    trials.append_row({stored.block_ids[row], stored.first_tokens[row], stored.valid_tokens[row],
                       one_word(std::span(values).subspan(row * words, words)),
                       one_word(std::span(expected).subspan(row * words, words))});
  }
  return std::equal(expected.begin(), expected.end(), values.begin());
}

}  // namespace kvarium
