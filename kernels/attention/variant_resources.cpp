#include "kernels/attention/variant_resources.hpp"

#include "kernels/attention/cuda_attention_family.hpp"
#include "kernels/cuda/compiler.hpp"
#include "kernels/cuda/device_profile.hpp"
#include "kernels/cuda/nvrtc_library.hpp"

namespace kvarium {

std::optional<int> spilled_bytes(const AttentionShape& shape, const AttentionVariant& variant) {
  const CudaAttentionFamily* family = find_cuda_attention_family(variant.family);
  if (family == nullptr) return 0;
  const Architecture architecture = device_profile(variant.device_profile).architecture;
  const NvrtcLibrary* compiler = find_nvrtc_library();
  if (compiler == nullptr || !compiler->compiles_for(architecture.major, architecture.minor)) return std::nullopt;
  const KernelSource source = family->device_source(shape, variant);
  const auto compiled = compile(source, architecture);
  int spilled = 0;
  for (const std::string& kernel : source.kernels) {
    const ResourceUsage& usage = compiled->usage.at(kernel);
    spilled += usage.spill_store_bytes + usage.spill_load_bytes;
  }
  return spilled;
}

}  // namespace kvarium
