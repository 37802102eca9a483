#pragma once

namespace kvarium {

/// Threads that Kokkos has room for; it does not check them itself.
inline constexpr int most_host_threads = 512;

/// What Kokkos and OpenMP are about to read from the environment. To be called before Kokkos starts. Errors: InputError
/// for a number of threads that is none, or above most_host_threads.
void validate_host_threads();

}  // namespace kvarium
