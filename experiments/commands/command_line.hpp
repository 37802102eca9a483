#pragma once

#include <string>
#include <vector>

namespace kvarium {

/// Runs the program `kvarium` with a command line (program first) and returns its exit code: 0 complete, 1 a point
/// failed or was wrong, 2 the input was wrong, 3 stopped early and resumable. Errors are lines on stderr; throws
/// nothing.
int run_command_line(const std::vector<std::string>& arguments);

}  // namespace kvarium
