#include "tests/experiments/commands/captured_output.hpp"

#include <unistd.h>

#include <cstdio>
#include <iostream>

#include "experiments/commands/command_line.hpp"

namespace kvarium::test {
namespace {

/// Sends what is written to a file descriptor into a temporary file while it lives.
class Redirection {
 public:
  explicit Redirection(int descriptor) : descriptor_(descriptor), original_(dup(descriptor)), file_(std::tmpfile()) {
    dup2(fileno(file_), descriptor_);
  }
  ~Redirection() { std::fclose(file_); }
  Redirection(const Redirection&) = delete;
  Redirection& operator=(const Redirection&) = delete;

  /// Ends the redirection and returns what was written.
  std::string finish() {
    dup2(original_, descriptor_);
    close(original_);
    std::string text;
    std::rewind(file_);
    for (int letter = std::fgetc(file_); letter != EOF; letter = std::fgetc(file_)) text += static_cast<char>(letter);
    return text;
  }

 private:
  int descriptor_;
  int original_;
  std::FILE* file_;
};

void flush_all() {
  std::cout.flush();
  std::fflush(nullptr);
}

}  // namespace

CommandResult run_program(const std::vector<std::string>& arguments) {
  std::vector<std::string> command_line{"kvarium"};
  command_line.insert(command_line.end(), arguments.begin(), arguments.end());
  flush_all();
  Redirection output(STDOUT_FILENO);
  Redirection errors(STDERR_FILENO);
  CommandResult result;
  result.exit_code = run_command_line(command_line);
  flush_all();
  result.errors = errors.finish();
  result.output = output.finish();
  return result;
}

}  // namespace kvarium::test
