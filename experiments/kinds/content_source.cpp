#include "experiments/kinds/content_source.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <mutex>

#include "core/check.hpp"
#include "experiments/config/source_path.hpp"
#include "experiments/readers/model_dump.hpp"
#include "sim/contents/dump_source.hpp"
#include "sim/contents/random_bits_source.hpp"
#include "sim/contents/synthetic_source.hpp"

namespace kvarium {
namespace {

/// Contents drawn from random numbers, with the scale of logits that suits them.
PointContents generated(std::shared_ptr<const KvContentSource> source, const PointConfig& point) {
  return {std::move(source), 1.0 / std::sqrt(static_cast<double>(point.base.cache.head_size))};
}

ModelDump read_finite_dump(const std::filesystem::path& path) {
  ModelDump dump = read_model_dump(path);
  KVARIUM_VALIDATE(dump.num_not_finite == 0, path.string(), ": ", dump.num_not_finite,
                   " numbers of key, value and query are NaN or infinite; make a dump of finite ones");
  return dump;
}

/// Every point of a sweep reads the same dump, so it is kept.
std::shared_ptr<const ModelDump> load_dump(const std::filesystem::path& path) {
  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<const ModelDump>> loaded;
  const std::lock_guard lock(mutex);
  auto& dump = loaded[path.string()];
  if (dump == nullptr) dump = std::make_shared<const ModelDump>(read_finite_dump(path));
  return dump;
}

std::shared_ptr<const ModelDump> load_dump(const PointConfig& point) {
  return load_dump(source_path(point.base.cache.source, point.folder));
}

std::optional<std::string> unlike(const char* key, std::int64_t wanted, std::int64_t held, const ModelDump& dump) {
  if (wanted == held) return {};
  return fmt::format("cache.{} is {} but the dump of {} has {}; set it to {}", key, wanted, dump.model, held, held);
}

std::optional<std::string> dump_problem(const CacheConfig& cache, const ModelDump& dump) {
  if (auto problem = unlike("head_size", cache.head_size, dump.head_size, dump)) return problem;
  if (auto problem = unlike("num_kv_heads", cache.num_kv_heads, dump.num_kv_heads, dump)) return problem;
  const int group = dump.num_heads / dump.num_kv_heads;
  if (auto problem = unlike("query_heads_per_kv_head", cache.query_heads_per_kv_head, group, dump)) return problem;
  if (cache.num_layers <= dump.num_layers) return {};
  return fmt::format("cache.num_layers is {} but the dump of {} has {}; use at most {}", cache.num_layers, dump.model,
                     dump.num_layers, dump.num_layers);
}

SyntheticSettings synthetic_settings(const PointConfig& point, const RandomKey& key) {
  const CacheConfig& cache = point.base.cache;
  SyntheticSettings settings;
  settings.shape = {cache.num_layers, cache.num_kv_heads, cache.num_kv_heads * cache.query_heads_per_kv_head,
                    cache.head_size};
  settings.key = key;
  settings.shared_prefix_length = point.base.batch.shared_prefix_length;
  return settings;
}

}  // namespace

void check_dump(const std::filesystem::path& path) { load_dump(path); }

std::optional<std::string> content_problem(const PointConfig& point) {
  if (is_generated(point.base.cache.source)) return {};
  return dump_problem(point.base.cache, *load_dump(point));
}

PointContents open_contents(const PointConfig& point, const RandomKey& key) {
  const std::string& source = point.base.cache.source;
  const SyntheticSettings settings = synthetic_settings(point, key);
  if (source == synthetic_source) return generated(std::make_shared<SyntheticSource>(settings), point);
  if (source == random_bits_source) {
    return generated(std::make_shared<RandomBitsSource>(settings.shape, point.base.cache.element_type, key), point);
  }
  const auto dump = load_dump(point);
  if (const auto problem = dump_problem(point.base.cache, *dump)) throw InputError(*problem);
  return {std::make_shared<DumpSource>(*dump, point.base.batch.shared_prefix_length), dump->scale};
}

}  // namespace kvarium
