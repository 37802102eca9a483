#include "sim/faults/block_slices.hpp"
#include "sim/faults/fault_model.hpp"

namespace kvarium {
namespace {

/// Two slices of a block change places: two attended tokens (all heads), two KV heads, or K and V, in one layer; or the
/// whole block between two layers. The bytes stay the same as a set.
/// Source: sglang#33497 (V of layer i goes to i + M), #32270 and vllm-ascend#15900 (other layers).
class SliceExchange final : public FaultModel {
 public:
  FaultTraits traits() const override {
    return {"two tokens, heads, layers, or K and V of a block change places", "17", {"exchanged"}};
  }

  void inject(Injection& injection) const override {
    const std::string& exchanged = injection.choose(&FaultParameters::exchanged);
    const StruckBlock block = injection.draw_block();
    if (exchanged == "layers") {
      exchange_layers(injection, block);
    } else {
      exchange_within(injection, block, exchanged);
    }
    injection.set_detail(exchanged);
    injection.strike();
  }

 private:
  static void exchange_layers(Injection& injection, const StruckBlock& block) {
    const std::int64_t layers = std::ssize(injection.target().layers());
    if (layers < 2) return injection.refuse("there is a single layer");
    const NumberPair pair = draw_pair(injection, layers);
    const std::int64_t id = block.span.physical_block;
    injection.replace(Injection::in_layer(block, pair.first), read_block_cells(injection.cache(pair.second), id));
    injection.replace(Injection::in_layer(block, pair.second), read_block_cells(injection.cache(pair.first), id));
  }

  static void exchange_within(Injection& injection, const StruckBlock& block, const std::string& exchanged) {
    const CacheGeometry& geometry = injection.target().geometry();
    const std::int64_t half = cell_bytes(geometry) / 2;
    const std::int64_t count = exchanged == "key_value" ? 2
                               : exchanged == "heads"   ? geometry.num_kv_heads
                                                        : block.span.num_tokens();
    if (count < 2) return injection.refuse(concatenate("the block has no two ", exchanged));
    const NumberPair pair = draw_pair(injection, count);
    const std::int64_t first_token = block.span.first_token;
    const auto source = [&](CellByte place) {
      if (exchanged == "heads") place.kv_head = pair.exchanged(place.kv_head);
      if (exchanged == "tokens") place.token = first_token + pair.exchanged(place.token - first_token);
      if (exchanged == "key_value") place.byte = (place.byte + half) % (2 * half);
      return place;
    };
    rearrange(injection, block, read_block_cells(injection.cache(block.layer), block.span.physical_block), source);
  }
};

}  // namespace

void register_slice_exchange(Registry<FaultModel>& registry) {
  registry.add("slice_exchange", std::make_unique<SliceExchange>());
}

}  // namespace kvarium
