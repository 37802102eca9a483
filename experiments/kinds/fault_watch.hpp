#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "experiments/kinds/checksum_verdict.hpp"
#include "experiments/kinds/decode_scenario.hpp"
#include "sim/faults/fault_record.hpp"
#include "sim/faults/fault_stage.hpp"

namespace kvarium {

/// A point's checksum on the look-out for faults: the producer's records of every stored block, and what a consumer
/// says of them while a fault is in place. A verdict costs what the fault touched: rows follow their changed bytes
/// where the family can, else the touched rows alone are summed again.
class FaultWatch {
 public:
  /// Sums every stored block. `scenario` must outlive this.
  FaultWatch(const DecodeScenario& scenario, const ChecksumConfig& checksum);

  /// Verdict on a fault that is in place now and was recorded so. Without a checksum: unverified.
  ChecksumVerdict judge(const FaultRecord& record, FaultStage stage);

  /// Verdict on all stored blocks without a fault: clean, false_alarm, or unverified.
  ChecksumVerdict judge_intact() const;

  /// Sums the touched rows, and a few others in turns, in full while the fault that was judged last is still in place.
  /// Returns what differs from the values that its verdict came from, or "".
  std::string recheck();

  /// Bytes that one block's record takes.
  std::int64_t record_bytes() const { return static_cast<std::int64_t>(num_words_) * traits_.width_bits / 8; }

  /// Why the records are not what the sequential reference gives for the first rows, or "".
  std::string golden_problem() const;

 private:
  /// A row as a consumer sees it, with the record it holds it against.
  struct WatchedRow {
    BlockRow row;
    std::int64_t stored = -1;    ///< index of the stored row whose bytes these are; -1: bytes that nobody stored
    std::int64_t recorded = -1;  ///< index of the stored row whose record it is; -1: there is none
  };

  ChecksumVerdict judge_cache_fault(const FaultRecord& record, FaultStage stage);
  ChecksumVerdict judge_table_fault(const FaultRecord& record, FaultStage stage);
  ChecksumVerdict judge_reading_fault(const FaultRecord& record, FaultStage stage);
  ChecksumVerdict judge_record_fault(const FaultRecord& record) const;
  ChecksumVerdict judge_damaged(const RecordChange& change, std::int64_t row, std::int64_t other) const;

  void find_touched(const FaultRecord& record);
  bool follow_changes(const FaultRecord& record);
  void sum_watched();
  std::vector<std::uint64_t> sum_blocks(const std::vector<BlockRow>& blocks) const;
  std::vector<std::int64_t> touched_stored_rows() const;
  ChecksumVerdict verdict_of(const FaultRecord& record, FaultStage stage) const;
  ChecksumVerdict verdict_on_mismatch(const FaultRecord& record, std::size_t watched,
                                      std::span<const std::uint64_t> recorded) const;
  bool is_seen(FaultStage stage) const;

  BlockRow stored_row(std::int64_t index) const;
  std::int64_t row_of(const LogicalBlock& block) const;
  std::span<const std::uint64_t> golden(std::int64_t row) const;
  std::span<const std::uint64_t> present(std::size_t watched) const;
  std::vector<std::uint64_t> sums(const ChecksumRows& rows, const std::string& implementation) const;

  const DecodeScenario& scenario_;
  const ChecksumFamily* family_ = nullptr;  ///< null: no checksum
  ChecksumParameters parameters_;
  ChecksumTraits traits_;
  std::vector<CacheLayer> layers_;
  StoredBlocks stored_;
  std::vector<std::int32_t> row_of_block_;  ///< [num_blocks], -1: not stored
  std::size_t num_words_ = 1;
  std::vector<std::uint64_t> golden_;  ///< [stored rows, num_words_]

  std::int64_t next_recheck_ = 0;
  std::vector<WatchedRow> watched_;     ///< rows that the fault judged last touched
  std::vector<std::uint64_t> present_;  ///< [watched_, num_words_], their values with the fault
  std::vector<std::int32_t> touched_;   ///< stored rows
  std::vector<ChangedByte> changed_;    ///< bytes of one row
};

}  // namespace kvarium
