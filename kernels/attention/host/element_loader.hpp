#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "kernels/host/vector16.hpp"

namespace kvarium::host {

/// Sixteen contiguous elements as float32.
template <ElementType Type>
Vector16 load_elements(const std::byte* data) {
  return Decoder<Type>::decode(load<typename Decoder<Type>::Codes>(data));
}

/// The first `count` < 16 of them; the other lanes are 0 and their memory is not touched (it may hold NaN
/// or belong to nobody).
template <ElementType Type>
Vector16 load_elements(const std::byte* data, int count) {
  constexpr std::size_t bytes = element_bytes(Type);
  typename Decoder<Type>::Codes codes{};
  if (count == 8) {
    std::memcpy(&codes, data, 8 * bytes);
  } else {
    std::memcpy(&codes, data, static_cast<std::size_t>(count) * bytes);
  }
  return Decoder<Type>::decode(codes);
}

/// Loads vector `index` of a token's head_size elements that lie side by side (`nhd`, `hnd`, `packed`).
template <ElementType Type>
struct RowLoader {
  Vector16 full(const std::byte* row, int index) const {
    return load_elements<Type>(row + std::ptrdiff_t{index} * lanes * element_bytes(Type));
  }
  /// The last 8 elements when head_size is an odd multiple of 8.
  Vector16 half(const std::byte* row, int index) const {
    return load_elements<Type>(row + std::ptrdiff_t{index} * lanes * element_bytes(Type), 8);
  }
};

/// Loads a `split_x` key's elements: pieces of 16 bytes, `group_bytes` apart.
template <ElementType Type>
struct SplitKeyLoader {
  static constexpr int elements_per_piece = 16 / element_bytes(Type);
  std::ptrdiff_t group_bytes = 0;

  Vector16 full(const std::byte* row, int index) const { return pieces<lanes / elements_per_piece>(row, index); }
  Vector16 half(const std::byte* row, int index) const {
    return pieces<(8 + elements_per_piece - 1) / elements_per_piece>(row, index);
  }

 private:
  /// `Count` pieces side by side, zeros behind them. Joined in registers: through memory, the wide load
  /// after narrow stores would stall.
  template <int Count>
  Vector16 pieces(const std::byte* row, int index) const {
    using Codes = typename Decoder<Type>::Codes;
    const std::byte* first = row + std::ptrdiff_t{index} * (lanes / elements_per_piece) * group_bytes;
    const auto piece = [&](int i) { return i < Count ? load<Byte16>(first + i * group_bytes) : Byte16{}; };
    if constexpr (sizeof(Codes) == 16) {
      return Decoder<Type>::decode(reinterpret_cast<Codes>(piece(0)));
    } else if constexpr (sizeof(Codes) == 32) {
      return Decoder<Type>::decode(reinterpret_cast<Codes>(join(piece(0), piece(1))));
    } else {
      const auto low = reinterpret_cast<Half16>(join(piece(0), piece(1)));
      const auto high = reinterpret_cast<Half16>(join(piece(2), piece(3)));
      return Decoder<Type>::decode(reinterpret_cast<Codes>(
          __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
                                  21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31)));
    }
  }

  static auto join(const Byte16& low, const Byte16& high) {
    return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
                                   21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31);
  }
};

}  // namespace kvarium::host
