#include "sim/transfer/defect_parts.hpp"

namespace kvarium {
namespace {

/// The connector forces a head-major view on caches that the attention backend keeps token-major.
class ConnectorAssumesHnd final : public TransferDefect {
 public:
  DefectTraits traits() const override {
    return {"the connector registers head-major caches that the kernels keep token-major", "14"};
  }

  std::string problem(const TransferShape& shape) const override {
    const bool has_nhd = shape.producer.layout == CacheLayout::nhd || shape.consumer.layout == CacheLayout::nhd;
    return has_nhd ? "" : "needs a token-major end; set cache.layout to nhd";
  }

  void change(TransferWorld& world, TransferSchedule&, StrikeMoment) const override {
    for (const EngineRole role : {world.last_source(), EngineRole::consumer}) {
      CacheAddressing& belief = world.belief(role);
      if (belief.geometry.layout == CacheLayout::nhd) assume_layout(belief, CacheLayout::hnd);
    }
  }
};

}  // namespace

void register_connector_assumes_hnd(Registry<TransferDefect>& registry) {
  registry.add("connector_assumes_hnd", std::make_unique<ConnectorAssumesHnd>());
}

}  // namespace kvarium
