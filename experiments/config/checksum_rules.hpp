#pragma once

#include <string>
#include <vector>

#include "experiments/config/combination_rules.hpp"

namespace kvarium {

/// The checksum's settings as its family takes them.
ChecksumParameters checksum_parameters(const ChecksumConfig& checksum, const std::string& implementation = "host");

/// A rule for each setting: a family that does not take it must find it at its default.
std::vector<CombinationRule> checksum_rules();

}  // namespace kvarium
