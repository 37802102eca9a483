#pragma once

#include <cstdint>
#include <vector>

#include "core/random.hpp"
#include "sim/contents/kv_content_source.hpp"

namespace kvarium {

/// How synthetic contents resemble those of language models.
struct SyntheticSettings {
  ContentShape shape;
  RandomKey key;
  std::int64_t shared_prefix_length = 0;  ///< tokens, equal in all sequences
  /// Keys have a few fixed channels of large magnitude per head, values have none (KIVI, Liu et al. 2024,
  /// arXiv:2402.02750, section 3; KVQuant, Hooper et al. 2024, arXiv:2401.18079, section 3).
  double outlier_share = 1.0 / 32.0;  ///< of head_size, at least one channel if positive
  double outlier_magnitude = 8.0;     ///< in standard deviations of the other channels
  /// First tokens draw most of the attention (StreamingLLM, Xiao et al. 2023, arXiv:2309.17453) though their keys and
  /// values are small (Gu et al. 2024, "When attention sink emerges in language models", arXiv:2410.10781).
  int num_sinks = 4;
  double sink_logit = 9.5;     ///< of the first token; each later sink has one less
  double sink_key_norm = 0.5;  ///< of the first sink, in norms of an ordinary key without outliers
  double sink_value_scale = 0.05;
  /// Layers differ in scale by up to this factor either way.
  double layer_scale_range = 2.0;
};

/// Errors: InputError for a shape `validate` refuses or settings out of range.
void validate(const SyntheticSettings& settings);

/// What all tokens of one KV head of one layer have in common.
struct HeadProfile {
  std::vector<float> key_offset;      ///< [head_size] 0 but in outlier channels
  std::vector<float> sink_direction;  ///< [head_size] unit vector, 0 in outlier channels

  bool is_outlier(std::size_t channel) const { return key_offset[channel] != 0.0F; }
};

/// What all tokens of one layer have in common.
struct LayerProfile {
  float scale = 1.0F;              ///< of keys and values; queries are divided by it, so that logits stay alike
  std::vector<HeadProfile> heads;  ///< [num_kv_heads]
};

/// Draws a layer's profile: a function of (key, layer).
LayerProfile draw_profile(const SyntheticSettings& settings, std::int64_t layer);

}  // namespace kvarium
