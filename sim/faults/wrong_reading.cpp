#include "sim/faults/fault_model.hpp"

namespace kvarium {
namespace {

/// The type of equal width that bits are taken for; the type itself where there is none.
ElementType mistaken(ElementType type) {
  switch (type) {
    case ElementType::float16:
      return ElementType::bfloat16;
    case ElementType::bfloat16:
      return ElementType::float16;
    case ElementType::float8_e4m3:
      return ElementType::float8_e5m2;
    case ElementType::float8_e5m2:
      return ElementType::float8_e4m3;
    case ElementType::float32:
      return ElementType::float32;
  }
  return type;
}

/// A reader takes right bytes wrongly in one layer: with a quarter of K's or V's scale, or as elements of another type
/// of the same width. No byte changes. Source: flashinfer#4979 (scales ignored), sglang#24758 (another model's cache).
class WrongReading final : public FaultModel {
 public:
  FaultTraits traits() const override {
    return {"a reader takes a layer with a wrong scale or element type", "19", {"reading"}};
  }

  void inject(Injection& injection) const override {
    const FaultTarget& target = injection.target();
    if (!target.has_readers()) return injection.refuse("no reader's scales and types are known");
    const std::string& reading = injection.choose(&FaultParameters::reading);
    const std::int64_t layer = injection.draw_layer();
    if (reading == "scale") {
      if (!is_float8(target.geometry().element_type)) return injection.refuse("elements of this type have no scale");
      const ReadQuantity scale = injection.below(2) == 0 ? ReadQuantity::key_scale : ReadQuantity::value_scale;
      injection.change_reading(scale, layer, 0.25 * target.reading(scale, layer));
      injection.set_detail(scale == ReadQuantity::key_scale ? "a quarter of the key scale"
                                                            : "a quarter of the value scale");
    } else {
      const ElementType type = mistaken(target.geometry().element_type);
      if (type == target.geometry().element_type) return injection.refuse("no other type is as wide");
      injection.change_reading(ReadQuantity::element_type, layer, static_cast<double>(type));
      injection.set_detail(to_string(type));
    }
    injection.strike();
  }
};

}  // namespace

void register_wrong_reading(Registry<FaultModel>& registry) {
  registry.add("wrong_reading", std::make_unique<WrongReading>());
}

}  // namespace kvarium
