#include "kernels/attention/cuda/ring_mma_family.hpp"
#include "kernels/attention/cuda/staged_mma_plan.hpp"

namespace kvarium {
namespace {

/// V2: tensor cores fed from a ring of steps in shared memory, which asynchronous copies fill.
class StagedMma final : public RingMmaFamily {
 public:
  explicit StagedMma(std::unique_ptr<StagedMma> unaligned)
      : RingMmaFamily("staged_mma", "tensor cores from shared memory, filled by asynchronous copies some steps ahead",
                      std::move(unaligned)) {}

 protected:
  std::optional<MmaPlan> plan(const AttentionShape& shape, const AttentionVariant& variant) const override {
    return plan_staged_mma(shape, variant);
  }
};

}  // namespace

void register_staged_mma(Registry<AttentionFamily>& registry) {
  registry.add("staged_mma", std::make_unique<StagedMma>(std::make_unique<StagedMma>(nullptr)));
}

}  // namespace kvarium
