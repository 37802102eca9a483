#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "kernels/checksums/checksum_family.hpp"

namespace kvarium::test {

/// A checksum family at some settings.
struct ChecksumCase {
  std::string family;
  ChecksumParameters parameters;

  ChecksumTraits traits() const;
};

std::ostream& operator<<(std::ostream& stream, const ChecksumCase& item);

/// Every family at its defaults and, one at a time, at other values of the settings that it takes.
std::vector<ChecksumCase> checksum_cases();

}  // namespace kvarium::test
