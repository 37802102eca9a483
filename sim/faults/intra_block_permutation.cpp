#include "sim/faults/block_permutation.hpp"
#include "sim/faults/fault_model.hpp"
#include "sim/faults/strike.hpp"

namespace kvarium {
namespace {

BlockPermutation draw_permutation(const std::string& name, CounterRandom& random) {
  if (name != "any") return parse_block_permutation(name);
  return static_cast<BlockPermutation>(random.below(block_permutation_names().size()));
}

/// The bytes of one block of one layer change places: a reader takes another order than the writer used. Uniform
/// over layers and attended blocks; the whole block is permuted, its unattended tail too.
/// Source: sgl-project/sglang#31060 and #31218 (keys then scales, moved as rows of both).
class IntraBlockPermutation final : public FaultModel {
 public:
  FaultTraits traits() const override {
    return {"the bytes of one block of one layer change places", "13", {"permutation"}};
  }

  FaultOutcome inject(const FaultTarget& target, const FaultParameters& parameters,
                      CounterRandom& random) const override {
    if (target.num_tokens() == 0) return nothing_attended();
    const BlockPermutation permutation = draw_permutation(parameters.permutation, random);
    const StruckBlock block = draw_block(target, random);
    const PagedCacheView& cache = target.layers()[static_cast<std::size_t>(block.layer)];
    const std::vector<std::uint8_t> cells = read_block_cells(cache, block.span.physical_block);
    FaultOutcome outcome = replace_block(target, block, permute_block(cache.geometry, cells, permutation, random));
    if (outcome.record) outcome.record->detail = to_string(permutation);
    return outcome;
  }
};

}  // namespace

void register_intra_block_permutation(Registry<FaultModel>& registry) {
  registry.add("intra_block_permutation", std::make_unique<IntraBlockPermutation>());
}

}  // namespace kvarium
