#pragma once

#include <optional>
#include <string>
#include <vector>

#include "experiments/kinds/device_checksum_batch.hpp"
#include "experiments/kinds/device_decode.hpp"
#include "experiments/kinds/timed_samples.hpp"
#include "experiments/results/table_schema.hpp"
#include "experiments/results/value.hpp"

namespace kvarium {

/// Decode steps of a batch without and with checksums on a second stream of the same GPU.
struct ConcurrentTimes {
  TimedSeries decode_alone;     ///< steps back to back
  TimedSeries decode_beside;    ///< the same while the checksum runs without a pause
  TimedSeries checksum_beside;  ///< calls of the checksum in that time
};

/// Times both, each on its stream and in caches of its own: neither waits for the other, nor finds what it read.
/// `kv_bytes`: that a step or a call reads. Errors: InputError, DriverError.
ConcurrentTimes time_concurrently(DeviceDecode& decode, DeviceChecksumBatch& checksum, double kv_bytes,
                                  const LimitsConfig& limits);

/// Why the decode step's outputs are wrong, or nothing: every layer is held against the float64 reference.
std::optional<std::string> decode_problem(const DecodeScenario& scenario, const AttentionVariant& variant,
                                          DeviceDecode& decode);

/// The same of the last layer alone, as the latest step on the stream left it.
std::optional<std::string> latest_decode_problem(const DecodeScenario& scenario, const AttentionVariant& variant,
                                                 DeviceDecode& decode);

/// Columns of /timing/summary; not a number where nothing runs beside.
std::vector<ColumnSchema> concurrent_columns();
/// Their values.
std::vector<Value> concurrent_values(const std::optional<ConcurrentTimes>& times);

}  // namespace kvarium
