#include "experiments/archive/hdf5_probe.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>

#include "core/check.hpp"

namespace kvarium {

namespace {

constexpr unsigned longest_seconds = 120;

/// The end of a child that crashes is told by its parent alone: no core, no message of allocator or sanitizer.
void silence_crashes() {
  for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGALRM}) std::signal(signal, SIG_DFL);
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  const int nowhere = open("/dev/null", O_WRONLY);
  if (nowhere >= 0) dup2(nowhere, STDERR_FILENO);
}

std::string end_text(int status) {
  return WIFSIGNALED(status) ? concatenate("signal ", WTERMSIG(status)) : concatenate("status ", WEXITSTATUS(status));
}

[[noreturn]] void read_and_exit(const std::function<void()>& read) {
  silence_crashes();
  alarm(longest_seconds);
  try {
    read();
  } catch (...) {
    // The parent meets it again and says what it is.
  }
  _exit(0);
}

}  // namespace

void probe_hdf5(const std::filesystem::path& path, const std::function<void()>& read) {
  // What waits in the buffers would be written twice.
  std::fflush(nullptr);
  const pid_t child = fork();
  if (child < 0) return;
  if (child == 0) read_and_exit(read);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  // A child that reads to the end, whatever it finds, leaves 0: sanitizers end a crashing one with a status instead.
  KVARIUM_VALIDATE(status == 0, path.string(), ": damaged inside (reading it ends in ", end_text(status),
                   "); use another copy of the file");
}

}  // namespace kvarium
