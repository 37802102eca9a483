#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "experiments/kinds/content_source.hpp"
#include "experiments/kinds/output_comparison.hpp"
#include "sim/transfer/transfer_world.hpp"

namespace kvarium {

/// What decode steps read and gave, compared with a cache in which everything is right.
struct AttendedDifference {
  std::int64_t num_changed_bytes = 0;  ///< attended bytes that differ, counted at each step
  double relative_l2 = 0;              ///< of the worst output row
  bool is_identical = true;            ///< all outputs, bit for bit
  bool has_new_nan = false;
};

/// Runs decode attention of the requests of a trial through the point's kernel.
class TransferAttention {
 public:
  TransferAttention(const PointConfig& point, const PointContents& contents) : point_(point), contents_(contents) {}

  /// One step of one request, through what the reader believes.
  void attend(const TransferWorld& world, RequestRole request);
  const AttendedDifference& difference() const { return difference_; }

  /// Whether transfers brought every byte of a request's first `num_tokens` tokens to where the engine's scheduler
  /// looks for them.
  static bool has_arrived(const Engine& engine, RequestRole request, std::int64_t num_tokens);

 private:
  std::vector<std::byte> run(const TransferWorld& world, const Engine& engine, RequestRole request,
                             const ReaderState& reader) const;
  void append_layer(const TransferWorld& world, const EngineShard& shard, std::int64_t layer, RequestRole request,
                    const ReaderState& reader, std::vector<std::byte>& outputs) const;
  std::vector<std::byte> query(std::int64_t layer, const EngineShard& shard, const RequestContents& contents) const;
  /// What a right cache gives.
  const std::vector<std::byte>& golden(const TransferWorld& world, RequestRole request);
  static std::int64_t changed_bytes(const TransferWorld& world, RequestRole request);

  PointConfig point_;
  PointContents contents_;
  AttendedDifference difference_;
  std::map<RequestRole, std::vector<std::byte>> golden_;
};

}  // namespace kvarium
