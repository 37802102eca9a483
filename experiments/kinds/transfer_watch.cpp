#include "experiments/kinds/transfer_watch.hpp"

#include <chrono>
#include <numeric>
#include <span>

#include "experiments/kinds/slot_watch.hpp"

namespace kvarium {
namespace {

/// The engine whose memory is checked.
EngineRole engine_of(const TransferWorld& world, CheckPoint point) {
  return point == CheckPoint::source ? world.last_source() : EngineRole::consumer;
}

}  // namespace

const std::vector<std::string>& cheap_check_names() {
  static const std::vector<std::string> names{"coverage", "fingerprint", "length"};
  return names;
}

TransferWatch::TransferWatch(const PointConfig& point, const TransferShape& shape, const PointContents& contents,
                             std::int64_t trial)
    : shape_(shape),
      transfer_number_(static_cast<std::uint64_t>(trial)),
      attention_(point, contents),
      judgements_(transfer_checks().size()),
      costs_(transfer_checks().size()) {
  for (auto& points : judgements_) points.fill(ChecksumJudgement::clean);
}

void TransferWatch::wrote(TransferWorld& world, EngineRole engine, RequestRole request, TokenSpan tokens,
                          std::int64_t first_position) {
  write_slot_records(world, engine, request, tokens, first_position);
}

std::vector<std::uint64_t> TransferWatch::sums(const TransferCheck& check, const Engine& engine,
                                               const EngineRows& rows) const {
  ChecksumParameters parameters = check.parameters;
  if (parameters.sampled_buffers > 0) parameters.seed = transfer_number_;
  std::vector<std::uint64_t> words = check.family->compute(cache_layers(engine), rows.rows(), parameters);
  if (check.scope == RecordScope::block) return words;
  return {std::accumulate(words.begin(), words.end(), std::uint64_t{0})};
}

void TransferWatch::record(const TransferWorld& world, RequestRole request) {
  const Engine& engine = world.engine(EngineRole::producer);
  const EngineRows rows = engine_rows(world, EngineRole::producer, request, CheckPoint::source);
  Record& record = records_[request];
  record = {rows.valid_tokens, {}};
  for (const TransferCheck& check : transfer_checks()) {
    record.words.push_back(stands_beside_slots(check) ? std::vector<std::uint64_t>{} : sums(check, engine, rows));
  }
}

void TransferWatch::check(const TransferWorld& world, RequestRole request, CheckPoint point) {
  const Engine& engine = world.engine(engine_of(world, point));
  const EngineRows rows = engine_rows(world, engine_of(world, point), request, point);
  const auto found = records_.find(request);
  const Record* record = found == records_.end() ? nullptr : &found->second;
  for (std::size_t check = 0; check < transfer_checks().size(); ++check) {
    if (point == CheckPoint::landing) {
      check_landing(check, engine, rows, record);
      continue;
    }
    ChecksumJudgement& worst = judgements_[check][static_cast<std::size_t>(point)];
    worst = graver(worst, judge(check, engine, rows, record));
  }
  check_cheaply(world, request, point);
}

void TransferWatch::check_landing(std::size_t check, const Engine& engine, const EngineRows& rows,
                                  const Record* record) {
  const auto begin = std::chrono::steady_clock::now();
  ChecksumJudgement& worst = judgements_[check][static_cast<std::size_t>(CheckPoint::landing)];
  const ChecksumJudgement judgement = judge(check, engine, rows, record);
  costs_[check].seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  worst = graver(worst, judgement);
  const std::int64_t tokens = std::accumulate(rows.valid_tokens.begin(), rows.valid_tokens.end(), std::int64_t{0});
  const std::int64_t cell = 2 * std::int64_t{shape_.head_size} * element_bytes(shape_.element_type);
  costs_[check].cache_bytes += tokens * shape_.num_layers * shape_.num_kv_heads * cell;
  const TransferCheck& checked = transfer_checks()[check];
  const std::int64_t words = checked.family->words_per_row(cache_layers(engine), checked.parameters);
  const std::int64_t num_rows = checked.scope == RecordScope::request ? 1 : rows.size();
  costs_[check].record_bytes += num_rows * words * static_cast<std::int64_t>(sizeof(std::uint64_t));
}

ChecksumJudgement TransferWatch::judge(std::size_t number, const Engine& engine, const EngineRows& rows,
                                       const Record* record) const {
  const TransferCheck& check = transfer_checks()[number];
  if (!is_comparable(check, shape_) || record == nullptr) return ChecksumJudgement::unverified;
  const std::vector<std::uint64_t> found = sums(check, engine, rows);
  if (stands_beside_slots(check)) return judge_slots(number, engine, rows, found);
  const std::span<const std::uint64_t> recorded(record->words[number]);
  if (check.scope == RecordScope::request) return check.family->judge({recorded}, found, check.parameters);
  const std::size_t width = found.size() / rows.block_ids.size();
  ChecksumJudgement worst = ChecksumJudgement::clean;
  for (std::size_t row = 0; row < rows.block_ids.size(); ++row) {
    const bool is_recorded = row < record->valid_tokens.size() && record->valid_tokens[row] == rows.valid_tokens[row];
    const ChecksumRecord of_row{is_recorded ? recorded.subspan(row * width, width) : recorded.first(0), is_recorded};
    worst = graver(worst, check.family->judge(of_row, std::span(found).subspan(row * width, width), check.parameters));
  }
  return worst;
}

void TransferWatch::check_cheaply(const TransferWorld& world, RequestRole request, CheckPoint point) {
  const auto alarm = [&](CheapCheck check, bool is_raised) {
    bool& is_alarm = cheap_alarms_[static_cast<std::size_t>(check)];
    is_alarm = is_alarm || is_raised;
  };
  if (point == CheckPoint::step) {
    const ReaderState& reader = world.reader(request);
    const std::int64_t blocks = world.engine(EngineRole::consumer).blocks_of(reader.length);
    return alarm(CheapCheck::length, reader.length != shape_.num_tokens || blocks != std::ssize(reader.table));
  }
  const EngineRole role = engine_of(world, point);
  const Engine& engine = world.engine(role);
  const bool is_transferred = point == CheckPoint::landing || shape_.uses_host_tier;
  if (is_transferred)
    alarm(CheapCheck::coverage, !TransferAttention::has_arrived(engine, request, world.length(request)));
  const bool has_right_blocks = world.belief(role).geometry.block_size == engine.block_size();
  alarm(CheapCheck::fingerprint, !world.has_equal_settings || !has_right_blocks);
}

void TransferWatch::attend(const TransferWorld& world, RequestRole request) { attention_.attend(world, request); }

}  // namespace kvarium
