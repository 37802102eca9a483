#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "experiments/kinds/engine_rows.hpp"
#include "experiments/kinds/transfer_attention.hpp"

namespace kvarium {

inline constexpr std::size_t num_check_points = 3;
inline constexpr std::size_t num_cheap_checks = 3;

/// Checks of a transfer that read no contents.
enum class CheapCheck : std::uint8_t {
  coverage,     ///< at source and on landing: every byte of the request's cells arrived
  fingerprint,  ///< there too: both ends and the connector run with equal settings
  length        ///< at a step: block table and length are those of the request
};

/// Names in the order of the enumerators.
const std::vector<std::string>& cheap_check_names();

/// What the checks on landing took.
struct CheckCost {
  double seconds = 0;
  std::int64_t cache_bytes = 0;   ///< of the requests checked
  std::int64_t record_bytes = 0;  ///< of the records they were held against
};

/// Sums, checks and attends for the world of one trial, and keeps what was seen.
class TransferWatch final : public TransferObserver {
 public:
  /// `trial` is the transfer's number, by which samples of buffers are chosen.
  TransferWatch(const PointConfig& point, const TransferShape& shape, const PointContents& contents,
                std::int64_t trial);

  void wrote(TransferWorld& world, EngineRole engine, RequestRole request, TokenSpan tokens,
             std::int64_t first_position) override;
  void record(const TransferWorld& world, RequestRole request) override;
  void check(const TransferWorld& world, RequestRole request, CheckPoint point) override;
  void attend(const TransferWorld& world, RequestRole request) override;

  /// What check number `check` of transfer_checks() came to at a check point, over all requests and steps.
  ChecksumJudgement judgement(std::size_t check, CheckPoint point) const {
    return judgements_[check][static_cast<std::size_t>(point)];
  }
  /// Whether a cheap check raised an alarm.
  bool has_alarm(CheapCheck check) const { return cheap_alarms_[static_cast<std::size_t>(check)]; }
  /// What attention read and gave, over all requests and steps.
  const AttendedDifference& difference() const { return attention_.difference(); }
  /// [transfer_checks()]; not deterministic in its times.
  const std::vector<CheckCost>& costs() const { return costs_; }

 private:
  /// What the producer recorded of a request.
  struct Record {
    std::vector<std::int64_t> valid_tokens;
    std::vector<std::vector<std::uint64_t>> words;  ///< [checks][rows * words_per_row]
  };

  std::vector<std::uint64_t> sums(const TransferCheck& check, const Engine& engine, const EngineRows& rows) const;
  ChecksumJudgement judge(std::size_t check, const Engine& engine, const EngineRows& rows, const Record* record) const;
  void check_landing(std::size_t check, const Engine& engine, const EngineRows& rows, const Record* record);
  void check_cheaply(const TransferWorld& world, RequestRole request, CheckPoint point);

  TransferShape shape_;
  std::uint64_t transfer_number_;
  TransferAttention attention_;
  std::map<RequestRole, Record> records_;
  std::vector<std::array<ChecksumJudgement, num_check_points>> judgements_;
  std::array<bool, num_cheap_checks> cheap_alarms_{};
  std::vector<CheckCost> costs_;
};

}  // namespace kvarium
