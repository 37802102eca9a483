#include "kernels/memory/memory_reader.hpp"
#include "kernels/memory/parallel_read.hpp"
#include "kernels/memory/unrolled_read.hpp"

namespace kvarium {
namespace {

class VectorRead final : public MemoryReader {
 public:
  std::string description() const override { return "eight independent 64-byte vectors a step"; }
  std::uint64_t read(const std::byte* data, std::size_t bytes) const override {
    return read_in_stretches("kvarium::vector_read", data, bytes, unrolled_read<0>);
  }
};

}  // namespace

void register_vector_read(Registry<MemoryReader>& registry) {
  registry.add("vector_read", std::make_unique<VectorRead>());
}

}  // namespace kvarium
