#pragma once

#include <cstdint>
#include <vector>

namespace kvarium {

/// Which of `num_buffers` buffers a transfer's digest reads: `sampled`, evenly spaced from one that its number decides;
/// all of them for 0. Source: SGLang's relocation-invariant digest. Precondition: sampled <= num_buffers.
std::vector<std::int64_t> sampled_buffers(std::uint64_t transfer, std::int64_t num_buffers, std::int64_t sampled);

/// What two ends of a transfer hash alike before their digests can be compared; never 0.
struct DigestLayout {
  std::uint64_t version = 1;
  std::uint64_t num_buffers = 0;
  std::uint64_t row_bytes = 0;
  std::uint64_t sampled_buffers = 0;
  std::uint64_t tokens_per_tile = 32;

  std::uint64_t signature() const;
};

}  // namespace kvarium
