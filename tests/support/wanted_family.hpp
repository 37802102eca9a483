#pragma once

#include <string>
#include <vector>

namespace kvarium::test {

/// Leaves of `names` the family of attention or checksums that KVARIUM_TEST_FAMILY names; all where it is empty or
/// unset. For runs over one family at a time: compiling all of them takes minutes.
void keep_wanted_family(std::vector<std::string>& names);

}  // namespace kvarium::test
