#pragma once

#include "kernels/attention/cuda/mma_family.hpp"

namespace kvarium {

/// A design on tensor cores whose operands pass through a ring of `stages` steps in shared memory. Designs differ in
/// what fills the ring.
class RingMmaFamily : public MmaFamily {
 public:
  /// `source` and `other_form` as MmaFamily has them; `description` goes into the traits.
  RingMmaFamily(std::string source, std::string description, std::unique_ptr<RingMmaFamily> other_form)
      : MmaFamily(std::move(source), std::move(other_form)), description_(std::move(description)) {}

  AttentionTraits traits() const override;
  AttentionAxes axes() const override;
  TuningAxes tuning_axes() const override;

 protected:
  std::optional<std::string> stages_refusal(const AttentionVariant& variant) const override;

 private:
  std::string description_;
};

}  // namespace kvarium
