#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace kvarium {

/// Polynomials over two elements modulo one of degree 8 * sizeof(Word), whose lower coefficients are `polynomial`.
/// Reflected: the highest bit of a word stands for x^0; else the lowest does.
template <class Word, Word polynomial, bool is_reflected>
struct CrcRing {
  using Number = Word;
  static constexpr int bits = 8 * sizeof(Word);
  static constexpr Word one = is_reflected ? Word{1} << (bits - 1) : Word{1};

  static constexpr Word times_x(Word value) {
    if constexpr (is_reflected) return static_cast<Word>(value >> 1 ^ ((value & 1) != 0 ? polynomial : Word{0}));
    return static_cast<Word>(value << 1 ^ (value >> (bits - 1) != 0 ? polynomial : Word{0}));
  }

  static constexpr Word times_byte(Word value) {
    for (int i = 0; i < 8; ++i) value = times_x(value);
    return value;
  }

  static constexpr Word product(Word left, Word right) {
    Word product = 0;
    for (int i = 0; i < bits; ++i) {
      const Word coefficient = is_reflected ? left >> (bits - 1 - i) : left >> i;
      if ((coefficient & 1) != 0) product ^= right;
      right = times_x(right);
    }
    return product;
  }

  /// x^(8 * bytes).
  static constexpr Word power_of_bytes(std::uint64_t bytes);

  /// A byte where a register takes it in.
  static constexpr Word entering(std::byte byte) {
    const auto word = static_cast<Word>(std::to_integer<std::uint8_t>(byte));
    return is_reflected ? word : static_cast<Word>(word << (bits - 8));
  }

  /// The register after some more bytes, a bit at a time: the definition.
  static constexpr Word after_bytes(Word register_bits, std::span<const std::byte> bytes) {
    for (std::byte byte : bytes) register_bits = times_byte(register_bits ^ entering(byte));
    return register_bits;
  }

  /// times_byte by a table.
  static Word after_zero_byte(Word value);

  /// What a changed byte, followed by `bytes_after` others, changes in the register at the end.
  static constexpr Word difference(std::int64_t bytes_after, std::byte flips) {
    return product(times_byte(entering(flips)), power_of_bytes(static_cast<std::uint64_t>(bytes_after)));
  }
};

namespace detail {

/// x^(8 * 2^k).
template <class Ring, class Word>
constexpr std::array<Word, 48> byte_squares(Word word) {
  std::array<Word, 48> squares{};
  for (Word& square : squares) {
    square = word;
    word = Ring::product(word, word);
  }
  return squares;
}

/// Words whose one entering byte has each value, times x^8.
template <class Ring>
constexpr std::array<typename Ring::Number, 256> byte_table() {
  std::array<typename Ring::Number, 256> table{};
  for (std::size_t byte = 0; byte < 256; ++byte)
    table[byte] = Ring::times_byte(Ring::entering(static_cast<std::byte>(byte)));
  return table;
}

}  // namespace detail

template <class Word, Word polynomial, bool is_reflected>
constexpr Word CrcRing<Word, polynomial, is_reflected>::power_of_bytes(std::uint64_t bytes) {
  constexpr std::array<Word, 48> squares = detail::byte_squares<CrcRing>(times_byte(one));
  Word power = one;
  for (std::size_t k = 0; bytes != 0; ++k, bytes >>= 1) {
    if ((bytes & 1) != 0) power = product(power, squares[k]);
  }
  return power;
}

template <class Word, Word polynomial, bool is_reflected>
Word CrcRing<Word, polynomial, is_reflected>::after_zero_byte(Word value) {
  static constexpr std::array<Word, 256> table = detail::byte_table<CrcRing>();
  if constexpr (is_reflected) return value >> 8 ^ table[value & 0xFF];
  return value << 8 ^ table[value >> (bits - 8)];
}

/// The register that changed bytes leave behind, in the order of the bytes as far as they come in it: steps over few
/// unchanged bytes are cheap, other distances cost some products.
template <class Ring>
class CrcFollower {
 public:
  CrcFollower(std::uint64_t value, std::int64_t bytes) : value_(value), bytes_(bytes) {}

  void add(std::int64_t position, std::byte before, std::byte after) {
    if (position < next_) flush();
    advance_to(position);
    register_ = Ring::after_zero_byte(register_ ^ Ring::entering(before ^ after));
    next_ = position + 1;
  }

  std::uint64_t value() {
    flush();
    return value_;
  }

 private:
  using Word = typename Ring::Number;

  void advance_to(std::int64_t position) {
    constexpr std::int64_t cheap_steps = 64;
    if (register_ == 0) return;
    if (position - next_ > cheap_steps) {
      register_ = Ring::product(register_, Ring::power_of_bytes(static_cast<std::uint64_t>(position - next_)));
    } else {
      for (; next_ < position; ++next_) register_ = Ring::after_zero_byte(register_);
    }
  }

  void flush() {
    advance_to(bytes_);
    value_ ^= register_;
    register_ = 0;
  }

  std::uint64_t value_;
  std::int64_t bytes_;
  std::int64_t next_ = 0;  ///< byte that the register stands before
  Word register_ = 0;
};

/// The polynomials in use, as registers hold them.
using Crc32Ring = CrcRing<std::uint32_t, 0xEDB88320U, true>;                 ///< IEEE 802.3
using Crc32cRing = CrcRing<std::uint32_t, 0x82F63B78U, true>;                ///< Castagnoli; RFC 3720
using Crc64EcmaRing = CrcRing<std::uint64_t, 0x42F0E1EBA9EA3693ULL, false>;  ///< ECMA-182

/// A CRC by its definition: the register starts as `edge` and is xored with `edge` at the end.
template <class Ring, auto edge>
class CrcDefinition {
 public:
  void add(std::span<const std::byte> bytes) { register_ = Ring::after_bytes(register_, bytes); }
  std::uint64_t value() const { return register_ ^ edge; }

 private:
  decltype(edge) register_ = edge;
};

}  // namespace kvarium
