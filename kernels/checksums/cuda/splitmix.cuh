#pragma once

// Read by the host's compiler and by the device's.

namespace kvarium {

/// The finaliser of splitmix64, without the generator's constant: 0 stays 0. Source: Steele, Lea, Flood, "Fast
/// splittable pseudorandom number generators", variant 13 of Stafford's mixers.
constexpr unsigned long long splitmix(unsigned long long word) {
  word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9ULL;
  word = (word ^ word >> 27) * 0x94D049BB133111EBULL;
  return word ^ word >> 31;
}

}  // namespace kvarium
