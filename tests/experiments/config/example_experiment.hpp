#pragma once

#include <string>
#include <vector>

#include "experiments/config/experiment_config.hpp"

namespace kvarium::test {

/// The shortest valid file, with more text after it.
std::string example_text(const std::string& more = "");

/// The experiment in `text`, read as "f.yaml". Errors: InputError.
ExperimentConfig parse(const std::string& text, const std::vector<std::string>& overrides = {});

/// Message of the InputError that `text` gives, or "".
std::string complaint(const std::string& text, const std::vector<std::string>& overrides = {});

}  // namespace kvarium::test
