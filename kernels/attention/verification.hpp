#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kvarium {

/// What verified attention found, in the memory of its device. Calls add to it; whoever made it starts it anew.
struct VerificationResult {
  static constexpr std::uint64_t no_fault = ~std::uint64_t{0};

  std::uint64_t fault = no_fault;  ///< place of the smallest mismatching slice, see fault_place
  std::uint64_t verified = 0;      ///< slices (one logical block and KV head of a sequence) whose sum was compared
  std::uint64_t unverified = 0;    ///< slices read that no record covers as they stand, or read in part
};

/// Records that attention holds the cache against while it reads it, and where it says what it found. A slice is the K
/// and V of one logical block of a sequence and one KV head; its value is the variant's checksum of its covered cells
/// (see SliceSum) with positions in the request, so that a wrong or stale block is seen, not only a flipped bit.
struct Verification {
  const std::uint64_t* expected = nullptr;  ///< [num_sequences, max_num_blocks_per_sequence, num_kv_heads]
  /// [num_sequences, max_num_blocks_per_sequence] tokens summed from the block's start; 0: no record
  const std::int32_t* covered_tokens = nullptr;
  std::int64_t layer = 0;       ///< global number of the cache's layer
  std::int64_t first_head = 0;  ///< global number of the cache's first KV head
  VerificationResult* result = nullptr;
  std::uint64_t seed = 0;  ///< of mixed_sum's keys
};

/// Checksums that attention can verify, "none" first.
const std::vector<std::string>& verification_names();

/// Where a mismatch was found.
struct FaultPlace {
  std::int64_t sequence = 0;
  std::int64_t block = 0;  ///< logical
  std::int64_t kv_head = 0;

  bool operator==(const FaultPlace&) const = default;
};

/// Sequences and logical blocks that a fault word can name, beside all KV heads that have weights.
inline constexpr std::int64_t most_verified_sequences = (std::int64_t{1} << 24) - 1;
inline constexpr std::int64_t most_verified_blocks = std::int64_t{1} << 24;

/// Tokens of a sequence whose weights fit 32 bits, whatever the head size.
inline constexpr std::int64_t most_verified_tokens = std::int64_t{1} << 23;

/// The word that names a place; smaller for smaller (sequence, block, KV head).
std::uint64_t fault_word(const FaultPlace& place);

/// The place a fault word names, or nothing for no_fault.
std::optional<FaultPlace> fault_place(std::uint64_t word);

}  // namespace kvarium
