#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kvarium {

/// Keys, values and queries that a real language model produced for one text. Source: spec of model dumps.
struct ModelDump {
  std::string model{};
  std::string element_type{};  ///< what the model computed in; the arrays here are float32 whatever it is
  double scale = 0;            ///< of the logits: softmax(scale * query . key)
  int num_layers = 0;
  std::int64_t num_tokens = 0;
  int num_kv_heads = 0;
  int num_heads = 0;
  int head_size = 0;
  std::vector<float> key{};               ///< [num_layers, num_tokens, num_kv_heads, head_size], after RoPE
  std::vector<float> value{};             ///< [num_layers, num_tokens, num_kv_heads, head_size]
  std::vector<float> query{};             ///< [num_layers, num_tokens, num_heads, head_size], after RoPE
  std::vector<std::int64_t> token_ids{};  ///< [num_tokens]
  std::int64_t num_not_finite = 0;               ///< NaN and infinities among key, value, query
};

/// Errors: InputError unless all counts are positive, num_heads is a multiple of num_kv_heads, and the arrays have the
/// sizes of their shapes (token_ids may be empty).
void validate(const ModelDump& dump);

}  // namespace kvarium
