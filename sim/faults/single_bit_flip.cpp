#include "sim/faults/fault_model.hpp"
#include "sim/faults/strike.hpp"

namespace kvarium {
namespace {

std::int64_t draw(CounterRandom& random, std::int64_t bound) {
  return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(bound)));
}

ElementField field_named(const std::string& bits) {
  if (bits == "sign") return ElementField::sign;
  if (bits == "exponent") return ElementField::exponent;
  return bits == "mantissa" ? ElementField::mantissa : ElementField::several;
}

/// Byte of the cell and mask of one bit, uniform over the tensor and bits asked for.
struct DrawnBit {
  std::int64_t byte = 0;
  std::uint8_t mask = 0;
};

DrawnBit draw_bit(const CacheGeometry& geometry, const FaultParameters& parameters, CounterRandom& random) {
  const std::int64_t half = parameters.tensor == "any" ? draw(random, 2) : (parameters.tensor == "value" ? 1 : 0);
  const std::int64_t element = half * geometry.head_size + draw(random, geometry.head_size);
  const BitRange bits = field_bits(geometry.element_type, field_named(parameters.bits));
  const std::int64_t bit = bits.first + draw(random, bits.count);
  return {element * element_bytes(geometry.element_type) + bit / 8, static_cast<std::uint8_t>(1U << (bit % 8))};
}

/// Turns over one bit of one attended cell, uniform over layers, attended tokens, KV heads, elements and bits.
class SingleBitFlip final : public FaultModel {
 public:
  FaultTraits traits() const override {
    return {"one bit of one attended cell is turned over", "1a", {"tensor", "bits"}};
  }

  FaultOutcome inject(const FaultTarget& target, const FaultParameters& parameters,
                      CounterRandom& random) const override {
    if (target.num_tokens() == 0) return nothing_attended();
    const CacheGeometry& geometry = target.geometry();
    const std::int64_t layer = draw(random, static_cast<std::int64_t>(target.layers().size()));
    const AttendedToken token = target.token(draw(random, target.num_tokens()));
    const std::int64_t head = draw(random, geometry.num_kv_heads);
    const DrawnBit bit = draw_bit(geometry, parameters, random);
    const PagedCacheView& cache = target.layers()[static_cast<std::size_t>(layer)];
    const CellByte place{head, token.token, bit.byte};
    const std::byte* address = address_of(cache, locate_byte(cache, token.span.physical_block, place));
    const auto before = std::to_integer<std::uint8_t>(*address);
    const CellChange change{place, before, static_cast<std::uint8_t>(before ^ bit.mask)};
    return strike(target, {layer, token.span}, {&change, 1});
  }
};

}  // namespace

void register_single_bit_flip(Registry<FaultModel>& registry) {
  registry.add("single_bit_flip", std::make_unique<SingleBitFlip>());
}

}  // namespace kvarium
