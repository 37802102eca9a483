#include "sim/transfer/descriptor.hpp"

#include <algorithm>
#include <tuple>

namespace kvarium {
namespace {

/// Elements that lie side by side from `first` on, in both memories.
std::int64_t run_length(const CacheStrides& from, const CacheStrides& to, std::int64_t first, std::int64_t head_size) {
  std::int64_t count = 1;
  const auto is_next = [&](const CacheStrides& strides) {
    return strides.offset(0, 0, 0, first + count) == strides.offset(0, 0, 0, first) + count;
  };
  while (first + count < head_size && is_next(from) && is_next(to)) ++count;
  return count;
}

bool continues(const MemoryPlace& end, std::int64_t bytes, const MemoryPlace& next) {
  return end.shard == next.shard && end.buffer == next.buffer && end.offset + bytes == next.offset;
}

auto order_of(const Descriptor& descriptor) {
  return std::tuple(descriptor.layer, descriptor.tensor, descriptor.logical_block, descriptor.to.shard,
                    descriptor.to.offset);
}

/// Makes neighbours one.
std::vector<Descriptor> merged(std::vector<Descriptor> stretches) {
  std::ranges::sort(stretches, {}, order_of);
  std::vector<Descriptor> descriptors;
  for (const Descriptor& next : stretches) {
    const bool is_same_block = !descriptors.empty() && descriptors.back().logical_block == next.logical_block &&
                               descriptors.back().layer == next.layer && descriptors.back().tensor == next.tensor;
    if (is_same_block && continues(descriptors.back().from, descriptors.back().bytes, next.from) &&
        continues(descriptors.back().to, descriptors.back().bytes, next.to)) {
      descriptors.back().bytes += next.bytes;
    } else {
      descriptors.push_back(next);
    }
  }
  return descriptors;
}

/// Lists the stretches of one token and records them.
class Planner {
 public:
  Planner(const PlanEnd& from, const PlanEnd& to) : from_(from), to_(to) {}

  std::int64_t num_tokens() const { return std::min(room(from_), room(to_)); }

  void add_token(std::int64_t token, TransferPlan& plan) const {
    plan.slots.push_back({slot(from_, token), slot(to_, token), token});
    const auto layers = static_cast<std::int64_t>(to_.addressing.key_buffers.size());
    const auto heads = static_cast<std::int64_t>(to_.addressing.head_slots.size());
    for (std::int64_t layer = 0; layer < layers; ++layer) {
      for (std::int64_t head = 0; head < heads; ++head) {
        add_row({layer, KvTensor::key, head}, token, plan);
        add_row({layer, KvTensor::value, head}, token, plan);
      }
    }
  }

 private:
  static std::int64_t room(const PlanEnd& end) {
    return (std::ssize(end.blocks) - end.first_block) * end.addressing.geometry.block_size;
  }
  static std::int64_t block(const PlanEnd& end, std::int64_t token) {
    const std::int64_t position = end.first_block + token / end.addressing.geometry.block_size;
    return end.blocks[static_cast<std::size_t>(position)].value();
  }
  static std::int64_t slot(const PlanEnd& end, std::int64_t token) {
    const std::int64_t size = end.addressing.geometry.block_size;
    return block(end, token) * size + token % size;
  }
  static MemoryPlace place(const PlanEnd& end, ElementPlace element, std::int64_t token) {
    element.block = block(end, token);
    element.token = token % end.addressing.geometry.block_size;
    return end.addressing.place(element);
  }

  void add_row(ElementPlace row, std::int64_t token, TransferPlan& plan) const {
    const CacheGeometry& geometry = to_.addressing.geometry;
    const bool is_key = row.tensor == KvTensor::key;
    const CacheStrides& from = is_key ? from_.addressing.key : from_.addressing.value;
    const CacheStrides& to = is_key ? to_.addressing.key : to_.addressing.value;
    while (row.element < geometry.head_size) {
      const std::int64_t count = run_length(from, to, row.element, geometry.head_size);
      plan.descriptors.push_back({row.layer, row.tensor, row.head, token / geometry.block_size,
                                  place(from_, row, token), place(to_, row, token),
                                  count * element_bytes(geometry.element_type)});
      row.element += count;
    }
  }

  const PlanEnd& from_;
  const PlanEnd& to_;
};

}  // namespace

TransferPlan plan_transfer(const PlanEnd& from, const PlanEnd& to) {
  TransferPlan plan;
  const Planner planner(from, to);
  for (std::int64_t token = 0; token < planner.num_tokens(); ++token) planner.add_token(token, plan);
  plan.descriptors = merged(std::move(plan.descriptors));
  return plan;
}

}  // namespace kvarium
