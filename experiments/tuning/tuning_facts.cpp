#include "experiments/tuning/tuning_facts.hpp"

#include <algorithm>
#include <string_view>

#include "experiments/archive/build_facts.hpp"
#include "experiments/archive/gpu_facts.hpp"
#include "experiments/archive/host_facts.hpp"
#include "experiments/archive/library_facts.hpp"

namespace kvarium {
namespace {

void append_named(RunProvenance& wanted, const RunProvenance& facts, const std::vector<std::string_view>& names) {
  for (const auto& fact : facts) {
    if (std::find(names.begin(), names.end(), fact.first) != names.end()) wanted.push_back(fact);
  }
}

bool has_facts(const RunProvenance& run, const RunProvenance& wanted) {
  return std::all_of(wanted.begin(), wanted.end(),
                     [&](const auto& fact) { return std::find(run.begin(), run.end(), fact) != run.end(); });
}

}  // namespace

RunProvenance tuning_facts(Device device) {
  RunProvenance facts;
  if (device == Device::cuda) {
    append_named(facts, gpu_facts(), {"gpu", "gpu_architecture", "gpu_compiler", "device_sources"});
    if (facts.empty()) return facts;
  } else {
    append_named(facts, host_facts(), {"cpu_model"});
    append_named(facts, library_facts(), {"threads"});
  }
  append_named(facts, build_facts(), {"kvarium_version"});
  facts.emplace_back("device", to_string(device));
  return facts;
}

bool is_tuned_here(const std::vector<RunProvenance>& runs, Device device) {
  const RunProvenance facts = tuning_facts(device);
  return !facts.empty() && !runs.empty() &&
         std::all_of(runs.begin(), runs.end(), [&](const RunProvenance& run) { return has_facts(run, facts); });
}

}  // namespace kvarium
