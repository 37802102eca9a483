#pragma once

#include <optional>

#include "kernels/attention/attention_family.hpp"

namespace kvarium {

/// Bytes of registers that a thread of the variant's attention kernels spills to memory (stores and loads), for the
/// architecture of its device profile: 0 for host families, nothing where NVRTC is missing or does not know the
/// architecture. Compiles on first use; needs no GPU. Errors: InputError with the compiler's log.
/// Precondition: no refusal.
std::optional<int> spilled_bytes(const AttentionShape& shape, const AttentionVariant& variant);

}  // namespace kvarium
