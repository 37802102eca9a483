#pragma once

#include <string>
#include <vector>

#include "experiments/kinds/checksum_verdict.hpp"
#include "experiments/kinds/fault_scene.hpp"
#include "experiments/kinds/fault_watch.hpp"
#include "experiments/kinds/kept_attention.hpp"
#include "experiments/kinds/output_comparison.hpp"

namespace kvarium {

/// What a fault did to the attention output.
enum class FaultEffect : std::uint8_t { not_applicable, masked, tolerable, corrupted, nan };

/// Names in the order of the enumerators, as archives hold them.
const std::vector<std::string>& fault_effect_names();

/// Outcome of one trial.
struct FaultTrial {
  TrialControl control = TrialControl::fault;
  FaultEffect effect = FaultEffect::masked;
  ChecksumVerdict verdict = ChecksumVerdict::clean;
  bool is_activated = false;  ///< attention read a changed byte, table entry or reading
  OutputDifference difference;
  FaultOutcome fault;
  bool is_rechecked = false;  ///< computed again in full
};

/// One point's campaign: a batch, its fault-free outputs and checksums, and trials that each inject one fault, look,
/// and put every byte back. A trial costs what its fault touched.
class FaultCampaign {
 public:
  /// Errors: InputError for a point whose contents or variant do not fit.
  FaultCampaign(const PointConfig& point, const RandomKey& key);

  const DecodeScenario& scenario() const { return scene_.scenario(); }
  const FaultTarget& target() const { return scene_.target(); }
  /// Fault-free output of a layer.
  const std::vector<std::byte>& golden(std::int64_t layer) const { return attention_.golden(layer); }

  /// Trial `index`; equal for equal random key and index, whatever ran before.
  FaultTrial run_trial(TrialControl control, std::int64_t index);

  /// The same fault seen by attending everything that it touches in full: what a trial would cost otherwise. Effect,
  /// verdict and difference are those of run_trial.
  FaultTrial run_whole_trial(std::int64_t index);

  /// Where a trial computed again in full differed from its verdict or output first, or "".
  const std::string& recheck_problem() const { return recheck_problem_; }

 private:
  void observe(FaultTrial& trial);
  void recheck(std::int64_t index);

  PointConfig point_;
  RandomKey key_;
  FaultScene scene_;
  FaultWatch watch_;
  KeptAttention attention_;
  FaultInjector injector_;
  std::string recheck_problem_;
};

}  // namespace kvarium
