#include "sim/faults/fault_model.hpp"

namespace kvarium {
namespace {

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

DrawnBit draw_bit(Injection& injection) {
  const CacheGeometry& geometry = injection.target().geometry();
  const std::string& tensor = injection.parameters().tensor;
  const std::int64_t half = tensor == "any" ? injection.below(2) : (tensor == "value" ? 1 : 0);
  const std::int64_t element = half * geometry.head_size + injection.below(geometry.head_size);
  const BitRange bits = field_bits(geometry.element_type, field_named(injection.parameters().bits));
  const std::int64_t bit = bits.first + injection.below(bits.count);
  return {element * element_bytes(geometry.element_type) + bit / 8, static_cast<std::uint8_t>(1U << (bit % 8))};
}

/// Turns over one bit of one attended cell, uniform over layers, attended tokens, KV heads, elements and bits.
class SingleBitFlip final : public FaultModel {
 public:
  FaultTraits traits() const override {
    return {"one bit of one attended cell is turned over", "1a", {"tensor", "bits"}};
  }

  void inject(Injection& injection) const override {
    const std::int64_t layer = injection.draw_layer();
    const DrawnToken token = injection.draw_token(layer);
    const std::int64_t head = injection.below(injection.target().geometry().num_kv_heads);
    const DrawnBit bit = draw_bit(injection);
    const CellByte place{head, token.token, bit.byte};
    injection.change(token.block, place, injection.present(token.block, place) ^ bit.mask);
    injection.strike();
  }
};

}  // namespace

void register_single_bit_flip(Registry<FaultModel>& registry) {
  registry.add("single_bit_flip", std::make_unique<SingleBitFlip>());
}

}  // namespace kvarium
