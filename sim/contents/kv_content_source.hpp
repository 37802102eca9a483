#pragma once

#include <cstdint>

namespace kvarium {

/// What a source of KV contents has to offer.
struct ContentShape {
  std::int64_t num_layers = 1;
  int num_kv_heads = 1;
  int num_heads = 1;
  int head_size = 128;

  bool operator==(const ContentShape&) const = default;
};

/// Errors: InputError unless all counts are positive and num_heads is a multiple of num_kv_heads.
void validate(const ContentShape& shape);

/// Consecutive tokens of one sequence in one layer.
struct TokenRange {
  std::int64_t layer = 0;
  std::int64_t sequence = 0;
  std::int64_t first_token = 0;
  std::int64_t num_tokens = 1;
};

/// Where keys, values and queries come from. What is filled depends on layer, sequence and token only, never on the
/// order of calls or the thread; any sequence and token from 0 on has contents. Precondition of all fills: 0 <= layer <
/// num_layers and no negative number.
class KvContentSource {
 public:
  virtual ~KvContentSource() = default;

  /// Layers, heads and head size of what it gives.
  virtual ContentShape shape() const = 0;
  std::int64_t num_layers() const { return shape().num_layers; }

  /// key [num_tokens, num_kv_heads, head_size] float32 of the range, as it is cached (after any rotary embedding).
  virtual void fill_key(const TokenRange& range, float* key) const = 0;
  /// value [num_tokens, num_kv_heads, head_size] float32 of the range.
  virtual void fill_value(const TokenRange& range, float* value) const = 0;
  /// query [num_tokens, num_heads, head_size] float32 of the range: what its tokens ask of all tokens up to themselves.
  virtual void fill_query(const TokenRange& range, float* query) const = 0;
};

}  // namespace kvarium
