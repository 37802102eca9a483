#pragma once

#include <optional>
#include <vector>

#include "experiments/kinds/decode_scenario.hpp"
#include "experiments/kinds/output_comparison.hpp"
#include "sim/faults/earlier_requests.hpp"
#include "sim/faults/fault_model.hpp"

namespace kvarium {

/// What a fault did to the attention output.
enum class FaultEffect : std::uint8_t { not_applicable, masked, tolerable, corrupted, nan };

/// What the checksum said of it.
enum class ChecksumVerdict : std::uint8_t { clean, detected, missed, repaired, wrong_repair, unverified, false_alarm };

/// What a trial injects: a fault, or nothing to see what the measurement itself does.
enum class TrialControl : std::uint8_t { fault, dummy, noise };

/// Names in the order of the enumerators, as archives hold them.
const std::vector<std::string>& fault_effect_names();
const std::vector<std::string>& checksum_verdict_names();
const std::vector<std::string>& trial_control_names();

/// Outcome of one trial.
struct FaultTrial {
  TrialControl control = TrialControl::fault;
  FaultEffect effect = FaultEffect::masked;
  ChecksumVerdict verdict = ChecksumVerdict::clean;
  bool is_activated = false;  ///< attention read a changed byte
  OutputDifference difference;
  FaultOutcome fault;
};

/// One point's campaign: a batch, its fault-free outputs and checksums, and trials that each inject one fault, look,
/// and put every byte back.
class FaultCampaign {
 public:
  /// Errors: InputError for a point whose contents or variant do not fit.
  FaultCampaign(const PointConfig& point, const RandomKey& key);

  const DecodeScenario& scenario() const { return scenario_; }
  /// Fault-free output of a layer.
  const std::vector<std::byte>& golden(std::int64_t layer) const { return golden_[static_cast<std::size_t>(layer)]; }

  /// Trial `index`; equal for equal random key and index, whatever ran before.
  FaultTrial run_trial(TrialControl control, std::int64_t index) const;

 private:
  void observe(FaultTrial& trial) const;
  ChecksumVerdict judge(const FaultTrial& trial) const;
  std::vector<std::uint64_t> checksums() const;

  PointConfig point_;
  RandomKey key_;
  DecodeScenario scenario_;
  StoredBlocks stored_;
  EarlierRequests earlier_;
  FaultTarget target_;
  std::vector<std::vector<std::byte>> golden_;
  std::vector<std::uint64_t> recorded_;  ///< the producer's checksums, one a stored block
};

}  // namespace kvarium
