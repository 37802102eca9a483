#pragma once

#include <Kokkos_Core.hpp>
#include <string>
#include <vector>

namespace kvarium::test {

/// Labels of what Kokkos is asked to do while this object lives, in order; one at a time. Idea: Kokkos Tools'
/// callbacks set by the program itself, as in ArborX's tests of annotations.
class KokkosEvents {
 public:
  KokkosEvents();
  ~KokkosEvents();
  KokkosEvents(const KokkosEvents&) = delete;
  KokkosEvents& operator=(const KokkosEvents&) = delete;

  /// Of parallel_for, parallel_reduce and parallel_scan.
  const std::vector<std::string>& kernels() const;
  /// Of views that were allocated.
  const std::vector<std::string>& allocations() const;

 private:
  Kokkos::Tools::Experimental::EventSet before_;
};

}  // namespace kvarium::test
