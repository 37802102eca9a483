#include <Kokkos_Core.hpp>
#include <catch2/catch_session.hpp>
#include <cstdlib>
#include <filesystem>

int main(int argc, char** argv) {
  // Where the set-up found NVRTC, unless the caller names another one; empty: where the library looks by itself.
  const std::filesystem::path nvrtc = KVARIUM_TEST_NVRTC;
  if (std::filesystem::exists(nvrtc)) setenv("KVARIUM_NVRTC", nvrtc.c_str(), 0);
  const Kokkos::ScopeGuard kokkos;
  return Catch::Session().run(argc, argv);
}
