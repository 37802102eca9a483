#include "experiments/commands/experiment_options.hpp"

#include <CLI/CLI.hpp>

#include "experiments/config/known_names.hpp"
#include "experiments/plan/load_experiment.hpp"

namespace kvarium {

void add_experiment_options(CLI::App& command, ExperimentOptions& options) {
  command.add_option("FILE", options.file, "Experiment, a YAML file")->required();
  add_override_options(command, options);
}

void add_override_options(CLI::App& command, ExperimentOptions& options) {
  command
      .add_option("--set", options.overrides,
                  "KEY=VALUE: give a key of base (as cache.layout) or of the file (as seed) another value; may be "
                  "repeated")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command.add_option("--device", options.device, "Where kernels run, instead of what the file says")
      ->check(CLI::IsMember(known_devices()));
}

void add_output_option(CLI::App& command, std::filesystem::path& output, const std::string& description) {
  command.add_option("--output", output, description)->check([](const std::string& text) {
    return text.empty() ? std::string("the name is empty, give that of a file") : std::string();
  });
}

ExperimentConfig load_experiment(const ExperimentOptions& options) {
  std::vector<std::string> overrides = options.overrides;
  if (!options.device.empty()) overrides.push_back("device=" + options.device);
  return load_experiment(options.file, overrides);
}

}  // namespace kvarium
