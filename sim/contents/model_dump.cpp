#include "sim/contents/model_dump.hpp"

#include "core/check.hpp"

namespace kvarium {
namespace {

void validate_size(const char* name, std::size_t size, std::int64_t expected, const char* shape) {
  KVARIUM_VALIDATE(static_cast<std::int64_t>(size) == expected, "model dump: ", name, " has ", size,
                   " numbers where its shape ", shape, " asks for ", expected, "; write the dump again");
}

}  // namespace

void validate(const ModelDump& dump) {
  KVARIUM_VALIDATE(dump.num_layers > 0 && dump.num_tokens > 0, "model dump: ", dump.num_layers, " layers of ",
                   dump.num_tokens, " tokens hold nothing; use at least one of each");
  KVARIUM_VALIDATE(dump.num_kv_heads > 0 && dump.head_size > 0, "model dump: ", dump.num_kv_heads, " KV heads of size ",
                   dump.head_size, " hold nothing; use positive numbers");
  KVARIUM_VALIDATE(dump.num_heads > 0 && dump.num_heads % dump.num_kv_heads == 0, "model dump: ", dump.num_heads,
                   " query heads do not divide evenly over ", dump.num_kv_heads, " KV heads; use a multiple");
  const std::int64_t rows = dump.num_layers * dump.num_tokens;
  const std::int64_t cells = rows * dump.num_kv_heads * dump.head_size;
  validate_size("key", dump.key.size(), cells, "[num_layers, num_tokens, num_kv_heads, head_size]");
  validate_size("value", dump.value.size(), cells, "[num_layers, num_tokens, num_kv_heads, head_size]");
  validate_size("query", dump.query.size(), rows * dump.num_heads * dump.head_size,
                "[num_layers, num_tokens, num_heads, head_size]");
  if (!dump.token_ids.empty()) validate_size("token_ids", dump.token_ids.size(), dump.num_tokens, "[num_tokens]");
}

}  // namespace kvarium
