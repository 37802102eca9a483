#include "sim/transfer/defect_parts.hpp"

namespace kvarium {
namespace {

std::vector<Descriptor> half_rows(const TransferWorld& world, std::vector<Descriptor> descriptors) {
  const CacheGeometry& geometry = world.engine(EngineRole::producer).addressing().geometry;
  const std::int64_t row_bytes = std::int64_t{geometry.head_size} * element_bytes(geometry.element_type);
  return piece_starts(descriptors, row_bytes, row_bytes / 2);
}

/// A pool that closes gaps moves rows of another type's size: the second half of every row stays behind.
class CellMoveWrongRowSize final : public TransferDefect {
 public:
  DefectTraits traits() const override {
    return {"a move of cells counts half as many bytes a row as the cache type has", "13"};
  }

  std::string problem(const TransferShape& shape) const override {
    return shape.uses_host_tier ? "strikes at the producer; set transfer.path to direct" : "";
  }

  void change(TransferWorld&, TransferSchedule& schedule, StrikeMoment) const override {
    schedule.insert_after(watched("record"), {"watched: compaction", [](TransferWorld& world) {
                                                compact(world, world.engine(EngineRole::producer).addressing(),
                                                        half_rows);
                                              }});
  }
};

}  // namespace

void register_cell_move_wrong_row_size(Registry<TransferDefect>& registry) {
  registry.add("cell_move_wrong_row_size", std::make_unique<CellMoveWrongRowSize>());
}

}  // namespace kvarium
