#include "sim/transfer/transfer_world.hpp"

#include <algorithm>
#include <cstring>

#include "sim/random_purpose.hpp"

namespace kvarium {
namespace {

/// Blocks of a pool: three requests, and some that nobody holds.
std::int64_t pool_size(const TransferShape& shape, const EngineShape& engine) {
  return 4 * (shape.num_tokens / engine.block_size + 1);
}

}  // namespace

const std::vector<std::string>& check_point_names() {
  static const std::vector<std::string> names{"source", "landing", "step"};
  return names;
}

TransferWorld::TransferWorld(const TransferShape& shape, const KvContentSource& source, TransferObserver& observer,
                             const TrialKey& key)
    : shape_(shape),
      observer_(observer),
      random_(random_for(RandomPurpose::fault, key.random, static_cast<std::uint64_t>(key.trial))) {
  validate(shape);
  const EngineShape shapes[num_engine_roles] = {shape.producer, shape.producer, shape.consumer};
  std::int64_t most_slots = 0;
  for (const EngineShape& engine : shapes) {
    engines_.emplace_back(engine, shape, pool_size(shape, engine));
    beliefs_.push_back(engines_.back().addressing());
    most_slots = std::max(most_slots, engines_.back().num_blocks() * engines_.back().block_size());
  }
  for (std::size_t request = 0; request < num_request_roles; ++request) {
    const auto sequence = key.trial * static_cast<std::int64_t>(num_request_roles) + static_cast<std::int64_t>(request);
    const bool is_earlier = request == static_cast<std::size_t>(RequestRole::earlier);
    contents_.emplace_back(shape, source, sequence, is_earlier ? most_slots : shape.num_tokens + 1);
    lengths_[request] = is_earlier ? most_slots : shape.num_tokens;
  }
  for (const EngineRole role : {EngineRole::producer, EngineRole::host_tier, EngineRole::consumer}) {
    fill_pool(role);
    CounterRandom order = random_for(RandomPurpose::block_order, key.random, static_cast<std::uint64_t>(key.trial));
    engine(role).pool().fragment(order, shape.fragmentation);
  }
}

void TransferWorld::fill_pool(EngineRole role) {
  Engine& engine = this->engine(role);
  std::vector<BlockId>& table = engine.table(RequestRole::earlier);
  table = engine.pool().allocate(engine.num_blocks());
  std::ranges::sort(table);
  write(role, RequestRole::earlier, {0, engine.num_blocks() * engine.block_size()});
  // Released backwards, so that the lowest block is the first to be taken again.
  std::ranges::reverse(table);
  release(role, RequestRole::earlier);
}

void TransferWorld::allocate(EngineRole role, RequestRole request) {
  Engine& engine = this->engine(role);
  engine.table(request) = engine.pool().allocate(engine.blocks_of(length(request)));
  for (const BlockId block : engine.table(request)) engine.forget_arrivals(block);
}

void TransferWorld::release(EngineRole role, RequestRole request) {
  Engine& engine = this->engine(role);
  for (const BlockId block : engine.table(request)) engine.pool().release(block);
  engine.table(request).clear();
}

void TransferWorld::write(EngineRole role, RequestRole request, TokenSpan tokens) {
  write_positions(role, request, tokens, tokens.first);
}

void TransferWorld::write_positions(EngineRole role, RequestRole request, TokenSpan tokens,
                                    std::int64_t first_position) {
  const Engine& engine = this->engine(role);
  for (std::int64_t i = 0; i < tokens.count; ++i) {
    const std::int64_t token = tokens.first + i;
    const std::int64_t block = engine.table(request)[static_cast<std::size_t>(token / engine.block_size())].value();
    write_cells(role, request, first_position + i, block * engine.block_size() + token % engine.block_size());
  }
  observer_.wrote(*this, role, request, tokens, first_position);
}

void TransferWorld::write_cells(EngineRole role, RequestRole request, std::int64_t token, std::int64_t slot,
                                std::int64_t first_layer) {
  Engine& engine = this->engine(role);
  for (std::int64_t layer = first_layer; layer < shape_.num_layers; ++layer) {
    for (std::int64_t head = 0; head < shape_.num_kv_heads; ++head) {
      engine.write_cell({layer, head, slot / engine.block_size(), slot % engine.block_size()},
                        contents(request).cell(layer, head, token).data());
    }
  }
}

void TransferWorld::announce_written(EngineRole role, RequestRole request, TokenSpan tokens) {
  observer_.wrote(*this, role, request, tokens, tokens.first);
}

void TransferWorld::fill_slot(EngineRole role, std::int64_t slot, std::byte byte, std::int64_t first_layer) {
  Engine& engine = this->engine(role);
  const auto bytes = static_cast<std::size_t>(cell_bytes(engine.addressing().geometry));
  const std::vector<std::byte> cell(bytes, byte);
  for (std::int64_t layer = first_layer; layer < shape_.num_layers; ++layer) {
    for (std::int64_t head = 0; head < shape_.num_kv_heads; ++head) {
      engine.write_cell({layer, head, slot / engine.block_size(), slot % engine.block_size()}, cell.data());
    }
  }
}

void TransferWorld::make_plan(EngineRole from, EngineRole to, RequestRole request) {
  plan(from, request) =
      plan_transfer({belief(from), engine(from).table(request)}, {belief(to), engine(to).table(request)});
}

void TransferWorld::move(EngineRole from, EngineRole to, const std::vector<Descriptor>& descriptors) {
  const Engine& source = engine(from);
  Engine& destination = engine(to);
  for (const Descriptor& descriptor : descriptors) {
    if (!source.contains(descriptor.from, descriptor.bytes) || !destination.contains(descriptor.to, descriptor.bytes)) {
      ++num_refused_;
      continue;
    }
    std::memmove(destination.storage(descriptor.to).data() + descriptor.to.offset,
                 source.storage(descriptor.from).data() + descriptor.from.offset,
                 static_cast<std::size_t>(descriptor.bytes));
    destination.mark_arrival(descriptor.to, descriptor.bytes);
  }
}

void TransferWorld::move_slots(EngineRole from, EngineRole to, const std::vector<SlotMove>& slots) {
  const std::vector<SlotRecords>& sources = engine(from).slot_records();
  std::vector<SlotRecords>& destinations = engine(to).slot_records();
  for (std::size_t records = 0; records < destinations.size(); ++records) {
    const std::int64_t words = destinations[records].words_per_slot;
    for (const SlotMove& slot : slots) {
      const std::int64_t read = slot.from * words, written = slot.to * words;
      if (read + words > std::ssize(sources[records].words)) continue;
      if (written + words > std::ssize(destinations[records].words)) continue;
      std::copy_n(sources[records].words.begin() + read, words, destinations[records].words.begin() + written);
    }
  }
}

void TransferWorld::move(EngineRole from, EngineRole to, const TransferPlan& plan) {
  move(from, to, plan.descriptors);
  move_slots(from, to, plan.slots);
}

void TransferWorld::load_table(RequestRole request) {
  ReaderState& reader = this->reader(request);
  reader.table.clear();
  for (const BlockId block : engine(EngineRole::consumer).table(request)) reader.table.push_back(block.value());
  reader.length = static_cast<std::int32_t>(length(request));
  reader.key_scale = is_float8(shape_.element_type) ? float8_key_scale : 1.0F;
  reader.value_scale = is_float8(shape_.element_type) ? float8_value_scale : 1.0F;
}

void TransferWorld::step(RequestRole request) {
  observer_.check(*this, request, CheckPoint::step);
  observer_.attend(*this, request);
}

}  // namespace kvarium
