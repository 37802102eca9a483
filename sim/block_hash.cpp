#include "sim/block_hash.hpp"

namespace kvarium {
namespace {

/// Finaliser of splitmix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", OOPSLA 2014).
std::uint64_t mix(std::uint64_t word) {
  word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9ULL;
  word = (word ^ (word >> 27)) * 0x94D049BB133111EBULL;
  return word ^ (word >> 31);
}

std::uint64_t chain(std::uint64_t state, std::uint64_t word) {
  return mix((state ^ mix(word)) + 0x9E3779B97F4A7C15ULL);
}

}  // namespace

BlockHash hash_block(std::optional<BlockHash> parent, std::span<const std::int32_t> token_ids) {
  // A first block starts from another constant than any parent's hash is likely to be, and its length enters.
  std::uint64_t state = parent ? chain(1, parent->value) : chain(2, 0);
  state = chain(state, token_ids.size());
  for (const std::int32_t id : token_ids) state = chain(state, static_cast<std::uint32_t>(id));
  return {state};
}

}  // namespace kvarium
