#include "tests/support/kokkos_events.hpp"

#include <stdexcept>

namespace kvarium::test {
namespace {

struct Labels {
  std::vector<std::string> kernels, allocations;
};

/// Where the callbacks write: they take no context of their own.
Labels* recorded = nullptr;

void record_kernel(const char* label, const std::uint32_t, std::uint64_t*) { recorded->kernels.emplace_back(label); }

void record_allocation(const Kokkos_Profiling_SpaceHandle, const char* label, const void*, const std::uint64_t) {
  recorded->allocations.emplace_back(label);
}

}  // namespace

KokkosEvents::KokkosEvents() : before_(Kokkos::Tools::Experimental::get_callbacks()) {
  namespace Tools = Kokkos::Tools::Experimental;
  if (recorded != nullptr) throw std::logic_error("Kokkos' events are recorded already");
  recorded = new Labels;
  Tools::set_begin_parallel_for_callback(record_kernel);
  Tools::set_begin_parallel_reduce_callback(record_kernel);
  Tools::set_begin_parallel_scan_callback(record_kernel);
  Tools::set_allocate_data_callback(record_allocation);
}

KokkosEvents::~KokkosEvents() {
  Kokkos::Tools::Experimental::set_callbacks(before_);
  delete recorded;
  recorded = nullptr;
}

const std::vector<std::string>& KokkosEvents::kernels() const { return recorded->kernels; }

const std::vector<std::string>& KokkosEvents::allocations() const { return recorded->allocations; }

}  // namespace kvarium::test
