#pragma once

#include "sim/contents/kv_content_source.hpp"
#include "sim/contents/model_dump.hpp"

namespace kvarium {

/// Contents a real model produced. Tokens repeat cyclically where a context is longer than the dump, and private
/// tokens of sequence s begin at dump token s * step mod num_tokens, step near 0.618 * num_tokens and without common
/// factor, so that the first num_tokens sequences all differ. The shared prefix, and sequence 0, begin at dump token 0.
/// A limit to keep in mind: rotary positions jump where the dump wraps, and only what begins at token 0
/// begins with the model's own attention sink.
class DumpSource final : public KvContentSource {
 public:
  /// shared_prefix_length: tokens all sequences begin with. Errors: InputError for a dump `validate` refuses
  /// or a negative prefix.
  DumpSource(ModelDump dump, std::int64_t shared_prefix_length);

  ContentShape shape() const override;
  void fill_key(const TokenRange& range, float* key) const override;
  void fill_value(const TokenRange& range, float* value) const override;
  void fill_query(const TokenRange& range, float* query) const override;

  /// Dump token behind a token of a sequence.
  std::int64_t dump_token(std::int64_t sequence, std::int64_t token) const;
  const ModelDump& dump() const { return dump_; }

 private:
  void fill(const TokenRange& range, const std::vector<float>& rows, int heads, float* out) const;

  ModelDump dump_;
  std::int64_t shared_prefix_length_ = 0;
  std::int64_t step_ = 1;
};

}  // namespace kvarium
