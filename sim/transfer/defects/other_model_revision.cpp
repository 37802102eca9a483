#include "sim/transfer/defect_parts.hpp"

namespace kvarium {
namespace {

/// Keys do not name the revision of the model: what another one computed from the same tokens is loaded.
class OtherModelRevision final : public TransferDefect {
 public:
  DefectTraits traits() const override {
    return {"blocks are found that another revision of the model computed from the same tokens", "19"};
  }

  void change(TransferWorld&, TransferSchedule& schedule, StrikeMoment) const override {
    schedule.insert_after(watched("prefill"),
                          {"intruder: computed with another revision", [](TransferWorld& world) {
                             const Engine& producer = world.engine(EngineRole::producer);
                             const std::int64_t size = producer.block_size();
                             const std::int64_t length = world.length(RequestRole::watched);
                             for (std::int64_t token = 0; token < length; ++token) {
                               const auto row = static_cast<std::size_t>(token / size);
                               const std::int64_t block = producer.table(RequestRole::watched)[row].value();
                               world.write_cells(EngineRole::producer, RequestRole::intruder, token,
                                                 block * size + token % size);
                             }
                             world.announce_written(EngineRole::producer, RequestRole::watched, {0, length});
                             world.has_equal_settings = false;
                           }});
  }
};

}  // namespace

void register_other_model_revision(Registry<TransferDefect>& registry) {
  registry.add("other_model_revision", std::make_unique<OtherModelRevision>());
}

}  // namespace kvarium
