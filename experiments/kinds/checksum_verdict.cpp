#include "experiments/kinds/checksum_verdict.hpp"

namespace kvarium {

const std::vector<std::string>& checksum_verdict_names() {
  static const std::vector<std::string> names{"clean",        "detected",   "missed",     "repaired",
                                              "wrong_repair", "unverified", "false_alarm"};
  return names;
}

const std::vector<std::string>& trial_control_names() {
  static const std::vector<std::string> names{"fault", "dummy", "noise"};
  return names;
}

}  // namespace kvarium
