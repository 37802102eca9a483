#include "sim/faults/block_slices.hpp"
#include "sim/faults/fault_model.hpp"
#include "sim/faults/token_rows.hpp"

namespace kvarium {
namespace {

/// The producer itself was wrong, before it summed, in every layer: it computed the attended tokens of a block for the
/// positions after theirs (each row is the next one's; the last stays), or a row of NaN, infinities or random bits came
/// out. Source: RTP-LLM's debug log (positions restart at 0), ik_llama.cpp#2083 (rows poisoned as they are written).
class WrongAtSource final : public FaultModel {
 public:
  FaultTraits traits() const override {
    return {"the producer wrote rows of other positions, or garbage, before it summed",
            "20",
            {"source_error", "garbage"},
            {FaultStage::before_producer_sum}};
  }

  void inject(Injection& injection) const override {
    const std::string& error = injection.choose(&FaultParameters::source_error);
    if (error == "poisoned_row") {
      poison(injection);
    } else {
      offset_positions(injection);
    }
    if (!injection.is_applicable()) return;
    injection.set_detail(error);
    injection.strike();
  }

 private:
  static void poison(Injection& injection) {
    const std::string& garbage = injection.choose(&FaultParameters::garbage);
    const DrawnToken token = injection.draw_token(0);
    for (std::int64_t layer = 0; layer < std::ssize(injection.target().layers()); ++layer) {
      if (!overwrite_token(injection, Injection::in_layer(token.block, layer), token.token, garbage)) {
        return injection.refuse(
            concatenate(to_string(injection.target().geometry().element_type), " has no ", garbage));
      }
    }
  }

  static void offset_positions(Injection& injection) {
    const StruckBlock drawn = injection.draw_block();
    const AttendedSpan& span = drawn.span;
    if (span.num_tokens() < 2) return injection.refuse("the block attends a single token");
    for (std::int64_t layer = 0; layer < std::ssize(injection.target().layers()); ++layer) {
      rearrange(injection, Injection::in_layer(drawn, layer),
                read_block_cells(injection.cache(layer), span.physical_block), [&](CellByte place) {
                  if (place.token >= span.first_token && place.token + 1 < span.end_token) ++place.token;
                  return place;
                });
    }
  }
};

}  // namespace

void register_wrong_at_source(Registry<FaultModel>& registry) {
  registry.add("wrong_at_source", std::make_unique<WrongAtSource>());
}

}  // namespace kvarium
