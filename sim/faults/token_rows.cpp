#include "sim/faults/token_rows.hpp"

#include "sim/faults/garbage.hpp"

namespace kvarium {

LayerRange draw_layers(Injection& injection) {
  if (injection.choose(&FaultParameters::layers) == "all") return {0, std::ssize(injection.target().layers())};
  const std::int64_t layer = injection.draw_layer();
  return {layer, layer + 1};
}

bool overwrite_token(Injection& injection, const StruckBlock& block, std::int64_t token, const std::string& garbage) {
  const CacheGeometry& geometry = injection.target().geometry();
  const std::int64_t width = element_bytes(geometry.element_type);
  for (std::int64_t head = 0; head < geometry.num_kv_heads; ++head) {
    for (std::int64_t element = 0; element < 2 * geometry.head_size; ++element) {
      const auto bits = garbage_bits(garbage, geometry.element_type, injection.random());
      if (!bits) return false;
      for (std::int64_t byte = 0; byte < width; ++byte) {
        injection.change(block, {head, token, element * width + byte}, static_cast<std::uint8_t>(*bits >> (8 * byte)));
      }
    }
  }
  return true;
}

void copy_token(Injection& injection, const StruckBlock& block, std::int64_t token,
                const std::vector<std::uint8_t>& cells) {
  const CacheGeometry& geometry = injection.target().geometry();
  const std::int64_t bytes = cell_bytes(geometry);
  for (std::int64_t head = 0; head < geometry.num_kv_heads; ++head) {
    for (std::int64_t byte = 0; byte < bytes; ++byte) {
      const std::int64_t index = (head * geometry.block_size + token) * bytes + byte;
      injection.change(block, {head, token, byte}, cells[static_cast<std::size_t>(index)]);
    }
  }
}

}  // namespace kvarium
