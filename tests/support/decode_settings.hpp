#pragma once

#include <vector>

#include "kernels/attention/attention_family.hpp"
#include "tests/support/random_cache.hpp"

namespace kvarium::test {

/// A decode test's shape and the variant that runs it.
struct DecodeSetting {
  DecodeShape shape;
  AttentionVariant variant;
};

/// Sizes of the call over such a batch.
AttentionShape attention_shape(const DecodeShape& shape);

/// Whether geometry, partition size and family go together.
bool is_taken(const DecodeSetting& setting);

/// Compiles what the settings run on this machine's device, on all cores: one after the other, compilations take most
/// of a test's time. What does not compile is left to the test that runs it.
void compile_ahead(const std::vector<DecodeSetting>& settings);

}  // namespace kvarium::test
