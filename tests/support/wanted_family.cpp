#include "tests/support/wanted_family.hpp"

#include <cstdlib>

namespace kvarium::test {

void keep_wanted_family(std::vector<std::string>& names) {
  const char* const value = std::getenv("KVARIUM_TEST_FAMILY");
  const std::string wanted = value == nullptr ? "" : value;
  if (wanted.empty()) return;
  std::erase_if(names, [&](const std::string& name) { return name != wanted; });
}

}  // namespace kvarium::test
