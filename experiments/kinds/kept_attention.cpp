#include "experiments/kinds/kept_attention.hpp"

#include <algorithm>
#include <numeric>

#include "core/check.hpp"

namespace kvarium {
namespace {

/// The worse of two differences, by row; flags of both.
OutputDifference worse(const OutputDifference& one, const OutputDifference& other) {
  OutputDifference worst = one.relative_l2 < other.relative_l2 ? other : one;
  worst.is_identical = one.is_identical && other.is_identical;
  worst.has_new_nan = one.has_new_nan || other.has_new_nan;
  worst.largest_difference = std::max(one.largest_difference, other.largest_difference);
  return worst;
}

}  // namespace

KeptAttention::KeptAttention(const FaultScene& scene, const PointConfig& point)
    : scene_(scene),
      variant_(point.base.variant),
      query_type_(point.base.batch.query_type),
      head_size_(point.base.cache.head_size) {
  for (std::int64_t layer = 0; layer < point.base.cache.num_layers; ++layer) {
    if (variant_.family == "host") {
      kept_.push_back(std::make_unique<host::KeptPartitions>(scene.arguments(layer), variant_));
      partition_size_ = kept_.back()->partition_size();
      golden_.push_back(kept_.back()->output());
    } else {
      golden_.push_back(run_whole(layer));
    }
  }
  list_readers();
}

void KeptAttention::list_readers() {
  readers_.resize(static_cast<std::size_t>(scene_.target().geometry().num_blocks));
  for (const LogicalBlock& entry : scene_.target().entries()) {
    readers_[static_cast<std::size_t>(scene_.target().table_entry(entry))].push_back(entry);
  }
}

std::vector<std::byte> KeptAttention::run_whole(std::int64_t layer) const {
  std::vector<std::byte> output(scene_.scenario().output_bytes());
  PagedAttentionArguments arguments = scene_.arguments(layer);
  arguments.out = output.data();
  paged_attention_v2(arguments, variant_);
  return output;
}

/// Tables and lengths are those of every layer; scales, types and bytes belong to one.
std::vector<std::int64_t> KeptAttention::touched_layers(const FaultRecord& record) const {
  std::vector<std::int64_t> layers;
  const bool has_length = std::ranges::any_of(record.reading_changes, [](const ReadingChange& change) {
    return change.quantity == ReadQuantity::sequence_length;
  });
  if (!record.table_changes.empty() || has_length) {
    layers.resize(golden_.size());
    std::iota(layers.begin(), layers.end(), std::int64_t{0});
    return layers;
  }
  const auto add = [&](std::int64_t layer) {
    if (std::ranges::find(layers, layer) == layers.end()) layers.push_back(layer);
  };
  for (const ByteChange& change : record.changes) add(change.layer);
  for (const ReadingChange& change : record.reading_changes) add(change.index);
  return layers;
}

void KeptAttention::add_block_units(const LogicalBlock& block, std::int64_t kv_head) {
  const std::int64_t first_token = block.logical_block * scene_.target().geometry().block_size;
  units_.push_back({block.sequence, kv_head, first_token / partition_size_});
}

void KeptAttention::add_sequence_units(std::int64_t sequence) {
  const FaultTarget& target = scene_.target();
  for (std::int64_t block = 0; block < target.num_blocks(sequence); ++block) {
    for (std::int64_t head = 0; head < target.geometry().num_kv_heads; ++head) add_block_units({sequence, block}, head);
  }
}

void KeptAttention::list_units(const FaultRecord& record, std::int64_t layer) {
  units_.clear();
  std::int64_t last_block = -1, last_head = -1;
  for (const ByteChange& change : record.changes) {
    if (change.layer != layer || (change.block == last_block && change.kv_head == last_head)) continue;
    last_block = change.block;
    last_head = change.kv_head;
    for (const LogicalBlock& reader : readers_[static_cast<std::size_t>(change.block)]) {
      add_block_units(reader, change.kv_head);
    }
  }
  for (const TableChange& change : record.table_changes) {
    for (std::int64_t head = 0; head < scene_.target().geometry().num_kv_heads; ++head) {
      add_block_units({change.sequence, change.logical_block}, head);
    }
  }
  for (const ReadingChange& change : record.reading_changes) {
    if (change.quantity == ReadQuantity::sequence_length) {
      add_sequence_units(change.index);
    } else if (change.index == layer) {
      for (std::int64_t sequence = 0; sequence < scene_.target().num_sequences(); ++sequence) {
        add_sequence_units(sequence);
      }
    }
  }
}

void KeptAttention::run_layer(const FaultRecord& record, FaultyLayer& faulty) {
  if (kept_.empty()) {
    faulty.output = run_whole(faulty.layer);
    faulty.rows.resize(faulty.output.size() / static_cast<std::size_t>(head_size_ * element_bytes(query_type_)));
    std::iota(faulty.rows.begin(), faulty.rows.end(), std::int64_t{0});
    return;
  }
  list_units(record, faulty.layer);
  host::KeptPartitions& kept = *kept_[static_cast<std::size_t>(faulty.layer)];
  faulty.output = kept.rerun(scene_.arguments(faulty.layer), units_);
  faulty.rows = kept.reduced_rows();
}

OutputDifference KeptAttention::compare(const FaultyLayer& faulty) const {
  return compare_rows(faulty.output, golden(faulty.layer), {query_type_, head_size_}, faulty.rows);
}

OutputDifference KeptAttention::difference(const FaultRecord& record) {
  const std::vector<std::int64_t> layers = touched_layers(record);
  faulty_.resize(layers.size());
  OutputDifference difference;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    faulty_[i].layer = layers[i];
    run_layer(record, faulty_[i]);
    difference = worse(difference, compare(faulty_[i]));
  }
  return difference;
}

OutputDifference KeptAttention::whole_difference(const FaultRecord& record) const {
  OutputDifference difference;
  for (const std::int64_t layer : touched_layers(record)) {
    difference = worse(difference, compare_outputs(run_whole(layer), golden(layer), query_type_, head_size_));
  }
  return difference;
}

OutputDifference KeptAttention::intact_difference() const {
  OutputDifference difference;
  for (std::int64_t layer = 0; layer < std::ssize(golden_); ++layer) {
    difference = worse(difference, compare_outputs(run_whole(layer), golden(layer), query_type_, head_size_));
  }
  return difference;
}

std::string KeptAttention::recheck() const {
  for (const FaultyLayer& faulty : faulty_) {
    if (run_whole(faulty.layer) == faulty.output) continue;
    return concatenate("the output of layer ", faulty.layer, " computed in full differs from that of its partitions");
  }
  return {};
}

}  // namespace kvarium
