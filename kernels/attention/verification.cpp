#include "kernels/attention/verification.hpp"

#include "kernels/checksums/slice_checksum.hpp"

namespace kvarium {

const std::vector<std::string>& verification_names() { return slice_checksum_names(); }

std::uint64_t fault_word(const FaultPlace& place) {
  return static_cast<std::uint64_t>(place.sequence) << 40 | static_cast<std::uint64_t>(place.block) << 16 |
         static_cast<std::uint64_t>(place.kv_head);
}

std::optional<FaultPlace> fault_place(std::uint64_t word) {
  if (word == VerificationResult::no_fault) return std::nullopt;
  constexpr std::uint64_t low24 = (std::uint64_t{1} << 24) - 1;
  return FaultPlace{static_cast<std::int64_t>(word >> 40), static_cast<std::int64_t>(word >> 16 & low24),
                    static_cast<std::int64_t>(word & 0xFFFF)};
}

}  // namespace kvarium
