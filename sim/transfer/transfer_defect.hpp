#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/registry.hpp"
#include "sim/transfer/transfer_schedule.hpp"

namespace kvarium {

/// When a defect damages the cache, where it can do so at either time.
enum class StrikeMoment : std::uint8_t { before_check, after_check };

/// Names in the order of the enumerators.
const std::vector<std::string>& strike_moment_names();
StrikeMoment parse_strike_moment(std::string_view name);

/// What a defect is, for tables and configuration readers.
struct DefectTraits {
  std::string description;
  std::string fault_class;  ///< number in the list of fault classes, such as "5"
  /// Whether it may also strike after the check on landing.
  bool can_strike_after_check = false;
};

/// A way in which engines and connectors get a request's life cycle wrong.
class TransferDefect {
 public:
  virtual ~TransferDefect() = default;
  virtual DefectTraits traits() const = 0;

  /// "what is wrong; what to do" for a transfer in which the defect cannot happen, or "".
  virtual std::string problem(const TransferShape&) const { return {}; }

  /// Changes the world's beliefs and the order of operations. Precondition: no problem.
  virtual void change(TransferWorld& world, TransferSchedule& schedule, StrikeMoment moment) const = 0;
};

/// Every defect of this build, in list order.
const Registry<TransferDefect>& transfer_defects();

}  // namespace kvarium
