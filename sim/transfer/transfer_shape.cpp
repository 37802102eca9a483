#include "sim/transfer/transfer_shape.hpp"

#include "core/check.hpp"

namespace kvarium {
namespace {

void validate_ranks(const EngineShape& engine, const TransferShape& shape, const char* name) {
  KVARIUM_VALIDATE(engine.tensor_ranks > 0 && shape.num_kv_heads % engine.tensor_ranks == 0, name, ".tensor_ranks ",
                   engine.tensor_ranks, " does not divide num_kv_heads ", shape.num_kv_heads, "; change one of them");
  KVARIUM_VALIDATE(engine.pipeline_ranks > 0 && shape.num_layers % engine.pipeline_ranks == 0, name, ".pipeline_ranks ",
                   engine.pipeline_ranks, " does not divide num_layers ", shape.num_layers, "; change one of them");
}

}  // namespace

void validate(const TransferShape& shape) {
  KVARIUM_VALIDATE(shape.num_tokens > 0, "a prompt of ", shape.num_tokens, " tokens has no cache; use 1 or more");
  validate_ranks(shape.producer, shape, "producer");
  validate_ranks(shape.consumer, shape, "consumer");
}

const std::vector<std::string>& engine_role_names() {
  static const std::vector<std::string> names{"producer", "host_tier", "consumer"};
  return names;
}

const std::vector<std::string>& request_role_names() {
  static const std::vector<std::string> names{"earlier", "neighbour", "watched", "intruder"};
  return names;
}

std::string to_string(EngineRole role) { return engine_role_names().at(static_cast<std::size_t>(role)); }
std::string to_string(RequestRole role) { return request_role_names().at(static_cast<std::size_t>(role)); }

}  // namespace kvarium
