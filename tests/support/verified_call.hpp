#pragma once

#include "kernels/cache/slice_records.hpp"
#include "tests/support/decode_run.hpp"
#include "tests/support/staged_attention.hpp"

namespace kvarium::test {

/// Records of a batch in host memory.
struct HostRecords {
  std::vector<std::uint64_t> expected;
  std::vector<std::int32_t> covered_tokens;
  std::int64_t layer = 3;
  std::int64_t first_head = 5;
  SliceSum sum;

  SliceRecords view(const DecodeCase& item);
};

/// Records of the case as it stands.
HostRecords record(const DecodeCase& item, SliceChecksum checksum = SliceChecksum::weighted_sum);

/// Decode attention on the device over one case, verified against records of the cache as the case holds it. Cache,
/// block table and records may be damaged between two runs.
class VerifiedCall {
 public:
  VerifiedCall(const DecodeCase& item, const AttentionVariant& variant, const DecodeOptions& options = {});

  /// Attends once; what it found, counted from zero.
  VerificationResult run();

  /// Output and LSE of the last run.
  const DecodeResult& result() const { return result_; }

  /// Flips one bit of an element of K or V, at a token of a sequence.
  void flip(bool is_key, std::int64_t sequence, std::int64_t token, int head, int element, int bit);
  void set_block(std::int64_t sequence, std::int64_t block, std::int32_t id);
  void set_covered(std::int64_t sequence, std::int64_t block, std::int32_t tokens);

 private:
  const DecodeCase& item_;
  HostRecords records_;
  DecodeResult result_;
  StagedAttention staged_;
  DeviceArrays arrays_;
  DeviceBuffer<VerificationResult> found_;
};

}  // namespace kvarium::test
