#include "kernels/checksums/checksum_parameters.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "kernels/checksums/checksum_family.hpp"

namespace kvarium {

const std::vector<std::string>& byte_order_names() {
  static const std::vector<std::string> names{"cell", "memory"};
  return names;
}

const std::vector<std::string>& canary_data_names() {
  static const std::vector<std::string> names{"none", "partial", "all"};
  return names;
}

std::string to_string(ByteOrder order) { return byte_order_names().at(static_cast<std::size_t>(order)); }
std::string to_string(CanaryData data) { return canary_data_names().at(static_cast<std::size_t>(data)); }

const std::vector<ChecksumSetting>& checksum_settings() {
  using Parameters = ChecksumParameters;
  static const std::vector<ChecksumSetting> settings{
      {"piece_width", [](const Parameters& parameters) { return std::to_string(parameters.piece_width); }},
      {"byte_order", [](const Parameters& parameters) { return to_string(parameters.byte_order); }},
      {"zero_means_absent",
       [](const Parameters& parameters) { return std::string(parameters.zero_means_absent ? "true" : "false"); }},
      {"seed", [](const Parameters& parameters) { return std::to_string(parameters.seed); }},
      {"sampled_buffers", [](const Parameters& parameters) { return std::to_string(parameters.sampled_buffers); }},
      {"edge_width", [](const Parameters& parameters) { return std::to_string(parameters.edge_width); }},
      {"canary_data", [](const Parameters& parameters) { return to_string(parameters.canary_data); }}};
  return settings;
}

std::optional<std::string> checksum_setting_problem(const std::string& family, const ChecksumSetting& setting,
                                                    const ChecksumParameters& parameters) {
  std::vector<std::string> taken;
  if (family != "none") taken = checksum_families().at(family).traits().settings;
  const std::string value = setting.text(parameters);
  const bool is_taken = std::find(taken.begin(), taken.end(), setting.name) != taken.end();
  if (is_taken || value == setting.text({})) return {};
  const std::string allowed = taken.empty() ? "no settings" : "only " + join(taken);
  return concatenate("checksum '", family, "' takes no '", setting.name, "' (", value, "); it takes ", allowed);
}

}  // namespace kvarium
