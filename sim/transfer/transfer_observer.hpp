#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/transfer/transfer_shape.hpp"

namespace kvarium {

class TransferWorld;

/// Where on its way a request's cache is held against its record.
enum class CheckPoint : std::uint8_t {
  source,   ///< before it is sent, in the memory it is sent from
  landing,  ///< once it is said to have arrived, through the scheduler's block table
  step      ///< at each decode step, through the block table that attention reads
};

/// Names in the order of the enumerators.
const std::vector<std::string>& check_point_names();

/// Tokens [first, first + count) of a request.
struct TokenSpan {
  std::int64_t first = 0;
  std::int64_t count = 0;
};

/// What a transfer asks of kernels: sums, checks and attention, at their place in the order of operations.
class TransferObserver {
 public:
  virtual ~TransferObserver() = default;

  /// An engine's own kernels wrote tokens of a request: what stands beside their slots is written too. `first_position`
  /// is the position that the writer took the first token to have.
  virtual void wrote(TransferWorld& world, EngineRole engine, RequestRole request, TokenSpan tokens,
                     std::int64_t first_position) = 0;
  /// The producer sums a request's cache; the record travels with the request.
  virtual void record(const TransferWorld& world, RequestRole request) = 0;
  virtual void check(const TransferWorld& world, RequestRole request, CheckPoint point) = 0;
  /// A decode step attends the request.
  virtual void attend(const TransferWorld& world, RequestRole request) = 0;
};

}  // namespace kvarium
