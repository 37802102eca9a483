#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiments/config/experiment_config.hpp"

namespace kvarium {

/// Text of an experiment and how to read it.
struct ExperimentSource {
  std::string text;                    ///< YAML
  std::string file;                    ///< name used in messages
  std::filesystem::path folder;        ///< what paths in the text are relative to
  std::vector<std::string> overrides;  ///< "key=value", applied in order over the text
};

/// Reads and checks an experiment. Errors: InputError with a line for each error, "FILE:LINE:COLUMN: what; remedy".
ExperimentConfig parse_experiment(const ExperimentSource& source);

/// Reads and checks the experiment in a YAML file. Errors: as parse_experiment; InputError for an unreadable file.
ExperimentConfig load_experiment(const std::filesystem::path& file, const std::vector<std::string>& overrides = {});

}  // namespace kvarium
