#include "tests/support/checksum_cases.hpp"

#include <algorithm>

namespace kvarium::test {
namespace {

using Change = void (*)(ChecksumParameters&);

/// Other values of a setting.
struct SettingChange {
  std::string setting;
  Change change;
};

const std::vector<SettingChange> setting_changes{
    {"piece_width", [](ChecksumParameters& parameters) { parameters.piece_width = 4; }},
    {"piece_width", [](ChecksumParameters& parameters) { parameters.piece_width = 1; }},
    {"byte_order", [](ChecksumParameters& parameters) { parameters.byte_order = ByteOrder::memory; }},
    {"seed", [](ChecksumParameters& parameters) { parameters.seed = 0x123456789ABCDEF; }},
    {"sampled_buffers", [](ChecksumParameters& parameters) { parameters.sampled_buffers = 1; }},
    {"edge_width", [](ChecksumParameters& parameters) { parameters.edge_width = 24; }},
    {"canary_data", [](ChecksumParameters& parameters) { parameters.canary_data = CanaryData::partial; }},
    {"canary_data", [](ChecksumParameters& parameters) { parameters.canary_data = CanaryData::none; }}};

}  // namespace

ChecksumTraits ChecksumCase::traits() const { return checksum_families().at(family).traits(parameters); }

std::ostream& operator<<(std::ostream& stream, const ChecksumCase& item) {
  stream << item.family;
  for (const ChecksumSetting& setting : checksum_settings()) {
    const std::string value = setting.text(item.parameters);
    if (value != setting.text({})) stream << ' ' << setting.name << ' ' << value;
  }
  return stream;
}

std::vector<ChecksumCase> checksum_cases() {
  std::vector<ChecksumCase> cases;
  for (const std::string& family : checksum_families().names()) {
    cases.push_back({family, {}});
    const std::vector<std::string> taken = cases.back().traits().settings;
    for (const SettingChange& change : setting_changes) {
      if (std::ranges::find(taken, change.setting) == taken.end()) continue;
      cases.push_back({family, {}});
      change.change(cases.back().parameters);
    }
  }
  return cases;
}

}  // namespace kvarium::test
