#include "experiments/config/checksum_rules.hpp"

#include <algorithm>

#include "kernels/checksums/checksum_family.hpp"

namespace kvarium {

ChecksumParameters checksum_parameters(const ChecksumConfig& checksum, const std::string& implementation) {
  ChecksumParameters parameters;
  parameters.piece_width = checksum.piece_width;
  parameters.implementation = implementation;
  parameters.byte_order = checksum.byte_order;
  parameters.zero_means_absent = checksum.zero_means_absent;
  parameters.seed = checksum.seed;
  parameters.sampled_buffers = checksum.sampled_buffers;
  parameters.edge_width = checksum.edge_width;
  parameters.canary_data = checksum.canary_data;
  return parameters;
}

std::vector<CombinationRule> checksum_rules() {
  std::vector<CombinationRule> rules;
  for (const ChecksumSetting& setting : checksum_settings()) {
    rules.push_back({{"checksum." + setting.name, "checksum.family"}, [&setting](const BaseConfig& base) {
                       return checksum_setting_problem(base.checksum.family, setting,
                                                       checksum_parameters(base.checksum));
                     }});
  }
  return rules;
}

}  // namespace kvarium
