#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/random.hpp"
#include "core/registry.hpp"
#include "sim/faults/fault_parameters.hpp"
#include "sim/faults/fault_record.hpp"
#include "sim/faults/fault_stage.hpp"
#include "sim/faults/fault_target.hpp"
#include "sim/faults/injection.hpp"

namespace kvarium {

/// What a fault model is, for tables and configuration readers.
struct FaultTraits {
  std::string description;
  std::string fault_class;                   ///< number in the list of fault classes, such as "1a"
  std::vector<std::string> parameter_names;  ///< settings it takes; the others must keep their defaults
  /// Stages at which it can strike.
  std::vector<FaultStage> stages = {FaultStage::before_producer_sum, FaultStage::after_producer_sum,
                                    FaultStage::in_flight, FaultStage::after_consumer_check};
};

/// A way in which a paged cache, its block table, what readers believe of it, or its checksum records go wrong.
class FaultModel {
 public:
  virtual ~FaultModel() = default;
  /// What the model does and which settings it takes.
  virtual FaultTraits traits() const = 0;

  /// Draws a site, collects changes and strikes, or refuses with the reason why the fault cannot apply. Equal random
  /// numbers and contents give equal faults.
  /// Preconditions: the injection has begun with valid parameters; a token is attended.
  virtual void inject(Injection& injection) const = 0;
};

/// Every fault model of this build, in list order.
const Registry<FaultModel>& fault_models();

/// What is wrong with `parameters` for the model called `name`, one line a problem; empty when all is well.
/// Errors: InputError for an unknown model.
std::vector<std::string> fault_parameter_problems(std::string_view name, const FaultParameters& parameters);

/// Why the model called `name` cannot strike at a stage, or "".
std::string fault_stage_problem(std::string_view name, FaultStage stage);

/// One model with its settings, checked once and injected often.
class FaultInjector {
 public:
  /// `target` must outlive this. Errors: InputError for an unknown model or the first problem of the parameters.
  FaultInjector(std::string_view name, const FaultParameters& parameters, const FaultTarget& target);
  FaultInjector(const FaultInjector&) = delete;
  FaultInjector& operator=(const FaultInjector&) = delete;

  /// Injects one fault and returns what it did; valid until the next call. Allocates nothing once its lists have grown
  /// to the size of the faults.
  const Injection& inject(const CounterRandom& random);

 private:
  std::string name_;
  FaultParameters parameters_;
  const FaultModel& model_;
  Injection injection_;
};

/// Injects one fault of the model called `name`. Errors: as FaultInjector.
FaultOutcome inject_fault(std::string_view name, const FaultTarget& target, const FaultParameters& parameters,
                          const CounterRandom& random);

}  // namespace kvarium
