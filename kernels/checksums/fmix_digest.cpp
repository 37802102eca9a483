#include "kernels/checksums/fmix_digest.hpp"

#include "kernels/checksums/cuda/splitmix.cuh"

namespace kvarium {

std::vector<std::int64_t> sampled_buffers(std::uint64_t transfer, std::int64_t num_buffers, std::int64_t sampled) {
  const std::int64_t count = sampled == 0 ? num_buffers : sampled;
  const auto start = static_cast<std::int64_t>(splitmix(transfer) % static_cast<std::uint64_t>(num_buffers));
  std::vector<std::int64_t> buffers;
  for (std::int64_t i = 0; i < count; ++i) buffers.push_back((start + i * num_buffers / count) % num_buffers);
  return buffers;
}

std::uint64_t DigestLayout::signature() const {
  std::uint64_t signature = 0;
  for (std::uint64_t field : {version, num_buffers, row_bytes, sampled_buffers, tokens_per_tile}) {
    signature = splitmix(signature ^ splitmix(field));
  }
  return signature | 1;
}

}  // namespace kvarium
