#include "sim/faults/block_slices.hpp"
#include "sim/faults/fault_model.hpp"

namespace kvarium {
namespace {

/// Heads of a block reach the wrong tensor-parallel rank, in every layer: two ranks receive each other's heads, or all
/// heads come one place off. Source: vllm#37703 and #37940 (slices of other ranks), #46204.
class RankMisShard final : public FaultModel {
 public:
  FaultTraits traits() const override {
    return {"two ranks receive each other's heads of a block, or all heads come one off", "15", {"shard", "ranks"}};
  }

  void inject(Injection& injection) const override {
    const FaultTarget& target = injection.target();
    const std::int64_t heads = target.geometry().num_kv_heads;
    const std::int64_t ranks = injection.parameters().ranks;
    if (heads % ranks != 0) return injection.refuse("the KV heads do not divide into the ranks");
    const std::string& shard = injection.choose(&FaultParameters::shard);
    const NumberPair pair = draw_pair(injection, ranks);
    const StruckBlock drawn = injection.draw_block();
    const std::int64_t heads_of_rank = heads / ranks;
    const auto source_head = [&](std::int64_t head) {
      if (shard == "off_by_one_head") return (head + 1) % heads;
      return pair.exchanged(head / heads_of_rank) * heads_of_rank + head % heads_of_rank;
    };
    for (std::int64_t layer = 0; layer < std::ssize(target.layers()); ++layer) {
      const StruckBlock block = Injection::in_layer(drawn, layer);
      rearrange(injection, block, read_block_cells(injection.cache(layer), block.span.physical_block),
                [&](const CellByte& place) {
                  return CellByte{source_head(place.kv_head), place.token, place.byte};
                });
    }
    injection.set_detail(shard);
    injection.strike();
  }
};

}  // namespace

void register_rank_mis_shard(Registry<FaultModel>& registry) {
  registry.add("rank_mis_shard", std::make_unique<RankMisShard>());
}

}  // namespace kvarium
