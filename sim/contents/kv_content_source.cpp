#include "sim/contents/kv_content_source.hpp"

#include "core/check.hpp"

namespace kvarium {

void validate(const ContentShape& shape) {
  KVARIUM_VALIDATE(shape.num_layers > 0, "num_layers is ", shape.num_layers, "; use 1 or more");
  KVARIUM_VALIDATE(shape.num_kv_heads > 0 && shape.head_size > 0, "contents of ", shape.num_kv_heads,
                   " KV heads of size ", shape.head_size, " are empty; use positive numbers");
  KVARIUM_VALIDATE(shape.num_heads > 0 && shape.num_heads % shape.num_kv_heads == 0, shape.num_heads,
                   " query heads do not divide evenly over ", shape.num_kv_heads, " KV heads; use a multiple");
}

}  // namespace kvarium
