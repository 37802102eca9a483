#pragma once

#include "kernels/checksums/byte_walk.hpp"

namespace kvarium {

/// Traits of a byte hash: what its order of bytes decides.
ChecksumTraits byte_hash_traits(const ChecksumParameters& parameters);

/// A checksum that takes a row's bytes one after another. `Library` and `Definition` are hashes of equal value with
/// `add(bytes)` and `value()`, through a well-kept library and as published. `Library` names `description` and
/// `width_bits`; a `blind_class` of its own, if it has one; and, where a value can follow changed bytes, a `Follower`
/// of (value, bytes of the row) with `add(bytes before it, value before, value after)` and `value()`.
template <class Library, class Definition>
class ByteHash final : public RowChecksum {
 public:
  static constexpr bool can_follow = requires { typename Library::Follower; };

  ChecksumTraits traits(const ChecksumParameters& parameters) const override {
    ChecksumTraits traits = byte_hash_traits(parameters);
    traits.description = std::string(Library::description) + ", over the bytes of a row in their order";
    traits.width_bits = Library::width_bits;
    traits.updates = can_follow;
    if constexpr (requires { Library::blind_class; }) traits.blind_classes.emplace_back(Library::blind_class);
    return traits;
  }

  bool update(const std::vector<CacheLayer>& layers, const BlockRow& row, std::span<const ChangedByte> changes,
              const ChecksumParameters& parameters, std::span<std::uint64_t> words) const override {
    if constexpr (can_follow) {
      typename Library::Follower follower(words[0], covered_bytes(layers, row, parameters.byte_order));
      for (const ChangedByte& change : changes) {
        const auto before = bytes_before(layers, row, parameters.byte_order, change);
        if (before) follower.add(*before, change.before, change.after);
      }
      words[0] = follower.value();
    }
    return can_follow;
  }

 protected:
  void validate_call(const std::vector<CacheLayer>& layers, const ChecksumParameters& parameters) const override {
    if (parameters.byte_order == ByteOrder::memory) validate_memory_order(layers);
  }

  void sum_row(const std::vector<CacheLayer>& layers, const BlockRow& row, const ChecksumParameters& parameters,
               std::span<std::uint64_t> words) const override {
    const bool is_reference = parameters.implementation == "host_reference";
    words[0] = is_reference ? hash_of<Definition>(layers, row, parameters) : hash_of<Library>(layers, row, parameters);
  }

 private:
  template <class Hash>
  static std::uint64_t hash_of(const std::vector<CacheLayer>& layers, const BlockRow& row,
                               const ChecksumParameters& parameters) {
    Hash hash;
    for_each_stretch(layers, row, parameters.byte_order, [&](std::span<const std::byte> bytes) { hash.add(bytes); });
    return hash.value();
  }
};

}  // namespace kvarium
