#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "experiments/kinds/fault_scene.hpp"
#include "experiments/kinds/output_comparison.hpp"
#include "kernels/attention/host/kept_partitions.hpp"

namespace kvarium {

/// Every layer's fault-free attention output, and what a fault makes of it. Of the family `host` only the partitions
/// whose tokens changed are attended again; other families run whole layers.
class KeptAttention {
 public:
  /// Runs every layer. `scene` must outlive this. Errors: InputError as paged_attention_v2.
  KeptAttention(const FaultScene& scene, const PointConfig& point);

  /// Fault-free output of a layer.
  const std::vector<std::byte>& golden(std::int64_t layer) const { return golden_[static_cast<std::size_t>(layer)]; }

  /// How far a fault that is in place now moves the outputs: the worst of the layers it touches.
  OutputDifference difference(const FaultRecord& record);
  /// The same from all of those layers, through the registered family: what is saved by keeping partitions.
  OutputDifference whole_difference(const FaultRecord& record) const;
  /// All layers in full, without a fault.
  OutputDifference intact_difference() const;

  /// Runs the layers that the fault judged last touches in full, through the registered family, while it is in place.
  /// Returns what differs from the outputs that its difference came from, or "".
  std::string recheck() const;

 private:
  /// A layer's output with a fault in place, and which rows of it may have changed.
  struct FaultyLayer {
    std::int64_t layer = 0;
    std::vector<std::byte> output;
    std::vector<std::int64_t> rows;
  };

  void list_readers();
  std::vector<std::int64_t> touched_layers(const FaultRecord& record) const;
  void list_units(const FaultRecord& record, std::int64_t layer);
  void add_block_units(const LogicalBlock& block, std::int64_t kv_head);
  void add_sequence_units(std::int64_t sequence);
  std::vector<std::byte> run_whole(std::int64_t layer) const;
  void run_layer(const FaultRecord& record, FaultyLayer& faulty);
  OutputDifference compare(const FaultyLayer& faulty) const;

  const FaultScene& scene_;
  AttentionVariant variant_;
  ElementType query_type_;
  int head_size_;
  int partition_size_ = 1;
  std::vector<std::unique_ptr<host::KeptPartitions>> kept_;  ///< one a layer, none for other families
  std::vector<std::vector<std::byte>> golden_;
  std::vector<std::vector<LogicalBlock>> readers_;  ///< [num_blocks], entries that read a physical block
  std::vector<host::PartitionUnit> units_;
  std::vector<FaultyLayer> faulty_;
};

}  // namespace kvarium
