#include "sim/transfer/defect_parts.hpp"

namespace kvarium {
namespace {

/// A kernel writes whole tiles of 32 rows: padding goes behind the last token, into whatever block lies next.
class TilePaddingOverwrites final : public TransferDefect {
 public:
  DefectTraits traits() const override {
    return {"rows of padding of a tile are written behind the tokens, into the next block", "12"};
  }

  std::string problem(const TransferShape& shape) const override {
    return shape.consumer.block_size < 32 ? "" : "writes tiles of 32 tokens; use smaller blocks";
  }

  void change(TransferWorld&, TransferSchedule& schedule, StrikeMoment) const override {
    schedule.insert_after(watched("check on landing"),
                          {"watched: a tile is written", [](TransferWorld& world) {
                             constexpr std::int64_t tile = 32;
                             const Engine& consumer = world.engine(EngineRole::consumer);
                             const std::int64_t size = consumer.block_size();
                             const std::int64_t filled = world.length(RequestRole::watched) % size;
                             const std::int64_t begin = consumer.table(RequestRole::watched).back().value() * size;
                             const std::int64_t slots = consumer.num_blocks() * size;
                             if (begin + size >= slots || !is_served_slot(world, begin + size)) {
                               return world.refuse("no served request stores the next block");
                             }
                             for (std::int64_t row = filled; row < tile && begin + row < slots; ++row) {
                               world.fill_slot(EngineRole::consumer, begin + row, std::byte{0});
                             }
                           }});
  }
};

}  // namespace

void register_tile_padding_overwrites(Registry<TransferDefect>& registry) {
  registry.add("tile_padding_overwrites", std::make_unique<TilePaddingOverwrites>());
}

}  // namespace kvarium
