#include "experiments/commands/standard_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <sstream>

namespace kvarium {

void prepare_standard_streams() {
  std::signal(SIGXFSZ, SIG_IGN);
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) >= 0) continue;
    // The wrong way round, so that using a closed stream stays an error. The lowest free number is the closed one's.
    const int opened = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
    if (opened >= 0 && opened != descriptor) close(opened);
  }
}

void print_error(const std::string& message) {
  std::istringstream lines(message);
  for (std::string line; std::getline(lines, line);) std::fputs(("kvarium: " + line + "\n").c_str(), stderr);
}

bool is_output_written() { return std::fflush(stdout) == 0 && std::ferror(stdout) == 0; }

}  // namespace kvarium
