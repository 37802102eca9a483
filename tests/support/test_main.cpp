#include <Kokkos_Core.hpp>
#include <catch2/catch_session.hpp>

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos;
  return Catch::Session().run(argc, argv);
}
