#include "core/host_runtime.hpp"

#include <charconv>
#include <cstdlib>
#include <string_view>
#include <thread>

#include "core/check.hpp"

namespace kvarium {
namespace {

/// The number in the environment, if there is one. OpenMP may name one for each level of nesting: the first counts.
int threads_in(const char* variable) {
  const char* const value = std::getenv(variable);
  if (value == nullptr || *value == '\0') return 0;
  const std::string_view text = std::string_view(value).substr(0, std::string_view(value).find(','));
  int threads = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), threads);
  KVARIUM_VALIDATE(error == std::errc() && end == text.data() + text.size() && threads > 0, "environment variable ",
                   variable, " is '", value, "'; set it to a number of threads from 1 to ", most_host_threads);
  KVARIUM_VALIDATE(threads <= most_host_threads, "environment variable ", variable, " asks for ", threads,
                   " threads; set it to at most ", most_host_threads);
  return threads;
}

}  // namespace

void validate_host_threads() {
  const int for_kokkos = threads_in("KOKKOS_NUM_THREADS");
  const int for_openmp = threads_in("OMP_NUM_THREADS");
  if (for_kokkos > 0 || for_openmp > 0) return;
  const unsigned int available = std::thread::hardware_concurrency();
  KVARIUM_VALIDATE(available <= static_cast<unsigned int>(most_host_threads), "this machine has ", available,
                   " hardware threads; set the environment variable OMP_NUM_THREADS to at most ", most_host_threads);
}

}  // namespace kvarium
