#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/cache_layout.hpp"
#include "core/element_type.hpp"

namespace kvarium {

/// How one engine keeps its paged KV caches.
struct EngineShape {
  CacheLayout layout = CacheLayout::nhd;
  int block_size = 16;     ///< tokens
  int tensor_ranks = 1;    ///< ranks that share out the KV heads
  int pipeline_ranks = 1;  ///< ranks that share out the layers

  bool operator==(const EngineShape&) const = default;
};

/// A model, the engine that computes its caches and the one that attends them.
struct TransferShape {
  ElementType element_type = ElementType::float16;
  int head_size = 64;  ///< elements
  int num_kv_heads = 2;
  std::int64_t num_layers = 2;
  std::int64_t num_tokens = 64;  ///< of each request's prompt
  double fragmentation = 1.0;    ///< share of blocks in random physical order, 0 to 1
  bool uses_host_tier = false;   ///< whether the caches are stored in a host tier and loaded from there
  EngineShape producer;
  EngineShape consumer;

  bool operator==(const TransferShape&) const = default;
};

/// Errors: InputError unless ranks divide heads and layers, and all counts are positive.
void validate(const TransferShape& shape);

/// The three places that keep caches. The host tier keeps them as the producer does.
enum class EngineRole : std::uint8_t { producer, host_tier, consumer };

/// Requests of a trial: one that left its contents all over the pools, two that are served, and one that defects may
/// bring in.
enum class RequestRole : std::uint8_t { earlier, neighbour, watched, intruder };

inline constexpr std::size_t num_engine_roles = 3;
inline constexpr std::size_t num_request_roles = 4;

/// Names in the order of the enumerators.
const std::vector<std::string>& engine_role_names();
const std::vector<std::string>& request_role_names();
std::string to_string(EngineRole role);
std::string to_string(RequestRole role);

}  // namespace kvarium
