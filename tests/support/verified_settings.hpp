#pragma once

#include "tests/support/decode_settings.hpp"

namespace kvarium::test {

/// CUDA families of this build that can verify.
std::vector<std::string> families_that_verify();

/// Those that a GPU test runs: all, or the one KVARIUM_TEST_FAMILY names. Skips the test, with the reason, on a machine
/// that can run none.
std::vector<std::string> verifying_families();

/// Verified variants of a family, on the profile of an H200 and so the same on every machine, that cover pair by pair:
/// layouts, types, sizes of heads, blocks and inner steps, fixed partitions and persistent schedules, stages, warps,
/// and short sequences or a batch of more blocks than a persistent schedule has ranges, and checksums.
std::vector<DecodeSetting> verified_cover(const std::string& family);

/// Small verified variants that cover layouts, types, fixed partitions and persistent schedules, and checksums pair by
/// pair, all with heads of 64 elements and blocks of 16 tokens.
std::vector<DecodeSetting> small_verified_cover(const std::string& family);

/// The settings as this machine's device runs them, without those it does not take.
std::vector<DecodeSetting> on_this_device(std::vector<DecodeSetting> settings);

/// The variant without verification.
AttentionVariant unverified(AttentionVariant variant);

}  // namespace kvarium::test
