#include "experiments/config/known_names.hpp"

#include "core/cache_layout.hpp"
#include "core/element_type.hpp"
#include "experiments/kinds/experiment_kind.hpp"
#include "kernels/attention/attention_family.hpp"
#include "kernels/checksums/checksum_family.hpp"
#include "kernels/cuda/device_profile.hpp"
#include "sim/faults/fault_model.hpp"
#include "sim/faults/fault_presets.hpp"
#include "sim/faults/fault_stage.hpp"
#include "sim/transfer/transfer_defect.hpp"

namespace kvarium {
namespace {

std::vector<std::string> none_or(const std::vector<std::string>& names) {
  std::vector<std::string> choices{"none"};
  choices.insert(choices.end(), names.begin(), names.end());
  return choices;
}

}  // namespace

std::vector<std::string> known_layouts() { return cache_layout_names(); }
std::vector<std::string> known_element_types() { return element_type_names(); }
std::vector<std::string> known_query_types() { return {"float32", "float16", "bfloat16"}; }
std::vector<std::string> known_devices() { return {to_string(Device::cpu), to_string(Device::cuda)}; }
std::vector<std::string> known_device_profiles() { return device_profile_names(); }
std::vector<std::string> known_combines() { return combine_names(); }

std::vector<std::string> known_verifications() { return verification_names(); }
std::vector<std::string> known_variants() {
  std::vector<std::string> names{std::string(auto_family)};
  names.insert(names.end(), attention_families().names().begin(), attention_families().names().end());
  return names;
}
std::vector<std::string> known_checksums() { return none_or(checksum_families().names()); }
std::vector<std::string> known_faults() { return none_or(fault_models().names()); }
std::vector<std::string> known_fault_stages() { return fault_stage_names(); }
std::vector<std::string> known_fault_presets() { return none_or(fault_preset_names()); }
std::vector<std::string> known_kinds() { return experiment_kinds().names(); }
std::vector<std::string> known_defects() { return none_or(transfer_defects().names()); }
std::vector<std::string> known_transfer_paths() { return {"direct", "host_tier"}; }
std::vector<std::string> known_engine_layouts() {
  std::vector<std::string> names{"as_cache"};
  names.insert(names.end(), cache_layout_names().begin(), cache_layout_names().end());
  return names;
}

}  // namespace kvarium
