#include "sim/transfer/defect_parts.hpp"

namespace kvarium {
namespace {

/// The first tokens of the last block alone; one descriptor holds a block's rows.
std::vector<Descriptor> filled_rows(const TransferWorld& world, std::vector<Descriptor> descriptors) {
  const std::int64_t size = world.shape().producer.block_size;
  const std::int64_t length = world.length(RequestRole::watched);
  for (Descriptor& descriptor : descriptors) {
    if (descriptor.logical_block == length / size) descriptor.bytes = descriptor.bytes * (length % size) / size;
  }
  return descriptors;
}

/// A pool that closes gaps moves the filled tokens of a block as if they were rows; the block is head-major.
class PageMovedAsTokenRows final : public TransferDefect {
 public:
  DefectTraits traits() const override {
    return {"a move of tokens takes a head-major block for rows of tokens", "13"};
  }

  std::string problem(const TransferShape& shape) const override {
    if (shape.uses_host_tier) return "strikes at the producer; set transfer.path to direct";
    if (shape.producer.layout != CacheLayout::hnd) return "needs head-major blocks; set cache.layout to hnd";
    const bool is_partial = shape.num_tokens % shape.producer.block_size != 0;
    return is_partial ? "" : "needs a partly filled block; change batch.context_length";
  }

  void change(TransferWorld&, TransferSchedule& schedule, StrikeMoment) const override {
    schedule.insert_after(watched("record"), {"watched: compaction", [](TransferWorld& world) {
                                                CacheAddressing rows = world.engine(EngineRole::producer).addressing();
                                                assume_layout(rows, CacheLayout::nhd);
                                                compact(world, rows, filled_rows);
                                              }});
  }
};

}  // namespace

void register_page_moved_as_token_rows(Registry<TransferDefect>& registry) {
  registry.add("page_moved_as_token_rows", std::make_unique<PageMovedAsTokenRows>());
}

}  // namespace kvarium
