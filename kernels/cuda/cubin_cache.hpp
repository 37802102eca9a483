#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace kvarium {

/// A compilation's products as they are kept on disk.
struct CachedCubin {
  std::string cubin;
  std::string log;
};

/// 128-bit hash in hexadecimal digits (XXH3).
std::string content_hash(std::string_view content);

/// Folder of the cache, ${KVARIUM_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/kvarium}/cubins, or "" where none of the three
/// is set.
std::string cubin_cache_folder();

/// The entry under `key`, or nothing when there is none or it is damaged.
std::optional<CachedCubin> read_cached_cubin(const std::string& key);

/// Keeps an entry; another process sees the whole of it or nothing. A folder that cannot be written only loses the
/// entry.
void write_cached_cubin(const std::string& key, const CachedCubin& entry);

}  // namespace kvarium
