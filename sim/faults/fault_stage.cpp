#include "sim/faults/fault_stage.hpp"

#include "core/enum_names.hpp"

namespace kvarium {

const std::vector<std::string>& fault_stage_names() {
  static const std::vector<std::string> names{"S0", "S1", "S2", "S3"};
  return names;
}

std::string to_string(FaultStage stage) { return fault_stage_names().at(static_cast<std::size_t>(stage)); }

FaultStage parse_fault_stage(std::string_view name) {
  return parse_enum<FaultStage>("fault stage", name, fault_stage_names());
}

}  // namespace kvarium
