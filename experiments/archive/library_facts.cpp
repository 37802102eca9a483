#include "experiments/archive/library_facts.hpp"

#include <fmt/format.h>
#include <hdf5.h>
#include <openssl/crypto.h>
#include <zlib.h>

#include <Kokkos_Core.hpp>

namespace kvarium {

namespace {

/// Kokkos and fmt both write a version as 10000 * major + 100 * minor + patch.
std::string decimal_version(int version) {
  return fmt::format("{}.{}.{}", version / 10000, version / 100 % 100, version % 100);
}

std::string hdf5_version() {
  unsigned major = 0;
  unsigned minor = 0;
  unsigned release = 0;
  H5get_libversion(&major, &minor, &release);
  return fmt::format("{}.{}.{}", major, minor, release);
}

}  // namespace

RunProvenance library_facts() {
  RunProvenance facts{{"kokkos_version", decimal_version(KOKKOS_VERSION)},
                      {"hdf5_version", hdf5_version()},
                      {"fmt_version", decimal_version(FMT_VERSION)},
                      {"zlib_version", zlibVersion()},
                      {"openssl_version", OpenSSL_version(OPENSSL_VERSION)}};
  if (Kokkos::is_initialized()) {
    facts.emplace_back("kokkos_host_space", Kokkos::DefaultHostExecutionSpace::name());
    facts.emplace_back("threads", Kokkos::DefaultHostExecutionSpace().concurrency());
  }
  return facts;
}

}  // namespace kvarium
