#include "experiments/kinds/fault_watch.hpp"

#include <algorithm>

#include "experiments/config/checksum_rules.hpp"
#include "experiments/kinds/piece_repairs.hpp"

namespace kvarium {
namespace {

/// Changed bytes that rows are followed through; where there are more, summing the touched rows again is faster.
constexpr std::size_t most_followed_bytes = 512;
/// Rows that the sequential reference is asked for: it takes these well under a second a layer.
constexpr std::int64_t reference_rows = 64;
/// Rows that a recheck sums beside the touched ones; in turns, so that a campaign comes round to all of them.
constexpr std::int64_t untouched_rechecks = 8;

/// Whether a fault leaves everything that is stored, and how it is read, as it was.
bool is_harmless(const FaultRecord& record) {
  return record.struck == StruckThing::cache && record.num_changed_stored_bytes == 0;
}

}  // namespace

FaultWatch::FaultWatch(const DecodeScenario& scenario, const ChecksumConfig& checksum)
    : scenario_(scenario), layers_(scenario.checksum_layers()), stored_(scenario.stored_blocks()) {
  if (checksum.family == "none") return;
  family_ = &checksum_families().at(checksum.family);
  parameters_ = checksum_parameters(checksum);
  traits_ = family_->traits(parameters_);
  num_words_ = static_cast<std::size_t>(family_->words_per_row(layers_, parameters_));
  row_of_block_.assign(static_cast<std::size_t>(scenario.batch().num_blocks), -1);
  for (std::size_t row = 0; row < stored_.block_ids.size(); ++row) {
    row_of_block_[static_cast<std::size_t>(stored_.block_ids[row])] = static_cast<std::int32_t>(row);
  }
  golden_ = sums(stored_.rows(), "host");
}

std::vector<std::uint64_t> FaultWatch::sums(const ChecksumRows& rows, const std::string& implementation) const {
  ChecksumParameters parameters = parameters_;
  parameters.implementation = implementation;
  return family_->compute(layers_, rows, parameters);
}

std::string FaultWatch::golden_problem() const {
  if (family_ == nullptr) return {};
  ChecksumRows rows = stored_.rows();
  rows.num_rows = std::min(rows.num_rows, reference_rows);
  const std::vector<std::uint64_t> expected = sums(rows, "host_reference");
  if (std::equal(expected.begin(), expected.end(), golden_.begin())) return {};
  return "the checksums of the undamaged blocks differ from the sequential reference";
}

ChecksumVerdict FaultWatch::judge(const FaultRecord& record, FaultStage stage) {
  watched_.clear();
  if (family_ == nullptr) return ChecksumVerdict::unverified;
  switch (record.struck) {
    case StruckThing::cache:
      return judge_cache_fault(record, stage);
    case StruckThing::block_table:
      return judge_table_fault(record, stage);
    case StruckThing::reading:
      return judge_reading_fault(record, stage);
    case StruckThing::checksum_record:
      return judge_record_fault(record);
  }
  return ChecksumVerdict::unverified;
}

ChecksumVerdict FaultWatch::judge_intact() const {
  if (family_ == nullptr) return ChecksumVerdict::unverified;
  const std::vector<std::uint64_t> now = sums(stored_.rows(), "host");
  bool is_verified = true;
  for (std::size_t row = 0; row < stored_.block_ids.size(); ++row) {
    const std::span<const std::uint64_t> words(now.data() + row * num_words_, num_words_);
    const ChecksumJudgement judgement = family_->judge({golden(static_cast<std::int64_t>(row))}, words, parameters_);
    if (judgement == ChecksumJudgement::mismatch) return ChecksumVerdict::false_alarm;
    is_verified = is_verified && judgement == ChecksumJudgement::clean;
  }
  return is_verified ? ChecksumVerdict::clean : ChecksumVerdict::unverified;
}

ChecksumVerdict FaultWatch::judge_cache_fault(const FaultRecord& record, FaultStage stage) {
  find_touched(record);
  if (!follow_changes(record)) sum_watched();
  return verdict_of(record, stage);
}

void FaultWatch::find_touched(const FaultRecord& record) {
  touched_.clear();
  std::int32_t last = -1;
  for (const ByteChange& change : record.changes) {
    if (change.block == last) continue;
    last = change.block;
    const std::int32_t row = row_of_block_[static_cast<std::size_t>(last)];
    if (row >= 0) touched_.push_back(row);
  }
  std::ranges::sort(touched_);
  touched_.erase(std::ranges::unique(touched_).begin(), touched_.end());
  for (const std::int32_t row : touched_) watched_.push_back({stored_row(row), row, row});
}

bool FaultWatch::follow_changes(const FaultRecord& record) {
  if (!traits_.updates || record.changes.size() > most_followed_bytes) return false;
  present_.resize(watched_.size() * num_words_);
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    const BlockRow& row = watched_[i].row;
    changed_.clear();
    for (const ByteChange& change : record.changes) {
      if (change.block != row.block) continue;
      changed_.push_back(
          {change.layer, change.kv_head, change.token, change.byte, std::byte{change.before}, std::byte{change.after}});
    }
    const std::span<std::uint64_t> words(present_.data() + i * num_words_, num_words_);
    std::ranges::copy(golden(watched_[i].stored), words.begin());
    if (!family_->update(layers_, row, changed_, parameters_, words)) return false;
  }
  return true;
}

