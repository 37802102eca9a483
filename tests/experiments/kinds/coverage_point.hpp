#pragma once

#include <string>

#include "experiments/kinds/coverage_campaign.hpp"
#include "tests/experiments/kinds/small_point.hpp"

namespace kvarium::test {

/// Two full blocks of one head of 64-byte cells, packed, so that memory and cells have one order, of random bits.
inline PointConfig coverage_point(const std::string& model, const std::string& checksum) {
  PointConfig point = small_point();
  point.kind = "fault_coverage";
  point.base.cache.layout = CacheLayout::packed;
  point.base.cache.num_kv_heads = 1;
  point.base.cache.num_layers = 1;
  point.base.cache.source = "random_bits";
  point.base.batch.num_sequences = 1;
  point.base.batch.context_length = 32;
  point.base.fault.model = model;
  point.base.checksum.family = checksum;
  point.replicates.count = 20000;
  point.limits.max_recorded_trials = 0;
  return point;
}

/// One number of a summary.
inline double number_of(const PointResult& result, const std::string& column) {
  const Value value = result.tables.summary.value(column, 0);
  if (const auto* integer = std::get_if<std::int64_t>(&value.storage())) return static_cast<double>(*integer);
  return std::get<double>(value.storage());
}

}  // namespace kvarium::test
