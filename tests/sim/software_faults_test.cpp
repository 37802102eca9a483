#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <cmath>
#include <set>

#include "core/element_conversion.hpp"
#include "sim/faults/fault_model.hpp"
#include "sim/random_purpose.hpp"
#include "tests/sim/fault_state.hpp"
#include "tests/sim/faulty_batch.hpp"

namespace kvarium {
namespace {

using test::FaultyBatch;
using test::FaultyBatchShape;

/// One applicable fault, in place in its batch.
struct Struck {
  explicit Struck(const std::string& model, const FaultParameters& parameters = {}, const FaultyBatchShape& shape = {})
      : batch(shape), before(test::all_blocks(batch)) {
    for (std::uint64_t trial = 0; trial < 50; ++trial) {
      const CounterRandom random = random_for(RandomPurpose::fault, {41, 42}, trial);
      FaultOutcome outcome = inject_fault(model, batch.target(), parameters, random);
      reason = outcome.not_applicable;
      if (!outcome.is_applicable()) continue;
      record = *outcome.record;
      break;
    }
    after = test::all_blocks(batch);
  }

  std::size_t index(std::int64_t layer, std::int64_t block) const {
    return static_cast<std::size_t>(layer * batch.batch().num_blocks + block);
  }
  /// Bytes of a row of head_size elements of the struck block.
  std::vector<std::uint8_t> row(const std::vector<std::vector<std::uint8_t>>& blocks, std::int64_t head,
                                std::int64_t token, std::int64_t half) const {
    const std::int64_t bytes = cell_bytes(batch.geometry()) / 2;
    const std::vector<std::uint8_t>& cells = blocks[index(record.layer, record.physical_block)];
    const auto first = cells.begin() + ((head * batch.geometry().block_size + token) * 2 + half) * bytes;
    return {first, first + bytes};
  }