void FaultWatch::sum_watched() {
  std::vector<BlockRow> blocks;
  for (const WatchedRow& watched : watched_) blocks.push_back(watched.row);
  present_ = sum_blocks(blocks);
}

std::vector<std::uint64_t> FaultWatch::sum_blocks(const std::vector<BlockRow>& blocks) const {
  StoredBlocks rows;
  const auto block_size = static_cast<std::size_t>(scenario_.batch().block_size);
  for (const BlockRow& block : blocks) {
    rows.block_ids.push_back(block.block);
    rows.first_tokens.push_back(block.first_token);
    rows.valid_tokens.push_back(block.valid_tokens);
    rows.token_ids.insert(rows.token_ids.end(), block.token_ids, block.token_ids + block_size);
  }
  return sums(rows.rows(), "host");
}

std::vector<std::int64_t> FaultWatch::touched_stored_rows() const {
  std::vector<std::int64_t> rows;
  for (const WatchedRow& watched : watched_) {
    if (watched.stored >= 0) rows.push_back(watched.stored);
  }
  return rows;
}

ChecksumVerdict FaultWatch::judge_table_fault(const FaultRecord& record, FaultStage stage) {
  const std::int64_t block_size = scenario_.batch().block_size;
  for (const TableChange& change : record.table_changes) {
    // The reader expects the tokens that its own block held, wherever the table leads it.
    WatchedRow watched;
    const std::int64_t own = row_of_block_[static_cast<std::size_t>(change.before)];
    watched.row = stored_row(own);
    watched.row.block = change.after;
    watched.row.first_token = change.logical_block * block_size;
    watched.stored = row_of_block_[static_cast<std::size_t>(change.after)];
    watched.recorded = change.brings_record || traits_.beside_slots ? watched.stored : own;
    watched_.push_back(watched);
  }
  sum_watched();
  return verdict_of(record, stage);
}

/// A reader that counts another number of tokens compares nothing where the last block's sum depends on them.
ChecksumVerdict FaultWatch::judge_reading_fault(const FaultRecord& record, FaultStage stage) {
  const ReadingChange& change = record.reading_changes.front();
  if (change.quantity != ReadQuantity::sequence_length || !is_seen(stage)) return ChecksumVerdict::missed;
  const bool counts_more = change.after > change.before;
  if (!traits_.beside_slots) return traits_.masks_tail ? ChecksumVerdict::unverified : ChecksumVerdict::missed;
  // A slot that nobody attends is not checked; one too many is, and has no record.
  return counts_more ? ChecksumVerdict::detected : ChecksumVerdict::missed;
}

ChecksumVerdict FaultWatch::judge_record_fault(const FaultRecord& record) const {
  const RecordChange& change = record.record_changes.front();
  const std::int64_t row = row_of({change.sequence, change.logical_block});
  if (change.damage != RecordDamage::exchanged) return judge_damaged(change, row, row);
  const std::int64_t other = row_of({change.other_sequence, change.other_logical_block});
  return graver(judge_damaged(change, row, other), judge_damaged(change, other, row));
}

/// What is said of a stored row whose data are right and whose record is damaged, or that of the row `other`.
ChecksumVerdict FaultWatch::judge_damaged(const RecordChange& change, std::int64_t row, std::int64_t other) const {
  std::vector<std::uint64_t> words(golden(other).begin(), golden(other).end());
  if (change.damage == RecordDamage::zeroed) std::ranges::fill(words, 0);
  if (change.damage == RecordDamage::flipped_bit) {
    const auto width = static_cast<std::uint64_t>(traits_.width_bits);
    const std::uint64_t bit = change.draw % (width * words.size());
    words[bit / width] ^= std::uint64_t{1} << (bit % width);
  }
  const bool is_present = change.damage != RecordDamage::dropped;
  switch (family_->judge({words, is_present}, golden(row), parameters_)) {
    case ChecksumJudgement::clean:
      return ChecksumVerdict::clean;
    case ChecksumJudgement::unverified:
      return ChecksumVerdict::unverified;
    case ChecksumJudgement::mismatch:
      break;
  }
  // Whatever is repaired now was right before.
  const bool repairs = family_->repair(layers_, stored_row(row), words, golden(row), parameters_).has_value();
  return repairs ? ChecksumVerdict::wrong_repair : ChecksumVerdict::false_alarm;
}

