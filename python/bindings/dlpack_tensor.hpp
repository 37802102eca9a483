#pragma once

#include <cstdint>

namespace kvarium::python {

// The structs of DLPack's stable binary interface (version 1), as a producer's capsule holds them.

struct DLPackDevice {
  std::int32_t kind;
  std::int32_t number;
};

struct DLPackType {
  std::uint8_t code;
  std::uint8_t bits;
  std::uint16_t lanes;
};

struct DLPackTensor {
  void* data;
  DLPackDevice device;
  std::int32_t num_axes;
  DLPackType type;
  std::int64_t* shape;
  std::int64_t* strides;  ///< in elements; null: dense
  std::uint64_t byte_offset;
};

/// What a capsule called "dltensor" holds.
struct DLPackManagedTensor {
  DLPackTensor tensor;
  void* context;
  void (*deleter)(DLPackManagedTensor*);
};

/// What a capsule called "dltensor_versioned" holds.
struct DLPackVersionedTensor {
  static constexpr std::uint64_t read_only = 1;

  std::uint32_t major_version;
  std::uint32_t minor_version;
  void* context;
  void (*deleter)(DLPackVersionedTensor*);
  std::uint64_t flags;
  DLPackTensor tensor;
};

}  // namespace kvarium::python
