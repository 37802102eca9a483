#include "experiments/kinds/slot_watch.hpp"

#include <algorithm>
#include <span>

namespace kvarium {
namespace {

/// A block whose tokens [begin, end) were written.
struct WrittenBlock {
  std::int64_t position = 0;  ///< of the block in the request
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t shift = 0;  ///< of positions, as the writer has them
};

/// The chain of a row begins at its first slot; records of slots before the written ones stay.
void write_block(TransferWorld& world, EngineRole role, RequestRole request, const WrittenBlock& written) {
  Engine& engine = world.engine(role);
  const std::int64_t block = engine.table(request)[static_cast<std::size_t>(written.position)].value();
  EngineRows rows;
  rows.add(block, written.position, written.end, world.contents(request), engine.block_size());
  rows.first_tokens.front() = std::max<std::int64_t>(rows.first_tokens.front() + written.shift, 0);
  std::size_t number = 0;
  for (const TransferCheck& check : transfer_checks()) {
    if (!stands_beside_slots(check)) continue;
    SlotRecords& records = engine.slot_records()[number++];
    const std::vector<std::uint64_t> words = check.family->compute(cache_layers(engine), rows.rows(), check.parameters);
    std::copy(words.begin() + written.begin * records.words_per_slot,
              words.begin() + written.end * records.words_per_slot,
              records.words.begin() + (block * engine.block_size() + written.begin) * records.words_per_slot);
  }
}

void make_records(Engine& engine) {
  const std::vector<CacheLayer> layers = cache_layers(engine);
  for (const TransferCheck& check : transfer_checks()) {
    if (!stands_beside_slots(check)) continue;
    const std::int64_t words = check.family->words_per_row(layers, check.parameters);
    engine.slot_records().push_back({words / engine.block_size(), {}});
    engine.slot_records().back().words.resize(static_cast<std::size_t>(engine.num_blocks() * words));
  }
}

}  // namespace

bool stands_beside_slots(const TransferCheck& check) { return check.family->traits(check.parameters).beside_slots; }

void write_slot_records(TransferWorld& world, EngineRole role, RequestRole request, TokenSpan tokens,
                        std::int64_t first_position) {
  Engine& engine = world.engine(role);
  if (engine.slot_records().empty()) make_records(engine);
  const std::int64_t size = engine.block_size();
  const std::int64_t end = tokens.first + tokens.count;
  for (std::int64_t position = tokens.first / size; position * size < end; ++position) {
    write_block(world, role, request,
                {position, std::max(position * size, tokens.first) - position * size,
                 std::min((position + 1) * size, end) - position * size, first_position - tokens.first});
  }
}

ChecksumJudgement graver(ChecksumJudgement one, ChecksumJudgement other) {
  constexpr int gravity[] = {0, 2, 1};  // of clean, mismatch, unverified
  return gravity[static_cast<int>(one)] < gravity[static_cast<int>(other)] ? other : one;
}

ChecksumJudgement judge_slots(std::size_t number, const Engine& engine, const EngineRows& rows,
                              const std::vector<std::uint64_t>& found) {
  const TransferCheck& check = transfer_checks()[number];
  std::size_t position = 0;
  for (std::size_t before = 0; before < number; ++before) position += stands_beside_slots(transfer_checks()[before]);
  const SlotRecords& records = engine.slot_records()[position];
  const auto per_slot = static_cast<std::size_t>(records.words_per_slot);
  const std::size_t width = per_slot * static_cast<std::size_t>(engine.block_size());
  ChecksumJudgement worst = ChecksumJudgement::clean;
  for (std::size_t row = 0; row < rows.block_ids.size(); ++row) {
    const std::size_t words = per_slot * static_cast<std::size_t>(rows.valid_tokens[row]);
    const std::size_t slot = static_cast<std::size_t>(rows.block_ids[row]) * width;
    worst = graver(worst, check.family->judge({std::span(records.words).subspan(slot, words)},
                                              std::span(found).subspan(row * width, words), check.parameters));
  }
  return worst;
}

}  // namespace kvarium
