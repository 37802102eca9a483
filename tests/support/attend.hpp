#pragma once

#include <string>
#include <vector>

#include "kernels/attention/attention_family.hpp"

namespace kvarium::test {

/// Attention families under test: those of the host, or with KVARIUM_TEST_DEVICE=cuda in the environment those of the
/// GPU. Then the test is skipped, with the reason, on a machine that can run none. KVARIUM_TEST_FAMILY leaves one of
/// them.
std::vector<std::string> runnable_families();

/// Whether the family's arrays lie where the host can check them. Nothing waits for a device to do that.
bool reads_host_arrays(const std::string& family);

/// paged_attention_v2 over host arrays for any family. For a CUDA family every array is copied to device memory, at the
/// same address modulo 256; of the cache only the blocks that the sequences attend, between NaN. Results and partial
/// buffers are copied back.
void attend(const PagedAttentionArguments& arguments, const AttentionVariant& variant);

}  // namespace kvarium::test
