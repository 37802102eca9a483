#include "kernels/memory/memory_reader.hpp"

namespace kvarium {

void register_memory_readers(Registry<MemoryReader>& registry);

const Registry<MemoryReader>& memory_readers() {
  static const Registry<MemoryReader> registry = [] {
    Registry<MemoryReader> readers("memory reader");
    register_memory_readers(readers);
    return readers;
  }();
  return registry;
}

}  // namespace kvarium
