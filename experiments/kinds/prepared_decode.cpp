#include "experiments/kinds/prepared_decode.hpp"

#include "experiments/kinds/device_decode.hpp"

namespace kvarium {

std::shared_ptr<PreparedDecode> PreparedDecode::of_point(const PointConfig& point, const PointContext& context) {
  using Kept = std::shared_ptr<PreparedDecode>;
  if (context.kept == nullptr) return std::make_shared<PreparedDecode>(point, context.random);
  if (const Kept* kept = std::any_cast<Kept>(context.kept); kept != nullptr && (*kept)->fits(point)) return *kept;
  // Before the next one is filled: both might not fit in memory.
  context.kept->reset();
  auto prepared = std::make_shared<PreparedDecode>(point, context.random);
  *context.kept = prepared;
  return prepared;
}

std::shared_ptr<DeviceCaches> PreparedDecode::device_caches() {
  if (!device_caches_) device_caches_ = upload_caches(scenario_, point_.base.workload.working_set_bytes);
  return device_caches_;
}

const ReferenceOutput& PreparedDecode::reference(std::int64_t layer, const AttentionVariant& variant) {
  const std::pair key(layer, reference_partition_size(variant));
  const auto known = references_.find(key);
  if (known != references_.end()) return known->second;
  return references_.emplace(key, reference_output(scenario_, layer, key.second)).first->second;
}

const ReadCeiling& PreparedDecode::read_ceiling() {
  if (!read_ceiling_) read_ceiling_ = std::make_unique<ReadCeiling>();
  return *read_ceiling_;
}

bool PreparedDecode::fits(const PointConfig& point) const {
  const BaseConfig& own = point_.base;
  const BaseConfig& other = point.base;
  return point_.seed == point.seed && point_.folder == point.folder && own.cache == other.cache &&
         own.batch == other.batch && own.workload == other.workload && own.fault == other.fault;
}

}  // namespace kvarium
