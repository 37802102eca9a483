#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <fstream>
#include <iostream>
#include <mutex>

#include "core/check.hpp"
#include "kernels/cuda/compiler.hpp"
#include "kernels/cuda/nvrtc_library.hpp"
#include "tests/support/all_cores.hpp"
#include "tests/support/cuda_settings.hpp"

namespace kvarium::test {
namespace {

std::vector<std::string> built_families() {
  const std::vector<std::string> names = cuda_families();
  if (names.empty()) SKIP("this build has no CUDA families");
  return names;
}

const std::vector<std::string> architectures{"sm_80", "sm_90a", "sm_100"};

/// What compiling many settings gave.
struct CompileReport {
  std::mutex mutex;
  int compiled = 0;
  std::vector<std::string> spilling;
  std::vector<std::string> problems;

  void add_problem(const CudaSetting& setting, const std::string& architecture, const std::string& what) {
    const std::lock_guard lock(mutex);
    problems.push_back(concatenate(setting, " for ", architecture, ": ", what));
  }
};

void compile_setting(const CudaSetting& setting, const std::string& architecture, CompileReport& report) {
  std::size_t shared_bytes = setting.family->launch_shape(setting.shape, setting.variant).dynamic_shared_bytes;
  int spill_bytes = 0;
  for (const KernelSource& source : sources_of(setting)) {
    const auto compiled = compile(source, parse_architecture(architecture));
    if (compiled->log.find("warning") != std::string::npos) report.add_problem(setting, architecture, compiled->log);
    const ResourceUsage& usage = compiled->usage.at(source.kernels.front());
    spill_bytes += usage.spill_store_bytes + usage.spill_load_bytes;
    const bool is_reduction = source.kernels.front().starts_with("reduce_");
    if (!is_reduction) shared_bytes += static_cast<std::size_t>(usage.static_shared_bytes);
  }
  const std::size_t promised = setting.family->shared_memory_bytes(setting.shape, setting.variant);
  if (shared_bytes != promised) {
    report.add_problem(setting, architecture,
                       concatenate("takes ", shared_bytes, " bytes of shared memory, not ", promised));
  }
  const std::lock_guard lock(report.mutex);
  ++report.compiled;
  if (spill_bytes > 0) report.spilling.push_back(concatenate(setting, " for ", architecture));
}

/// Compiles every setting for every architecture it supports, on all cores.
void compile_all(const std::vector<CudaSetting>& settings, CompileReport& report) {
  on_all_cores(settings.size() * architectures.size(), [&](std::size_t index) {
    const CudaSetting& setting = settings[index / architectures.size()];
    const std::string& architecture = architectures[index % architectures.size()];
    if (!parse_architecture(architecture).is_at_least(setting.family->minimum_architecture(setting.variant))) return;
    try {
      compile_setting(setting, architecture, report);
    } catch (const std::exception& error) {
      report.add_problem(setting, architecture, error.what());
    }
  });
}

TEST_CASE("every CUDA family compiles over a pairwise cover of its axes for every architecture it supports",
          "[kernels][cuda][compile]") {
  if (find_nvrtc_library() == nullptr) SKIP("NVRTC is not on this machine");
  const std::string family = GENERATE(from_range(built_families()));
  const std::vector<CudaSetting> settings = pairwise_settings(family);
  CompileReport report;

  compile_all(settings, report);

  std::cout << family << ": " << settings.size() << " settings, " << report.compiled << " compiled, "
            << report.problems.size() << " wrong, " << report.spilling.size() << " spill registers\n";
  for (const std::string& spilling : report.spilling) std::cout << "  spills: " << spilling << '\n';
  for (const std::string& problem : report.problems) UNSCOPED_INFO(problem);
  CHECK(report.problems.empty());
  CHECK(report.compiled > 0);
}

/// One line for each family, way to combine and architecture.
std::string supported_pairs(int& supported, int& refused) {
  std::string text;
  for (const std::string& name : cuda_families()) {
    const CudaAttentionFamily& family = *find_cuda_attention_family(name);
    const std::vector<std::string> combines = family.axes().combines;
    for (const std::string& combine : combine_names()) {
      AttentionVariant variant;
      variant.combine = combine;
      const bool is_known = std::find(combines.begin(), combines.end(), combine) != combines.end();
      for (const std::string& architecture : architectures) {
        const bool is_supported =
            is_known && parse_architecture(architecture).is_at_least(family.minimum_architecture(variant));
        ++(is_supported ? supported : refused);
        text += concatenate(name, " ", combine, " ", architecture, is_supported ? " supported\n" : " refused\n");
      }
    }
  }
  return text;
}

TEST_CASE("the architectures each CUDA family supports are those of the committed list", "[kernels][cuda]") {
  static_cast<void>(built_families());
  std::ifstream file(std::string(KVARIUM_TEST_DATA) + "/cuda_architectures.txt");
  const std::string expected{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  int supported = 0, refused = 0;

  const std::string actual = supported_pairs(supported, refused);

  std::cout << supported << " pairs of family and architecture supported, " << refused << " refused\n";
  CHECK(supported > 0);
  CHECK(actual == expected);
}

TEST_CASE("a family refuses what its architecture lacks on the profile of an older device", "[kernels][cuda]") {
  const std::string name = GENERATE(from_range(built_families()));
  for (CudaSetting setting : pairwise_settings(name)) {
    setting.variant.device_profile = "a100";
    const bool is_too_old =
        !parse_architecture("sm_80").is_at_least(setting.family->minimum_architecture(setting.variant));
    INFO(setting);
    if (is_too_old) CHECK(setting.family->refusal(setting.shape, setting.variant));
  }
}

}  // namespace
}  // namespace kvarium::test
