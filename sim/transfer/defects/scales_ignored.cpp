#include "sim/transfer/defect_parts.hpp"

namespace kvarium {
namespace {

/// A wrapper of the kernel does not pass on the scales of an fp8 cache.
class ScalesIgnored final : public TransferDefect {
 public:
  DefectTraits traits() const override { return {"attention ignores the scales of an fp8 cache", "19"}; }

  std::string problem(const TransferShape& shape) const override {
    return is_float8(shape.element_type) ? "" : "needs scales; set cache.element_type to float8_e4m3";
  }

  void change(TransferWorld&, TransferSchedule& schedule, StrikeMoment) const override {
    schedule.insert_after(watched("load table"), {"watched: scales are not passed on", [](TransferWorld& world) {
                                                    world.reader(RequestRole::watched).key_scale = 1.0F;
                                                    world.reader(RequestRole::watched).value_scale = 1.0F;
                                                  }});
  }
};

}  // namespace

void register_scales_ignored(Registry<TransferDefect>& registry) {
  registry.add("scales_ignored", std::make_unique<ScalesIgnored>());
}

}  // namespace kvarium
