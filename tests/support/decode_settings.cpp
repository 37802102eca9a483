#include "tests/support/decode_settings.hpp"

#include <algorithm>

#include "core/check.hpp"
#include "kernels/cuda/compiler.hpp"
#include "kernels/cuda/context.hpp"
#include "tests/support/all_cores.hpp"
#include "tests/support/cuda_settings.hpp"

namespace kvarium::test {

AttentionShape attention_shape(const DecodeShape& shape) {
  AttentionShape call;
  call.num_sequences = static_cast<std::int64_t>(shape.seq_lens.size());
  call.num_heads = shape.query_heads_per_kv_head * shape.cache.num_kv_heads;
  call.max_seq_len = shape.seq_lens.empty() ? 0 : *std::max_element(shape.seq_lens.begin(), shape.seq_lens.end());
  call.max_num_blocks_per_sequence = num_partitions(call.max_seq_len, shape.cache.block_size);
  call.query_type = shape.query_type;
  call.cache = shape.cache;
  return call;
}

bool is_taken(const DecodeSetting& setting) {
  try {
    validate(setting.shape.cache);
  } catch (const InputError&) {
    return false;
  }
  const AttentionFamily& family = attention_families().at(setting.variant.family);
  return setting.variant.partition_size % setting.shape.cache.block_size == 0 &&
         (setting.variant.partition_size > 0 || family.traits().has_persistent_schedule) &&
         !family.refusal(attention_shape(setting.shape), setting.variant);
}

void compile_ahead(const std::vector<DecodeSetting>& settings) {
  const Architecture architecture = current_device().architecture;
  on_all_cores(settings.size(), [&](std::size_t index) {
    const DecodeSetting& setting = settings[index];
    const CudaAttentionFamily* const family = find_cuda_attention_family(setting.variant.family);
    if (family == nullptr) return;
    try {
      if (!is_taken(setting)) return;
      for (const KernelSource& source : sources_of({family, attention_shape(setting.shape), setting.variant})) {
        compile(source, architecture);
      }
    } catch (const std::exception&) {
      // Met again by the test, which says what it is.
    }
  });
}

}  // namespace kvarium::test
