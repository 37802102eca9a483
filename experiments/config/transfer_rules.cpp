#include "experiments/config/transfer_rules.hpp"

#include <fmt/format.h>

#include "core/check.hpp"
#include "sim/transfer/transfer_defect.hpp"

namespace kvarium {
namespace {

EngineShape engine_shape(const TransferEngineConfig& engine, const CacheConfig& cache) {
  EngineShape shape;
  shape.layout = engine.layout == "as_cache" ? cache.layout : parse_cache_layout(engine.layout);
  shape.block_size = engine.block_size == 0 ? cache.block_size : engine.block_size;
  shape.tensor_ranks = engine.tensor_ranks;
  shape.pipeline_ranks = engine.pipeline_ranks;
  return shape;
}

std::optional<std::string> ranks_problem(const TransferEngineConfig& engine, const char* name,
                                         const CacheConfig& cache) {
  if (cache.num_kv_heads % engine.tensor_ranks != 0) {
    return fmt::format("transfer.{}.tensor_ranks {} does not divide num_kv_heads {}; change one of them", name,
                       engine.tensor_ranks, cache.num_kv_heads);
  }
  if (cache.num_layers % engine.pipeline_ranks == 0) return {};
  return fmt::format("transfer.{}.pipeline_ranks {} does not divide num_layers {}; change one of them", name,
                     engine.pipeline_ranks, cache.num_layers);
}

/// Layouts and block sizes of engines that are not those of `cache`, which has a rule of its own.
std::optional<std::string> layout_problem(const BaseConfig& base) {
  for (const TransferEngineConfig& engine : {base.transfer.producer, base.transfer.consumer}) {
    if (engine.layout == "as_cache" && engine.block_size == 0) continue;
    const EngineShape shape = engine_shape(engine, base.cache);
    try {
      validate(CacheGeometry{shape.layout, base.cache.element_type, 1, shape.block_size, 1, base.cache.head_size});
    } catch (const InputError& error) {
      return error.what();
    }
  }
  return {};
}

std::optional<std::string> defect_problem(const BaseConfig& base) {
  if (base.transfer.defect == "none") return {};
  const std::string problem = transfer_defects().at(base.transfer.defect).problem(transfer_shape(base));
  if (problem.empty()) return {};
  return fmt::format("transfer.defect '{}': {}", base.transfer.defect, problem);
}

std::optional<std::string> moment_problem(const TransferConfig& transfer) {
  if (transfer.defect == "none" || transfer.moment == "before_check") return {};
  if (transfer_defects().at(transfer.defect).traits().can_strike_after_check) return {};
  return fmt::format("transfer.defect '{}' takes no moment '{}'; leave it before_check", transfer.defect,
                     transfer.moment);
}

/// Keys that decide whether a defect can happen; the one to change first.
std::vector<std::string> defect_paths() {
  std::vector<std::string> paths{"transfer.defect", "transfer.path"};
  for (const std::string engine : {"producer", "consumer"}) {
    for (const char* key : {"layout", "block_size", "tensor_ranks", "pipeline_ranks"}) {
      paths.push_back("transfer." + engine + "." + key);
    }
  }
  for (const char* key : {"layout", "element_type", "block_size", "num_layers", "num_kv_heads"}) {
    paths.push_back(std::string("cache.") + key);
  }
  paths.emplace_back("batch.context_length");
  return paths;
}

}  // namespace

TransferShape transfer_shape(const BaseConfig& base) {
  TransferShape shape;
  shape.element_type = base.cache.element_type;
  shape.head_size = base.cache.head_size;
  shape.num_kv_heads = base.cache.num_kv_heads;
  shape.num_layers = base.cache.num_layers;
  shape.num_tokens = base.batch.context_length;
  shape.fragmentation = base.batch.fragmentation;
  shape.uses_host_tier = base.transfer.path == "host_tier";
  shape.producer = engine_shape(base.transfer.producer, base.cache);
  shape.consumer = engine_shape(base.transfer.consumer, base.cache);
  return shape;
}

std::vector<CombinationRule> transfer_rules() {
  return {
      {{"transfer.producer.tensor_ranks", "transfer.producer.pipeline_ranks", "cache.num_kv_heads", "cache.num_layers"},
       [](const BaseConfig& base) { return ranks_problem(base.transfer.producer, "producer", base.cache); }},
      {{"transfer.consumer.tensor_ranks", "transfer.consumer.pipeline_ranks", "cache.num_kv_heads", "cache.num_layers"},
       [](const BaseConfig& base) { return ranks_problem(base.transfer.consumer, "consumer", base.cache); }},
      {{"transfer.producer.layout", "transfer.consumer.layout", "transfer.producer.block_size",
        "transfer.consumer.block_size", "cache.head_size", "cache.element_type", "cache.layout"},
       layout_problem},
      {{"transfer.moment", "transfer.defect"}, [](const BaseConfig& base) { return moment_problem(base.transfer); }},
      {defect_paths(), defect_problem}};
}

}  // namespace kvarium