  mutable FaultyBatch batch;
  std::vector<std::vector<std::uint8_t>> before, after;
  FaultRecord record;
  std::string reason;
};

constexpr int block_size = 8;

TEST_CASE("a garbage row strikes every head of one token, in one layer or all", "[sim][faults]") {
  const Struck one("garbage_row", {.layers = "one"});
  const Struck all("garbage_row", {.layers = "all"});

  CHECK(one.record.num_struck_blocks == 1);
  CHECK(all.record.num_struck_blocks == 2);
  for (const Struck* struck : {&one, &all}) {
    std::set<std::int32_t> tokens, heads;
    for (const ByteChange& change : struck->record.changes) {
      tokens.insert(change.token);
      heads.insert(change.kv_head);
    }
    CHECK(tokens.size() == 1);
    CHECK(heads.size() == 2);
  }
}

TEST_CASE("a wrong block id names the block asked for", "[sim][faults]") {
  const Struck next("wrong_block_id", {.wrong_id = "next"});
  const Struck last("wrong_block_id", {.wrong_id = "last"});
  const Struck consecutive("wrong_block_id", {.wrong_id = "consecutive"});
  const Struck other("wrong_block_id", {.wrong_id = "other_live"});

  CHECK(next.record.table_changes.front().after == next.record.table_changes.front().before + 1);
  CHECK(last.record.table_changes.front().after == last.batch.batch().num_blocks - 1);
  const TableChange& run = consecutive.record.table_changes.front();
  CHECK(run.after == consecutive.batch.batch().block_tables(run.sequence, run.logical_block - 1) + 1);
  const TableChange& live = other.record.table_changes.front();
  CHECK(other.batch.target().num_stored_tokens(live.after) > 0);
  CHECK(live.after != live.before);
  for (const Struck* struck : {&next, &last, &consecutive, &other}) {
    CHECK(struck->record.struck == StruckThing::block_table);
    CHECK(struck->record.changes.empty());
    CHECK_FALSE(struck->record.table_changes.front().brings_record);
  }
}

TEST_CASE("a batch of one block has no other to name", "[sim][faults]") {
  const FaultyBatchShape shape{.context_lengths = {5}, .shared_prefix_length = 0};
  CHECK(Struck("wrong_block_id", {.wrong_id = "other_live"}, shape).reason == "no second block is attended");
  CHECK(Struck("spoiled_block", {.overwrite = "two_writers"}, shape).reason == "no second block is attended");
  CHECK(Struck("block_shift", {}, shape).reason == "the sequence attends a single block");
  CHECK(Struck("prefix_collision", {}, shape).reason == "there is a single sequence");
}

TEST_CASE("late rows, old lines and torn writes hold what the block held earlier, and the rest stays",
          "[sim][faults]") {
  const Struck late("late_write", {.layers = "one"});
  const Struck race("visibility_race", {.fraction = 0.5});
  const Struck torn("torn_write", {.kept = "prefix", .filler = "earlier"});
  for (const Struck* struck : {&late, &race, &torn}) {
    FaultyBatch stale({});
    const PagedCacheView& view = stale.layers()[static_cast<std::size_t>(struck->record.layer)];
    std::vector<float> key(block_size * 2 * 16), value(key.size());
    REQUIRE(stale.earlier().fill({struck->record.layer, struck->record.physical_block}, key.data(), value.data()));
    for (const ByteChange& change : struck->record.changes) {
      const std::int64_t element = change.byte / 2 % 16;
      const auto index = static_cast<std::size_t>((change.token * 2 + change.kv_head) * 16 + element);
      const float number = change.byte < 32 ? key[index] : value[index];
      const std::uint32_t bits = encode_element(number, view.geometry.element_type);
      CHECK(change.after == static_cast<std::uint8_t>(bits >> (8 * (change.byte % 2))));
    }
  }
  CHECK(late.record.num_changed_bytes < 1024);
  CHECK(race.record.num_changed_bytes < 1024);
}

TEST_CASE("a torn write keeps its prefix, its suffix, or every second unit", "[sim][faults]") {
  const auto kept = GENERATE(std::string("prefix"), "suffix", "alternate");
  CAPTURE(kept);
  const Struck struck("torn_write", {.kept = kept, .granularity_bytes = 64, .filler = "zero"});
  const BlockMemory memory(struck.batch.layers().front());
  std::set<std::int64_t> lost;
  for (const ByteChange& change : struck.record.changes) {
    CHECK(change.after == 0);
    lost.insert(memory.place_of({change.kv_head, change.token, change.byte}) / 64);
  }

  const std::int64_t units = memory.size() / 64;
  if (kept == "prefix") CHECK(*lost.rbegin() == units - 1);
  if (kept == "suffix") CHECK(*lost.begin() == 0);
  if (kept == "alternate") {
    CHECK(std::ssize(lost) == units / 2);
    for (const std::int64_t unit : lost) CHECK(unit % 2 == *lost.begin() % 2);
  } else {
    CHECK(*lost.rbegin() - *lost.begin() + 1 == std::ssize(lost));
  }
}

TEST_CASE("a spoiled block is zero, or ends with another block's second half", "[sim][faults]") {
  const Struck zeros("spoiled_block", {.overwrite = "zeros"});
  CHECK(std::ranges::count(zeros.after[zeros.index(zeros.record.layer, zeros.record.physical_block)], 0) == 1024);

  const Struck mixed("spoiled_block", {.overwrite = "two_writers"});
  const BlockMemory memory(mixed.batch.layers().front());
  const auto& now = mixed.after[mixed.index(mixed.record.layer, mixed.record.physical_block)];
  int sources = 0;
  for (const AttendedSpan& span : mixed.batch.target().spans()) {
    const auto& other = mixed.before[mixed.index(mixed.record.layer, span.physical_block)];
    bool is_source = span.physical_block != mixed.record.physical_block;
    for (std::int64_t place = memory.size() / 2; place < memory.size(); ++place) {
      const auto cell = static_cast<std::size_t>(cell_index(mixed.batch.geometry(), memory.cell_at(place)));
      is_source = is_source && now[cell] == other[cell];
    }
    sources += is_source ? 1 : 0;
  }
  CHECK(sources == 1);
  for (const ByteChange& change : mixed.record.changes) {
    CHECK(memory.place_of({change.kv_head, change.token, change.byte}) >= memory.size() / 2);
  }
}

TEST_CASE("a missing component is missing from every block of one sequence", "[sim][faults]") {
  const auto component = GENERATE(std::string("layer"), "pipeline_stage", "key", "value");
  CAPTURE(component);
  const Struck struck("missing_component", {.filler = "zero", .component = component});
  std::set<std::int32_t> layers, blocks;
  for (const ByteChange& change : struck.record.changes) {
    layers.insert(change.layer);
    blocks.insert(change.block);
    if (component == "key") CHECK(change.tensor == KvTensor::key);
    if (component == "value") CHECK(change.tensor == KvTensor::value);
  }

  CHECK(layers.size() == 1);
  std::set<std::int32_t> expected;
  const Batch& batch = struck.batch.batch();
  for (std::int64_t block = 0; block < batch.num_sequence_blocks(struck.record.sequence); ++block) {
    expected.insert(batch.block_tables(struck.record.sequence, block));
  }
  // A shared first block names its lowest reader.
  CHECK(std::ranges::includes(blocks, std::set<std::int32_t>{static_cast<std::int32_t>(struck.record.physical_block)}));
  CHECK(blocks.size() >= 1);
  if (struck.record.num_readers == 1) CHECK(blocks == expected);
}

TEST_CASE("a shift gives each position the block of the next, and the last the dropped one", "[sim][faults]") {
  const Struck struck("block_shift");
  const std::vector<TableChange>& changes = struck.record.table_changes;

  REQUIRE(changes.size() >= 2);
  for (std::size_t i = 0; i + 1 < changes.size(); ++i) {
    CHECK(changes[i].after == changes[i + 1].before);
    CHECK(changes[i + 1].logical_block == changes[i].logical_block + 1);
  }
  CHECK(changes.back().after == changes.front().before);
  CHECK(changes.back().logical_block + 1 == struck.batch.target().num_blocks(changes.front().sequence));
}

TEST_CASE("token counts are one off, and a full last block has no room for one more", "[sim][faults]") {
  const Struck more("token_off_by_one", {.off_by_one = "one_more"});
  const Struck fewer("token_off_by_one", {.off_by_one = "one_fewer"});
  const Struck slot("token_off_by_one", {.off_by_one = "unwritten_slot"});

  CHECK(more.record.reading_changes.front().after == more.record.reading_changes.front().before + 1);
  CHECK(fewer.record.reading_changes.front().after == fewer.record.reading_changes.front().before - 1);
  CHECK(slot.record.first_token == slot.record.last_token);
  CHECK(slot.record.num_struck_blocks == 2);
  CHECK(slot.record.last_token + 1 == slot.batch.target().length(slot.record.sequence));
  CHECK(Struck("token_off_by_one", {.off_by_one = "one_more"}, {.context_lengths = {16}}).reason ==
        "the sequence's last block is full");
}

TEST_CASE("an overrun strikes the beginning of a block's memory", "[sim][faults]") {
  const Struck struck("neighbour_overwrite", {.overrun_bytes = 32});
  const BlockMemory memory(struck.batch.layers().front());

  for (const ByteChange& change : struck.record.changes) {
    CHECK(memory.place_of({change.kv_head, change.token, change.byte}) < 32);
  }
}

TEST_CASE("a misread layout permutes rows and keeps the bytes as a set", "[sim][faults]") {
  const Struck struck("layout_misread", {.misreading = "nhd_as_hnd"});
  // Written [token][head], read [head][token]: head 0's token t holds row t, which was token t / 2 of head t % 2.
  for (std::int64_t token = 0; token < block_size; ++token) {
    for (const std::int64_t half : {0, 1}) {
      CHECK(struck.row(struck.after, 0, token, half) == struck.row(struck.before, token % 2, token / 2, half));
    }
  }
  const Struck back("layout_misread", {.misreading = "hnd_as_nhd"});
  CHECK(back.row(back.after, 1, 0, 0) == back.row(back.before, 0, 1, 0));
  const Struck split("layout_misread", {.misreading = "split_as_packed"});
  CHECK(split.row(split.after, 0, 0, 1) == split.row(split.before, 0, 1, 0));
  for (const Struck* any : {&struck, &back, &split}) {
    for (std::int64_t layer = 0; layer < 2; ++layer) {
      std::vector<std::uint8_t> before = any->before[any->index(layer, any->record.physical_block)];
      std::vector<std::uint8_t> after = any->after[any->index(layer, any->record.physical_block)];
      CHECK(before != after);
      std::ranges::sort(before);
      std::ranges::sort(after);
      CHECK(before == after);
    }
  }
}

TEST_CASE("heads reach each other's ranks", "[sim][faults]") {
  const Struck struck("rank_mis_shard", {.shard = GENERATE(std::string("exchanged_ranks"), "off_by_one_head")});

  for (std::int64_t token = 0; token < block_size; ++token) {
    CHECK(struck.row(struck.after, 0, token, 0) == struck.row(struck.before, 1, token, 0));
    CHECK(struck.row(struck.after, 1, token, 1) == struck.row(struck.before, 0, token, 1));
  }
  CHECK(Struck("rank_mis_shard", {.ranks = 4}).reason == "the KV heads do not divide into the ranks");
}

TEST_CASE("tail garbage changes no stored byte, and a full block has no tail", "[sim][faults]") {
  const Struck struck("block_tail_garbage", {.garbage = "nan"});

  CHECK(struck.record.num_changed_attended_bytes == 0);
  CHECK(struck.record.num_changed_stored_bytes == 0);
  CHECK(struck.record.num_changed_bytes > 0);
  const auto& cells = struck.after[struck.index(0, struck.record.physical_block)];
  CHECK(std::isnan(load_element(cells.data(), std::ssize(cells) / 2 - 1, ElementType::float16)));
  CHECK(Struck("block_tail_garbage", {}, {.context_lengths = {16, 8}}).reason == "every block is full");
  CHECK(Struck("block_tail_garbage", {.garbage = "infinity"}, {.element_type = ElementType::float8_e4m3}).reason ==
        "float8_e4m3 has no infinity");
}

TEST_CASE("slices change places and nothing else moves", "[sim][faults]") {
  const Struck heads("slice_exchange", {.exchanged = "heads"});
  CHECK(heads.row(heads.after, 0, 3, 1) == heads.row(heads.before, 1, 3, 1));
  const Struck halves("slice_exchange", {.exchanged = "key_value"});
  CHECK(halves.row(halves.after, 1, 2, 0) == halves.row(halves.before, 1, 2, 1));
  const Struck tokens("slice_exchange", {.exchanged = "tokens"});
  const std::int64_t first = tokens.record.first_token % block_size, last = tokens.record.last_token % block_size;
  CHECK(tokens.row(tokens.after, 1, first, 0) == tokens.row(tokens.before, 1, last, 0));
  const Struck layers("slice_exchange", {.exchanged = "layers"});
  const std::int64_t block = layers.record.physical_block;
  CHECK(layers.after[layers.index(0, block)] == layers.before[layers.index(1, block)]);
  CHECK(layers.after[layers.index(1, block)] == layers.before[layers.index(0, block)]);
}

TEST_CASE("a collision gives a sequence the first blocks of another, records and all", "[sim][faults]") {
  const Struck struck("prefix_collision");

  for (const TableChange& change : struck.record.table_changes) {
    CHECK(change.brings_record);
    CHECK(struck.batch.target().num_stored_tokens(change.after) == block_size);
  }
}

TEST_CASE("a wrong reading changes a scale or a type, and no byte", "[sim][faults]") {
  const Struck scale("wrong_reading", {.reading = "scale"}, {.element_type = ElementType::float8_e4m3});
  const ReadingChange& change = scale.record.reading_changes.front();
  CHECK(change.after == change.before / 4);
  CHECK(scale.before == scale.after);
  const Struck type("wrong_reading", {.reading = "element_type"});
  CHECK(type.batch.readers()[static_cast<std::size_t>(type.record.layer)].geometry.element_type ==
        ElementType::bfloat16);
  CHECK(Struck("wrong_reading", {.reading = "scale"}).reason == "elements of this type have no scale");
}

TEST_CASE("a producer that is one position off writes the next row", "[sim][faults]") {
  const Struck struck("wrong_at_source", {.source_error = "position_offset"});
  const std::int64_t token = struck.record.first_token % block_size;

  CHECK(struck.row(struck.after, 1, token, 0) == struck.row(struck.before, 1, token + 1, 0));
  CHECK(fault_models().at("wrong_at_source").traits().stages ==
        std::vector<FaultStage>{FaultStage::before_producer_sum});
  CHECK(fault_stage_problem("wrong_at_source", FaultStage::in_flight) ==
        "fault model 'wrong_at_source' does not strike at S2; use S0");
}

TEST_CASE("record damage leaves the cache alone and names its block", "[sim][faults]") {
  const Struck struck("record_damage", {.damage = "exchanged"});
  const RecordChange& change = struck.record.record_changes.front();

  CHECK(struck.before == struck.after);
  CHECK(change.damage == RecordDamage::exchanged);
  CHECK((change.sequence != change.other_sequence || change.logical_block != change.other_logical_block));
}

}  // namespace
}  // namespace kvarium
