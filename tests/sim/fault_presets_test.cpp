#include "sim/faults/fault_presets.hpp"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <set>

#include "core/check.hpp"
#include "sim/faults/fault_model.hpp"

namespace kvarium {

TEST_CASE("every preset names a model, settings it takes, and where they come from", "[sim][faults]") {
  const auto name = GENERATE(from_range(fault_preset_names()));
  CAPTURE(name);
  const FaultPreset& preset = fault_preset(name);

  CHECK(fault_parameter_problems(preset.model, preset.parameters).empty());
  CHECK_FALSE(preset.description.empty());
  CHECK_FALSE(preset.source.empty());
  CHECK(fault_models().find(name) == nullptr);
}

TEST_CASE("presets have names of their own, and an unknown one is refused", "[sim][faults]") {
  const std::vector<std::string> names = fault_preset_names();

  CHECK(std::set<std::string>(names.begin(), names.end()).size() == names.size());
  CHECK_THROWS_AS(fault_preset("hbm9_pin"), InputError);
}

}  // namespace kvarium
