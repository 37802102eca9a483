#include "kernels/memory/memory_reader.hpp"
#include "kernels/memory/parallel_read.hpp"
#include "kernels/memory/unrolled_read.hpp"

namespace kvarium {
namespace {

/// Two pages ahead: hardware prefetchers stop at page borders.
constexpr std::size_t prefetch_bytes = 8192;

class PrefetchedRead final : public MemoryReader {
 public:
  std::string description() const override { return "as vector_read, asking for the lines 8 KiB ahead"; }
  std::uint64_t read(const std::byte* data, std::size_t bytes) const override {
    return read_in_stretches("kvarium::prefetched_read", data, bytes, unrolled_read<prefetch_bytes>);
  }
};

}  // namespace

void register_prefetched_read(Registry<MemoryReader>& registry) {
  registry.add("prefetched_read", std::make_unique<PrefetchedRead>());
}

}  // namespace kvarium
