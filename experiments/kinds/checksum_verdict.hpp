#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kvarium {

/// What a checksum said of a trial.
enum class ChecksumVerdict : std::uint8_t { clean, detected, missed, repaired, wrong_repair, unverified, false_alarm };

/// What a trial injects: a fault, or nothing to see what the measurement itself does.
enum class TrialControl : std::uint8_t { fault, dummy, noise };

/// Names in the order of the enumerators, as archives hold them.
const std::vector<std::string>& checksum_verdict_names();
const std::vector<std::string>& trial_control_names();

}  // namespace kvarium
