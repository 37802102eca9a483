#pragma once

#include <cstdint>
#include <vector>

#include "core/random.hpp"
#include "sim/batch.hpp"
#include "sim/contents/kv_content_source.hpp"
#include "sim/faults/earlier_content.hpp"

namespace kvarium {

/// How the requests before a batch looked.
struct EarlierRequestsSettings {
  RandomKey key;
  std::int64_t shared_prefix_length = 0;  ///< of the source; earlier requests repeat none of it
};

/// Requests that held a batch's blocks before: as many sequences with as many blocks, numbered after the batch's own,
/// their blocks in another random physical order, every token of every block filled. Sequence s of
/// the earlier ones is sequence batch.size() + s of the source, from token shared_prefix_length on.
class EarlierRequests final : public EarlierContent {
 public:
  /// `source` must outlive this.
  EarlierRequests(const Batch& batch, const KvContentSource& source, const EarlierRequestsSettings& settings);

  bool fill(const LayerBlock& place, float* key, float* value) const override;

 private:
  /// What a physical block held: tokens of a sequence of the source; num_tokens 0: nothing.
  struct HeldTokens {
    std::int64_t sequence = 0;
    std::int64_t first_token = 0;
    std::int64_t num_tokens = 0;
  };

  const KvContentSource& source_;
  std::vector<HeldTokens> held_;  ///< [num_blocks], by physical block
};

}  // namespace kvarium
