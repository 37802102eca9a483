#pragma once

#include <ostream>
#include <vector>

#include "kernels/attention/cuda_attention_family.hpp"

namespace kvarium::test {

/// A CUDA family at one setting of shape and variant.
struct CudaSetting {
  const CudaAttentionFamily* family = nullptr;
  AttentionShape shape;
  AttentionVariant variant;
};

std::ostream& operator<<(std::ostream& stream, const CudaSetting& setting);

/// Names of the CUDA families of this build.
std::vector<std::string> cuda_families();

/// Settings of a family that cover its axes pair by pair; those it refuses are left out.
std::vector<CudaSetting> pairwise_settings(const std::string& family);

/// Every source a setting is compiled from: phase 1, and phase 2 unless partitions are combined by ticket.
std::vector<KernelSource> sources_of(const CudaSetting& setting);

}  // namespace kvarium::test
