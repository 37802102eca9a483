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

namespace kvarium {

/// What a fault model is, for tables and configuration readers.
struct FaultTraits {
  std::string description;
  std::string fault_class;                   ///< number in the list of fault classes, such as "1a"
  std::vector<std::string> parameter_names;  ///< settings it takes; the others must keep their defaults
};

/// A way in which a paged cache goes wrong.
class FaultModel {
 public:
  virtual ~FaultModel() = default;
  /// What the model does and which settings it takes.
  virtual FaultTraits traits() const = 0;

  /// Draws a site, changes the caches of `target` and reports every byte changed; or changes nothing and says
  /// why the fault is not applicable. Equal random numbers and contents give equal faults.
  /// Precondition: valid parameters. `record.model` is left to inject_fault.
  virtual FaultOutcome inject(const FaultTarget& target, const FaultParameters& parameters,
                              CounterRandom& random) const = 0;
};

/// Every fault model of this build, in list order.
const Registry<FaultModel>& fault_models();

/// What is wrong with `parameters` for the model called `name`, one line a problem; empty when all is well.
/// Errors: InputError for an unknown model.
std::vector<std::string> fault_parameter_problems(std::string_view name, const FaultParameters& parameters);

/// Injects one fault of the model called `name` and fills in record.model.
/// Errors: InputError for an unknown model or the first problem of the parameters.
FaultOutcome inject_fault(std::string_view name, const FaultTarget& target, const FaultParameters& parameters,
                          CounterRandom& random);

}  // namespace kvarium
