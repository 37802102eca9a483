#pragma once

#include <cstdint>
#include <string>

#include "experiments/config/point_config.hpp"

namespace kvarium {

/// What the id of a point is the hash of: canonical JSON of `schema`, `kind`, `seed`, `device` and, under `base`, the
/// values that differ from their defaults, nothing else. So neither the order of keys, nor a default written out, nor
/// another value added to an axis changes it.
std::string identity_json(const PointConfig& point);

/// First 64 bits of SHA-256 of identity_json().
std::uint64_t point_id(const PointConfig& point);

/// The same hash over `cache`, `batch`, `workload` and `fault` only: points with equal stimulus and seed see
/// byte-equal contents and faults, whatever guards or attends them.
std::uint64_t stimulus_id(const PointConfig& point);

/// 16 lower-case hexadecimal digits.
std::string id_text(std::uint64_t id);

}  // namespace kvarium
