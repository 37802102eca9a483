#pragma once

#include <CLI/App.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "experiments/config/experiment_config.hpp"

namespace kvarium {

/// The arguments that name an experiment: FILE.yaml, --set, --device.
struct ExperimentOptions {
  std::filesystem::path file;
  std::vector<std::string> overrides;
  std::string device;  ///< empty: as the file says
};

/// Adds the arguments to a command. `options` must outlive the parse.
void add_experiment_options(CLI::App& command, ExperimentOptions& options);

/// Adds the same but the file.
void add_override_options(CLI::App& command, ExperimentOptions& options);

/// Adds `--output`, which must not be empty, to a command. `output` must outlive the parse.
void add_output_option(CLI::App& command, std::filesystem::path& output, const std::string& description);

/// The experiment the arguments name. Errors: InputError as load_experiment.
ExperimentConfig load_experiment(const ExperimentOptions& options);

}  // namespace kvarium
