#pragma once

#include <vector>

#include "sim/contents/synthetic_profile.hpp"

namespace kvarium {

/// Random contents that look like those of a language model: Gaussian, with outlier channels in keys, attention sinks
/// on a sequence's first tokens, and a scale per layer. A number is a function of (key, layer, sequence or shared
/// prefix, token, channel). Sinks assume that logits are scaled by 1 / sqrt(head_size). Safe to fill from many threads.
class SyntheticSource final : public KvContentSource {
 public:
  /// Errors: InputError for settings `validate` refuses.
  explicit SyntheticSource(const SyntheticSettings& settings);

  ContentShape shape() const override { return settings_.shape; }
  void fill_key(const TokenRange& range, float* key) const override;
  void fill_value(const TokenRange& range, float* value) const override;
  void fill_query(const TokenRange& range, float* query) const override;

  /// What the tokens of a layer have in common. Precondition: 0 <= layer < num_layers.
  const LayerProfile& profile(std::int64_t layer) const { return profiles_[static_cast<std::size_t>(layer)]; }

 private:
  SyntheticSettings settings_;
  std::vector<LayerProfile> profiles_;
};

}  // namespace kvarium
