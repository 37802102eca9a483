#include "experiments/kinds/experiment_kind.hpp"

namespace kvarium {

void register_experiment_kinds(Registry<ExperimentKind>& registry);

const Registry<ExperimentKind>& experiment_kinds() {
  static const Registry<ExperimentKind> registry = [] {
    Registry<ExperimentKind> kinds("kind of experiment");
    register_experiment_kinds(kinds);
    return kinds;
  }();
  return registry;
}

}  // namespace kvarium
