#pragma once

#include <string>
#include <vector>

namespace kvarium::test {

/// What a command line did.
struct CommandResult {
  int exit_code = 0;
  std::string output;  ///< stdout
  std::string errors;  ///< stderr
};

/// Runs `kvarium` with `arguments` in this process.
CommandResult run_program(const std::vector<std::string>& arguments);

}  // namespace kvarium::test
