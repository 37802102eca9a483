#include "sim/faults/block_permutation.hpp"
#include "sim/faults/fault_model.hpp"

namespace kvarium {
namespace {

/// The bytes of one block of one layer change places: a reader takes another order than the writer used. Uniform
/// over layers and attended blocks; the whole block is permuted, its unattended tail too.
/// Source: sgl-project/sglang#31060 and #31218 (keys then scales, moved as rows of both).
class IntraBlockPermutation final : public FaultModel {
 public:
  FaultTraits traits() const override {
    return {"the bytes of one block of one layer change places", "13", {"permutation"}};
  }

  void inject(Injection& injection) const override {
    const BlockPermutation permutation = parse_block_permutation(injection.choose(&FaultParameters::permutation));
    const StruckBlock block = injection.draw_block();
    const PagedCacheView& cache = injection.cache(block.layer);
    const std::vector<std::uint8_t> cells = read_block_cells(cache, block.span.physical_block);
    injection.replace(block, permute_block(cache.geometry, cells, permutation, injection.random()));
    injection.set_detail(to_string(permutation));
    injection.strike();
  }
};

}  // namespace

void register_intra_block_permutation(Registry<FaultModel>& registry) {
  registry.add("intra_block_permutation", std::make_unique<IntraBlockPermutation>());
}

}  // namespace kvarium
