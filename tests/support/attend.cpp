#include "tests/support/attend.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>

#include "core/check.hpp"
#include "kernels/cuda/driver_library.hpp"
#include "tests/support/staged_attention.hpp"
#include "tests/support/wanted_family.hpp"

namespace kvarium::test {
namespace {

bool tests_cuda() {
  const char* device = std::getenv("KVARIUM_TEST_DEVICE");
  return device != nullptr && std::string(device) == "cuda";
}

}  // namespace

std::vector<std::string> runnable_families() {
  const Device wanted = tests_cuda() ? Device::cuda : Device::cpu;
  if (wanted == Device::cuda && !missing_device_reason().empty()) SKIP("no GPU: " << missing_device_reason());
  std::vector<std::string> names;
  for (const std::string& name : attention_families().names()) {
    if (attention_families().at(name).traits().device == wanted) names.push_back(name);
  }
  keep_wanted_family(names);
  if (names.empty()) SKIP("this build has no families for " << to_string(wanted));
  return names;
}

bool reads_host_arrays(const std::string& family) {
  return attention_families().at(family).traits().device == Device::cpu;
}

void attend(const PagedAttentionArguments& arguments, const AttentionVariant& variant) {
  const AttentionFamily& family = attention_families().at(variant.family);
  if (reads_host_arrays(variant.family)) return paged_attention_v2(arguments, variant);
  validate_shapes(arguments, variant.partition_size);
  if (const auto reason = family.refusal(arguments.shape, variant)) throw InputError(*reason);
  StagedAttention staged(arguments, variant);
  staged.run();
  staged.fetch();
}

}  // namespace kvarium::test
