#include "sim/faults/element_field.hpp"

#include "core/check.hpp"

namespace kvarium {
namespace {

int mantissa_bits(ElementType type) {
  switch (type) {
    case ElementType::float32:
      return 23;
    case ElementType::float16:
      return 10;
    case ElementType::bfloat16:
      return 7;
    case ElementType::float8_e4m3:
      return 3;
    case ElementType::float8_e5m2:
      return 2;
  }
  return 0;
}

}  // namespace

const std::vector<std::string>& element_field_names() {
  static const std::vector<std::string> names{"mantissa", "exponent", "sign", "several"};
  return names;
}

std::string to_string(ElementField field) { return element_field_names().at(static_cast<std::size_t>(field)); }

BitRange field_bits(ElementType type, ElementField field) {
  const int bits = 8 * element_bytes(type);
  const int mantissa = mantissa_bits(type);
  switch (field) {
    case ElementField::mantissa:
      return {0, mantissa};
    case ElementField::exponent:
      return {mantissa, bits - 1 - mantissa};
    case ElementField::sign:
      return {bits - 1, 1};
    case ElementField::several:
      return {0, bits};
  }
  return {};
}

ElementField field_of_bit(ElementType type, int bit) {
  KVARIUM_EXPECT(bit >= 0 && bit < 8 * element_bytes(type));
  if (bit < mantissa_bits(type)) return ElementField::mantissa;
  return bit == 8 * element_bytes(type) - 1 ? ElementField::sign : ElementField::exponent;
}

}  // namespace kvarium
