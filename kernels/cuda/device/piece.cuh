#pragma once

#include "kernels/cuda/device/types.cuh"

namespace kvarium {

/// Memory as one lane loads it in one instruction: `words` registers of 4 bytes.
template <int words>
struct Piece {
  static_assert(words == 1 || words == 2 || words == 4, "a lane loads 4, 8 or 16 bytes at once");
  uint32 word[words];
};

/// Reads a piece in one instruction. Precondition: the address is a multiple of the size.
template <int words>
Piece<words> read_piece(const void* address) {
  if constexpr (words == 4) {
    const uint4 quad = *static_cast<const uint4*>(address);
    return {quad.x, quad.y, quad.z, quad.w};
  } else if constexpr (words == 2) {
    const uint2 pair = *static_cast<const uint2*>(address);
    return {pair.x, pair.y};
  } else {
    return {*static_cast<const uint32*>(address)};
  }
}

/// Writes a piece in one instruction. Precondition: the address is a multiple of the size.
inline void write_piece(void* address, const Piece<4>& piece) {
  *static_cast<uint4*>(address) = make_uint4(piece.word[0], piece.word[1], piece.word[2], piece.word[3]);
}
inline void write_piece(void* address, const Piece<2>& piece) {
  *static_cast<uint2*>(address) = make_uint2(piece.word[0], piece.word[1]);
}
inline void write_piece(void* address, const Piece<1>& piece) { *static_cast<uint32*>(address) = piece.word[0]; }

/// Bytes of the cache, which a call reads once: the first to leave L1, so that block tables and queries stay there.
/// Precondition: the address is a multiple of the size.
inline void load_streamed(Piece<4>& piece, const void* address) {
  asm volatile("ld.global.nc.L1::evict_first.L2::128B.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(piece.word[0]), "=r"(piece.word[1]), "=r"(piece.word[2]), "=r"(piece.word[3])
               : "l"(address));
}

inline void load_streamed(Piece<2>& piece, const void* address) {
  asm volatile("ld.global.nc.L1::evict_first.L2::128B.v2.u32 {%0, %1}, [%2];"
               : "=r"(piece.word[0]), "=r"(piece.word[1])
               : "l"(address));
}

inline void load_streamed(Piece<1>& piece, const void* address) {
  asm volatile("ld.global.nc.L1::evict_first.L2::128B.u32 %0, [%1];" : "=r"(piece.word[0]) : "l"(address));
}

/// The same where `is_wanted`; else the piece stays as it is. No branch parts one load from the next.
inline void load_streamed_if(Piece<4>& piece, const void* address, bool is_wanted) {
  asm volatile(
      "{.reg .pred wanted; setp.ne.u32 wanted, %5, 0;"
      "@wanted ld.global.nc.L1::evict_first.L2::128B.v4.u32 {%0, %1, %2, %3}, [%4];}"
      : "+r"(piece.word[0]), "+r"(piece.word[1]), "+r"(piece.word[2]), "+r"(piece.word[3])
      : "l"(address), "r"(uint32{is_wanted}));
}

inline void load_streamed_if(Piece<2>& piece, const void* address, bool is_wanted) {
  asm volatile(
      "{.reg .pred wanted; setp.ne.u32 wanted, %3, 0;"
      "@wanted ld.global.nc.L1::evict_first.L2::128B.v2.u32 {%0, %1}, [%2];}"
      : "+r"(piece.word[0]), "+r"(piece.word[1])
      : "l"(address), "r"(uint32{is_wanted}));
}

inline void load_streamed_if(Piece<1>& piece, const void* address, bool is_wanted) {
  asm volatile(
      "{.reg .pred wanted; setp.ne.u32 wanted, %2, 0;"
      "@wanted ld.global.nc.L1::evict_first.L2::128B.u32 %0, [%1];}"
      : "+r"(piece.word[0])
      : "l"(address), "r"(uint32{is_wanted}));
}

/// Any address that is a multiple of the element's size: element by element, several times slower.
template <class Element, int words>
void load_scattered(Piece<words>& piece, const void* address) {
  constexpr int elements = sizeof(uint32) / sizeof(Element);
  const auto* const data = static_cast<const Element*>(address);
#pragma unroll
  for (int i = 0; i < words; ++i) {
    piece.word[i] = 0;
#pragma unroll
    for (int j = 0; j < elements; ++j) {
      piece.word[i] |= uint32{data[i * elements + j]} << (j * 8 * static_cast<int>(sizeof(Element)));
    }
  }
}

}  // namespace kvarium
