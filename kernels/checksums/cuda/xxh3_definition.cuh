#pragma once

// XXH3 of 64 bits with the published secret and seed 0, over messages of whole 16-byte pieces; read by the host's
// compiler and by the device's. Source: the xxHash specification, version 0.8.

namespace kvarium::xxh3 {

using Word = unsigned long long;

constexpr Word prime32_1 = 0x9E3779B1ULL, prime32_2 = 0x85EBCA77ULL, prime32_3 = 0xC2B2AE3DULL;
constexpr Word prime64_1 = 0x9E3779B185EBCA87ULL, prime64_2 = 0xC2B2AE3D27D4EB4FULL, prime64_3 = 0x165667B19E3779F9ULL,
               prime64_4 = 0x85EBCA77C2B2AE63ULL, prime64_5 = 0x27D4EB2F165667C5ULL;

/// The secret's word at `offset` bytes, which need not be a multiple of 8. The words are published.
constexpr Word secret(int offset) {
  constexpr Word words[24] = {
      0xBE4BA423396CFEB8ULL, 0x1CAD21F72C81017CULL, 0xDB979083E96DD4DEULL, 0x1F67B3B7A4A44072ULL, 0x78E5C0CC4EE679CBULL,
      0x2172FFCC7DD05A82ULL, 0x8E2443F7744608B8ULL, 0x4C263A81E69035E0ULL, 0xCB00C391BB52283CULL, 0xA32E531B8B65D088ULL,
      0x4EF90DA297486471ULL, 0xD8ACDEA946EF1938ULL, 0x3F349CE33F76FAA8ULL, 0x1D4F0BC7C7BBDCF9ULL, 0x3159B4CD4BE0518AULL,
      0x647378D9C97E9FC8ULL, 0xC3EBD33483ACC5EAULL, 0xEB6313FAFFA081C5ULL, 0x49DAF0B751DD0D17ULL, 0x9E68D429265516D3ULL,
      0xFCA1477D58BE162BULL, 0xCE31D07AD1B8F88FULL, 0x280416958F3ACB45ULL, 0x7E404BBBCAFBD7AFULL};
  const int shift = 8 * (offset % 8);
  if (shift == 0) return words[offset / 8];
  return words[offset / 8] >> shift | words[offset / 8 + 1] << (64 - shift);
}

constexpr Word avalanche(Word hash) {
  hash = (hash ^ hash >> 37) * 0x165667919E3779F9ULL;
  return hash ^ hash >> 32;
}

/// Halves of the 128-bit product, one xored into the other.
constexpr Word folded_product(Word left, Word right) {
  const Word low_left = left & 0xFFFFFFFFU, high_left = left >> 32;
  const Word low_right = right & 0xFFFFFFFFU, high_right = right >> 32;
  const Word low = low_left * low_right;
  const Word middle = high_left * low_right + (low >> 32);
  const Word other = low_left * high_right + (middle & 0xFFFFFFFFU);
  const Word high = high_left * high_right + (middle >> 32) + (other >> 32);
  return high ^ (other << 32 | (low & 0xFFFFFFFFU));
}

/// Two words against the secret at an offset.
constexpr Word mixed(Word first, Word second, int offset) {
  return folded_product(first ^ secret(offset), second ^ secret(offset + 8));
}

/// Messages of at most 240 bytes; `word(i)` is the little-endian word at byte 8 * i.
template <class Reader>
Word short_hash(const Reader& word, int bytes) {
  const int words = bytes / 8;
  if (bytes == 0) {
    Word hash = secret(56) ^ secret(64);
    hash = (hash ^ hash >> 33) * prime64_2;
    hash = (hash ^ hash >> 29) * prime64_3;
    return hash ^ hash >> 32;
  }
  if (bytes == 16) {
    const Word low = word(0) ^ secret(24) ^ secret(32), high = word(1) ^ secret(40) ^ secret(48);
    Word swapped = 0;
    for (int i = 0; i < 8; ++i) swapped |= (low >> (8 * i) & 0xFF) << (56 - 8 * i);
    return avalanche(16 + swapped + high + folded_product(low, high));
  }
  Word sum = static_cast<Word>(bytes) * prime64_1;
  if (bytes <= 128) {
    for (int i = 0; i < (bytes + 31) / 32; ++i) {
      sum += mixed(word(2 * i), word(2 * i + 1), 32 * i);
      sum += mixed(word(words - 2 * i - 2), word(words - 2 * i - 1), 32 * i + 16);
    }
    return avalanche(sum);
  }
  for (int i = 0; i < 8; ++i) sum += mixed(word(2 * i), word(2 * i + 1), 16 * i);
  sum = avalanche(sum);
  for (int i = 8; i < bytes / 16; ++i) sum += mixed(word(2 * i), word(2 * i + 1), 16 * (i - 8) + 3);
  return avalanche(sum + mixed(word(words - 2), word(words - 1), 119));
}

constexpr int longest_short_message = 240;
constexpr int lanes = 8;               ///< sums that longer messages run, one for each word of a stripe
constexpr int stripes_per_block = 16;  ///< stripes of 8 words after which the sums are scrambled
constexpr int words_per_block = lanes * stripes_per_block;

constexpr Word first_sum(int lane) {
  constexpr Word sums[lanes] = {prime32_3, prime64_1, prime64_2, prime64_3, prime64_4, prime32_2, prime64_5, prime32_1};
  return sums[lane];
}

/// What a word adds to its own lane; the word itself goes to the neighbouring one (lane ^ 1).
constexpr Word keyed_product(Word word, Word key) {
  const Word keyed = word ^ key;
  return (keyed & 0xFFFFFFFFU) * (keyed >> 32);
}

/// A lane's sum after a whole block.
constexpr Word scrambled(Word sum, int lane) { return (sum ^ sum >> 47 ^ secret(128 + 8 * lane)) * prime32_1; }

/// Stripes of a message of more than 240 bytes that come in their order, whole blocks first; the last stripe comes
/// once more at the end, under the secret at offset 121.
constexpr Word ordered_stripes(Word bytes) { return (bytes - 1) / (8 * lanes); }

inline Word merged(const Word (&sums)[lanes], Word bytes) {
  Word hash = bytes * prime64_1;
  for (int i = 0; i < lanes; i += 2) hash += mixed(sums[i], sums[i + 1], 11 + 8 * i);
  return avalanche(hash);
}

/// The hash of any message of whole 16-byte pieces.
template <class Reader>
Word hash(const Reader& word, Word bytes) {
  if (bytes <= longest_short_message) return short_hash(word, static_cast<int>(bytes));
  Word sums[lanes];
  for (int lane = 0; lane < lanes; ++lane) sums[lane] = first_sum(lane);
  const auto add_stripe = [&](Word first, int offset) {
    for (int lane = 0; lane < lanes; ++lane) {
      const Word data = word(first + static_cast<Word>(lane));
      sums[lane ^ 1] += data;
      sums[lane] += keyed_product(data, secret(offset + 8 * lane));
    }
  };
  for (Word stripe = 0; stripe < ordered_stripes(bytes); ++stripe) {
    const int in_block = static_cast<int>(stripe % stripes_per_block);
    add_stripe(stripe * lanes, 8 * in_block);
    if (in_block + 1 < stripes_per_block) continue;
    for (int lane = 0; lane < lanes; ++lane) sums[lane] = scrambled(sums[lane], lane);
  }
  add_stripe(bytes / 8 - lanes, 121);
  return merged(sums, bytes);
}

}  // namespace kvarium::xxh3
