#include "sim/transfer/defect_parts.hpp"

#include <algorithm>

namespace kvarium {

std::string watched(const std::string& operation) { return step_name(RequestRole::watched, operation); }

std::vector<SlotMove> slots_before(const std::vector<SlotMove>& slots, std::int64_t end) {
  std::vector<SlotMove> kept;
  std::ranges::copy_if(slots, std::back_inserter(kept), [&](const SlotMove& slot) { return slot.token < end; });
  return kept;
}

TransferPlan half_of(const TransferPlan& plan, PlanHalf half) {
  const auto cut = [half](const auto& items) {
    const auto middle = items.begin() + std::ssize(items) / 2;
    using Items = std::remove_cvref_t<decltype(items)>;
    return half == PlanHalf::first ? Items(items.begin(), middle) : Items(middle, items.end());
  };
  return {cut(plan.descriptors), cut(plan.slots)};
}

std::vector<Descriptor> piece_starts(const std::vector<Descriptor>& descriptors, std::int64_t piece_bytes,
                                     std::int64_t kept_bytes) {
  std::vector<Descriptor> starts;
  for (const Descriptor& descriptor : descriptors) {
    for (std::int64_t begin = 0; begin < descriptor.bytes; begin += piece_bytes) {
      Descriptor start = descriptor;
      start.from.offset += begin;
      start.to.offset += begin;
      start.bytes = std::min(kept_bytes, descriptor.bytes - begin);
      starts.push_back(start);
    }
  }
  return starts;
}

std::vector<Descriptor> every_second_line(const std::vector<Descriptor>& descriptors) {
  constexpr std::int64_t line_bytes = 64;
  std::vector<Descriptor> lines = piece_starts(descriptors, line_bytes, line_bytes);
  std::vector<Descriptor> kept;
  for (std::size_t line = 1; line < lines.size(); line += 2) kept.push_back(lines[line]);
  return kept;
}

std::int64_t last_block(const TransferWorld& world) {
  return world.engine(EngineRole::consumer).blocks_of(world.length(RequestRole::watched)) - 1;
}

void let_intruder_fill(TransferWorld& world, EngineRole role) {
  world.allocate(role, RequestRole::intruder);
  world.write(role, RequestRole::intruder, {0, world.length(RequestRole::intruder)});
}

std::vector<BlockId> compact(TransferWorld& world, const CacheAddressing& addressing,
                             std::vector<Descriptor> (*keep)(const TransferWorld&, std::vector<Descriptor>)) {
  Engine& producer = world.engine(EngineRole::producer);
  std::vector<BlockId>& table = producer.table(RequestRole::watched);
  const std::vector<BlockId> old_table = table;
  world.allocate(EngineRole::producer, RequestRole::watched);
  TransferPlan plan = plan_transfer({addressing, old_table}, {addressing, table});
  plan.descriptors = keep(world, std::move(plan.descriptors));
  world.move(EngineRole::producer, EngineRole::producer, plan);
  for (const BlockId block : old_table) producer.pool().release(block);
  let_intruder_fill(world, EngineRole::producer);
  return old_table;
}

void plan_and_abort_intruder(TransferWorld& world) {
  let_intruder_fill(world, world.last_source());
  world.allocate(EngineRole::consumer, RequestRole::intruder);
  world.make_plan(world.last_source(), EngineRole::consumer, RequestRole::intruder);
  world.release(EngineRole::consumer, RequestRole::intruder);
}

void insert_at_landing(TransferSchedule& schedule, StrikeMoment moment, const TransferStep& step) {
  const std::string landing = watched("check on landing");
  if (moment == StrikeMoment::before_check) {
    schedule.insert_before(landing, step);
  } else {
    schedule.insert_after(landing, step);
  }
}

void plan_from_blocks(TransferWorld& world, const std::vector<BlockId>& blocks) {
  const EngineRole source = world.last_source();
  world.plan(source, RequestRole::watched) = plan_transfer(
      {world.belief(source), blocks},
      {world.belief(EngineRole::consumer), world.engine(EngineRole::consumer).table(RequestRole::watched)});
}

void share_first_block(TransferWorld& world, BlockHash hash) {
  Engine& producer = world.engine(EngineRole::producer);
  const std::int64_t blocks = producer.blocks_of(world.length(RequestRole::watched));
  std::vector<BlockId>& table = producer.table(RequestRole::watched);
  table = {*producer.pool().share(hash)};
  for (const BlockId block : producer.pool().allocate(blocks - 1)) table.push_back(block);
}

std::string second_block_problem(const TransferShape& shape) {
  if (shape.num_tokens > shape.producer.block_size) return {};
  return "needs a block beyond the shared one; use a longer batch.context_length";
}

void prefill_behind_first_block(TransferWorld& world) {
  const std::int64_t size = world.engine(EngineRole::producer).block_size();
  const std::int64_t length = world.length(RequestRole::watched);
  world.write(EngineRole::producer, RequestRole::watched, {size, length - size});
}

bool is_served_slot(const TransferWorld& world, std::int64_t slot) {
  const Engine& consumer = world.engine(EngineRole::consumer);
  for (const RequestRole request : {RequestRole::neighbour, RequestRole::watched}) {
    const std::vector<BlockId>& table = consumer.table(request);
    for (std::int64_t block = 0; block < std::ssize(table); ++block) {
      if (table[static_cast<std::size_t>(block)].value() != slot / consumer.block_size()) continue;
      return block * consumer.block_size() + slot % consumer.block_size() < world.length(request);
    }
  }
  return false;
}

}  // namespace kvarium
