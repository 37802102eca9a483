#include <algorithm>

#include "sim/transfer/defect_parts.hpp"

namespace kvarium {
namespace {

/// The slice of heads that a rank reads is computed from the wrong rank.
class WrongRankSlice final : public TransferDefect {
 public:
  DefectTraits traits() const override { return {"each rank gets the slice of heads of the rank before it", "15"}; }

  std::string problem(const TransferShape& shape) const override {
    return shape.consumer.tensor_ranks > 1 ? "" : "needs several ranks; set transfer.consumer.tensor_ranks to 2";
  }

  void change(TransferWorld& world, TransferSchedule&, StrikeMoment) const override {
    std::vector<std::int64_t>& slots = world.belief(EngineRole::consumer).head_slots;
    std::rotate(slots.begin(), slots.begin() + std::ssize(slots) / world.shape().consumer.tensor_ranks, slots.end());
  }
};

}  // namespace

void register_wrong_rank_slice(Registry<TransferDefect>& registry) {
  registry.add("wrong_rank_slice", std::make_unique<WrongRankSlice>());
}

}  // namespace kvarium
