#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/faults/fault_record.hpp"
#include "tests/sim/faulty_batch.hpp"

namespace kvarium::test {

/// Everything a fault may change, copied.
struct FaultState {
  explicit FaultState(FaultyBatch& batch);

  std::vector<std::byte> bytes;
  std::vector<std::int64_t> table;
  std::vector<double> readings;

  bool operator==(const FaultState&) const = default;
};

/// Values before and after, by where they stand.
using Differences = std::map<std::string, std::pair<double, double>>;

/// What differs between two states.
Differences differences(const FaultState& before, const FaultState& after);

/// What a record says has changed, in the same form.
Differences recorded(const FaultRecord& record, FaultyBatch& batch);

/// Site and values in one line.
std::string site_text(const FaultRecord& record);

/// Cells of every block of every layer.
std::vector<std::vector<std::uint8_t>> all_blocks(const FaultyBatch& batch);

}  // namespace kvarium::test
