#include <cstring>

#include "kernels/memory/memory_reader.hpp"
#include "kernels/memory/parallel_read.hpp"

namespace kvarium {
namespace {

std::uint64_t read_words(const std::byte* data, std::size_t bytes) {
  std::uint64_t sum = 0;
  for (std::size_t offset = 0; offset < bytes; offset += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, data + offset, 8);
    sum += word;
  }
  return sum;
}

class PlainRead final : public MemoryReader {
 public:
  std::string description() const override { return "one loop over 8-byte words, as the compiler vectorises it"; }
  std::uint64_t read(const std::byte* data, std::size_t bytes) const override {
    return read_in_stretches("kvarium::plain_read", data, bytes, read_words);
  }
};

}  // namespace

void register_plain_read(Registry<MemoryReader>& registry) {
  registry.add("plain_read", std::make_unique<PlainRead>());
}

}  // namespace kvarium
