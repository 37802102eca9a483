#include "kernels/attention/cuda/mma_family.hpp"
#include "kernels/attention/cuda/register_mma_plan.hpp"

namespace kvarium {
namespace {

/// V4: tensor cores fed from memory without a stop in shared memory.
class RegisterMma final : public MmaFamily {
 public:
  explicit RegisterMma(std::unique_ptr<RegisterMma> unaligned) : MmaFamily("register_mma", std::move(unaligned)) {}

  AttentionTraits traits() const override {
    AttentionTraits traits{"tensor cores straight from registers, a warp for each KV head and partition", Device::cuda};
    traits.has_persistent_schedule = true;
    traits.can_verify = true;
    return traits;
  }

 protected:
  std::optional<MmaPlan> plan(const AttentionShape& shape, const AttentionVariant& variant) const override {
    return plan_register_mma(shape, variant);
  }
};

}  // namespace

void register_register_mma(Registry<AttentionFamily>& registry) {
  registry.add("register_mma", std::make_unique<RegisterMma>(std::make_unique<RegisterMma>(nullptr)));
}

}  // namespace kvarium
