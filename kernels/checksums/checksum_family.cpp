#include "kernels/checksums/checksum_family.hpp"

#include <algorithm>

namespace kvarium {

std::int64_t ChecksumFamily::words_per_row(const std::vector<CacheLayer>&, const ChecksumParameters&) const {
  return 1;
}

ChecksumJudgement ChecksumFamily::judge(const ChecksumRecord& recorded, std::span<const std::uint64_t> recomputed,
                                        const ChecksumParameters& parameters) const {
  const auto is_zero = [](std::uint64_t word) { return word == 0; };
  const bool is_absent =
      !recorded.is_present || (parameters.zero_means_absent && std::ranges::all_of(recorded.words, is_zero));
  if (is_absent) return ChecksumJudgement::unverified;
  return std::ranges::equal(recorded.words, recomputed) ? ChecksumJudgement::clean : ChecksumJudgement::mismatch;
}

bool ChecksumFamily::update(const std::vector<CacheLayer>&, const BlockRow&, std::span<const ChangedByte>,
                            const ChecksumParameters&, std::span<std::uint64_t>) const {
  return false;
}

std::optional<std::vector<PieceRepair>> ChecksumFamily::repair(const std::vector<CacheLayer>&, const BlockRow&,
                                                               std::span<const std::uint64_t>,
                                                               std::span<const std::uint64_t>,
                                                               const ChecksumParameters&) const {
  return {};
}

void register_checksum_families(Registry<ChecksumFamily>& registry);

const Registry<ChecksumFamily>& checksum_families() {
  static const Registry<ChecksumFamily> registry = [] {
    Registry<ChecksumFamily> families("checksum family");
    register_checksum_families(families);
    return families;
  }();
  return registry;
}

}  // namespace kvarium