/// At S0 producer and consumer sum the same damage, at S3 the same undamaged bytes; records beside the slots are
/// checked at every step, after S3 too.
bool FaultWatch::is_seen(FaultStage stage) const {
  if (stage == FaultStage::before_producer_sum) return false;
  return stage != FaultStage::after_consumer_check || traits_.beside_slots;
}

ChecksumVerdict FaultWatch::verdict_of(const FaultRecord& record, FaultStage stage) const {
  static const std::vector<std::uint64_t> nothing;
  bool is_verified = true;
  std::optional<ChecksumVerdict> alarm;
  for (std::size_t i = 0; i < watched_.size(); ++i) {
    const std::int64_t recorded = watched_[i].recorded;
    std::span<const std::uint64_t> record_words = recorded >= 0 ? golden(recorded) : nothing;
    if (stage == FaultStage::before_producer_sum) record_words = present(i);
    const std::span<const std::uint64_t> found = is_seen(stage) ? present(i) : record_words;
    switch (family_->judge({record_words, !record_words.empty()}, found, parameters_)) {
      case ChecksumJudgement::clean:
        break;
      case ChecksumJudgement::unverified:
        is_verified = false;
        break;
      case ChecksumJudgement::mismatch:
        alarm = graver(alarm.value_or(ChecksumVerdict::clean), verdict_on_mismatch(record, i, record_words));
    }
  }
  if (alarm) return *alarm;
  return is_verified ? ChecksumVerdict::missed : ChecksumVerdict::unverified;
}

ChecksumVerdict FaultWatch::verdict_on_mismatch(const FaultRecord& record, std::size_t watched,
                                                std::span<const std::uint64_t> recorded) const {
  const BlockRow& row = watched_[watched].row;
  const auto repairs = family_->repair(layers_, row, recorded, present(watched), parameters_);
  if (!repairs) return is_harmless(record) ? ChecksumVerdict::false_alarm : ChecksumVerdict::detected;
  const bool is_right = record.struck == StruckThing::cache && restores(*repairs, record, row, layers_);
  return is_right ? ChecksumVerdict::repaired : ChecksumVerdict::wrong_repair;
}

std::string FaultWatch::recheck() {
  if (family_ == nullptr) return {};
  std::vector<std::int64_t> rows = touched_stored_rows();
  for (std::int64_t i = 0; i < untouched_rechecks; ++i) rows.push_back(next_recheck_++ % std::ssize(stored_.block_ids));
  std::vector<BlockRow> blocks;
  for (const std::int64_t row : rows) blocks.push_back(stored_row(row));
  const std::vector<std::uint64_t> now = sum_blocks(blocks);
  for (std::size_t index = 0; index < rows.size(); ++index) {
    const std::int64_t row = rows[index];
    std::span<const std::uint64_t> expected = golden(row);
    for (std::size_t i = 0; i < watched_.size(); ++i) {
      // Rows of a table fault are stored blocks at other positions.
      const bool is_own = watched_[i].stored == row && watched_[i].row.first_token == stored_row(row).first_token &&
                          watched_[i].row.token_ids == stored_row(row).token_ids;
      if (is_own) expected = present(i);
    }
    if (std::ranges::equal(expected, std::span(now.data() + index * num_words_, num_words_))) {
      continue;
    }
    return concatenate("block ", stored_.block_ids[static_cast<std::size_t>(row)],
                       " summed in full differs from the value its verdict came from");
  }
  return {};
}

BlockRow FaultWatch::stored_row(std::int64_t index) const {
  const auto row = static_cast<std::size_t>(index);
  return {stored_.block_ids[row], stored_.first_tokens[row], stored_.valid_tokens[row],
          stored_.token_ids.data() + row * static_cast<std::size_t>(scenario_.batch().block_size)};
}

std::int64_t FaultWatch::row_of(const LogicalBlock& block) const {
  const std::int32_t id = scenario_.batch().block_tables(block.sequence, block.logical_block);
  return row_of_block_[static_cast<std::size_t>(id)];
}

std::span<const std::uint64_t> FaultWatch::golden(std::int64_t row) const {
  return {golden_.data() + static_cast<std::size_t>(row) * num_words_, num_words_};
}

std::span<const std::uint64_t> FaultWatch::present(std::size_t watched) const {
  return {present_.data() + watched * num_words_, num_words_};
}

}  // namespace kvarium
