#include "sim/transfer/transfer_defect.hpp"

#include "core/enum_names.hpp"

namespace kvarium {

const std::vector<std::string>& strike_moment_names() {
  static const std::vector<std::string> names{"before_check", "after_check"};
  return names;
}

StrikeMoment parse_strike_moment(std::string_view name) {
  return parse_enum<StrikeMoment>("moment", name, strike_moment_names());
}

void register_transfer_defects(Registry<TransferDefect>& registry);

const Registry<TransferDefect>& transfer_defects() {
  static const Registry<TransferDefect> registry = [] {
    Registry<TransferDefect> defects("transfer defect");
    register_transfer_defects(defects);
    return defects;
  }();
  return registry;
}

}  // namespace kvarium
