#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/random.hpp"
#include "sim/transfer/descriptor.hpp"
#include "sim/transfer/engine.hpp"
#include "sim/transfer/request_contents.hpp"
#include "sim/transfer/transfer_observer.hpp"

namespace kvarium {

/// What a decode step's attention reads of a request beside the caches.
struct ReaderState {
  std::vector<std::int32_t> table;  ///< [blocks] physical, as the device holds it
  std::int32_t length = 0;          ///< tokens
  float key_scale = 1.0F;
  float value_scale = 1.0F;
};

/// Which trial a world belongs to.
struct TrialKey {
  RandomKey random;
  std::int64_t trial = 0;
};

/// A producer, a consumer and, between them, a host tier, with the requests of one trial. Operations change it one
/// after another; nothing happens by itself.
class TransferWorld {
 public:
  /// Pools are filled with what earlier requests left. `source` and `observer` must outlive this.
  TransferWorld(const TransferShape& shape, const KvContentSource& source, TransferObserver& observer,
                const TrialKey& key);

  const TransferShape& shape() const { return shape_; }
  Engine& engine(EngineRole role) { return engines_[static_cast<std::size_t>(role)]; }
  const Engine& engine(EngineRole role) const { return engines_[static_cast<std::size_t>(role)]; }
  /// Where the connector looks for an engine's bytes.
  CacheAddressing& belief(EngineRole role) { return beliefs_[static_cast<std::size_t>(role)]; }
  const CacheAddressing& belief(EngineRole role) const { return beliefs_[static_cast<std::size_t>(role)]; }
  const RequestContents& contents(RequestRole request) const { return contents_[static_cast<std::size_t>(request)]; }
  ReaderState& reader(RequestRole request) { return readers_[static_cast<std::size_t>(request)]; }
  const ReaderState& reader(RequestRole request) const { return readers_[static_cast<std::size_t>(request)]; }
  /// Tokens that both sides take a request's cache to hold.
  std::int64_t& length(RequestRole request) { return lengths_[static_cast<std::size_t>(request)]; }
  std::int64_t length(RequestRole request) const { return lengths_[static_cast<std::size_t>(request)]; }
  /// Draws of the trial's defect.
  CounterRandom& random() { return random_; }

  /// The engine that a request's cache is last sent from.
  EngineRole last_source() const { return shape_.uses_host_tier ? EngineRole::host_tier : EngineRole::producer; }

  void allocate(EngineRole role, RequestRole request);
  void release(EngineRole role, RequestRole request);
  /// The engine computes tokens of a request and writes them through its block table.
  void write(EngineRole role, RequestRole request, TokenSpan tokens);
  /// The same, but what is written are the tokens from `first_position` of the contents on.
  void write_positions(EngineRole role, RequestRole request, TokenSpan tokens, std::int64_t first_position);
  /// Writes one token's cells, of layers from `first_layer` on, into a slot and nothing beside it.
  void write_cells(EngineRole role, RequestRole request, std::int64_t token, std::int64_t slot,
                   std::int64_t first_layer = 0);

  /// Says that the cells of a request's tokens are written, in whatever way: what stands beside their slots follows.
  void announce_written(EngineRole role, RequestRole request, TokenSpan tokens);
  /// Sets the cells of a slot, in layers from `first_layer` on, to a byte; what stands beside the slot stays.
  void fill_slot(EngineRole role, std::int64_t slot, std::byte byte, std::int64_t first_layer = 0);

  /// The plan of a request's transfer, as the connector last made it.
  TransferPlan& plan(EngineRole from, RequestRole request) { return plans_[{from, request}]; }
  void make_plan(EngineRole from, EngineRole to, RequestRole request);
  /// Moves bytes; stretches outside an engine's memory are refused and left out.
  void move(EngineRole from, EngineRole to, const std::vector<Descriptor>& descriptors);
  void move_slots(EngineRole from, EngineRole to, const std::vector<SlotMove>& slots);
  void move(EngineRole from, EngineRole to, const TransferPlan& plan);

  void record(RequestRole request) { observer_.record(*this, request); }
  void check(RequestRole request, CheckPoint point) { observer_.check(*this, request, point); }
  /// Copies a request's block table and length to where attention reads them.
  void load_table(RequestRole request);
  /// A decode step: the cache is verified in the pass that attends it.
  void step(RequestRole request);

  std::int64_t num_refused() const { return num_refused_; }
  /// Says that the defect could not strike in this trial, and why.
  void refuse(std::string reason) { not_applicable_ = std::move(reason); }
  const std::string& not_applicable() const { return not_applicable_; }

  /// Whether both ends run with equal settings that bytes do not show, such as the model's revision.
  bool has_equal_settings = true;

 private:
  void fill_pool(EngineRole role);

  TransferShape shape_;
  TransferObserver& observer_;
  std::vector<RequestContents> contents_;
  std::vector<Engine> engines_;
  std::vector<CacheAddressing> beliefs_;
  std::array<ReaderState, num_request_roles> readers_;
  std::array<std::int64_t, num_request_roles> lengths_{};
  std::map<std::pair<EngineRole, RequestRole>, TransferPlan> plans_;
  CounterRandom random_;
  std::int64_t num_refused_ = 0;
  std::string not_applicable_;
};

}  // namespace kvarium
