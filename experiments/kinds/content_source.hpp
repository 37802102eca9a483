#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "core/random.hpp"
#include "experiments/config/point_config.hpp"
#include "sim/contents/kv_content_source.hpp"

namespace kvarium {

/// Where a point's keys, values and queries come from, and how its logits are scaled.
struct PointContents {
  std::shared_ptr<const KvContentSource> source;
  double scale = 1;
};

/// Reads a model dump, and keeps it: every point of a sweep reads the same one.
/// Errors: InputError as read_model_dump, or when it holds NaN or infinities, beside which no damage shows.
void check_dump(const std::filesystem::path& path);

/// Why `cache.source` does not fit the point's shape (a dump with other heads), or nothing.
/// Errors: InputError for a dump that check_dump refuses.
std::optional<std::string> content_problem(const PointConfig& point);

/// The source of a point. Errors: InputError for what content_problem reports.
PointContents open_contents(const PointConfig& point, const RandomKey& key);

}  // namespace kvarium
