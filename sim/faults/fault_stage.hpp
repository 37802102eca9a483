#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kvarium {

/// When a fault strikes, relative to the checksums of a producer and its consumer.
enum class FaultStage : std::uint8_t {
  before_producer_sum,  ///< S0: wrong before anyone summed; no content checksum can see it
  after_producer_sum,   ///< S1: at the source, after its sum
  in_flight,            ///< S2: during the transfer or on landing
  after_consumer_check  ///< S3: only a later check can see it
};

/// "S0" to "S3", in the order of the enumerators.
const std::vector<std::string>& fault_stage_names();
/// "S0" to "S3".
std::string to_string(FaultStage stage);

/// Errors: InputError that lists the known names.
FaultStage parse_fault_stage(std::string_view name);

}  // namespace kvarium
