#include "kernels/cuda/cubin_cache.hpp"

#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#define XXH_INLINE_ALL
#define XXH_VECTOR 0  // scalar: GCC 12 warns of its own AVX-512 header, and some hundred KiB take no time
#include <xxhash.h>

#include "core/text.hpp"

namespace kvarium {
namespace {

constexpr std::string_view magic = "kvarium cubin 1\n";

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::string hexadecimal(std::uint64_t value) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  for (int shift = 60; shift >= 0; shift -= 4) text += digits[(value >> shift) & 15U];
  return text;
}

std::string path_of(const std::string& folder, const std::string& key) { return folder + "/" + key; }

/// Heading, hash of the rest, length of the log, log, cubin.
std::string serialise(const CachedCubin& entry) {
  const std::string body = concatenate(entry.log.size(), "\n", entry.log, entry.cubin);
  return concatenate(magic, content_hash(body), "\n", body);
}

std::optional<CachedCubin> deserialise(std::string_view text) {
  constexpr std::size_t hash_size = 32;
  if (!text.starts_with(magic) || text.size() < magic.size() + hash_size + 1) return std::nullopt;
  text.remove_prefix(magic.size());
  const std::string_view body = text.substr(hash_size + 1);
  if (content_hash(body) != text.substr(0, hash_size)) return std::nullopt;
  const std::size_t log_begin = body.find('\n') + 1;
  const std::size_t log_size = std::stoull(std::string(body.substr(0, log_begin)));
  return CachedCubin{std::string(body.substr(log_begin + log_size)), std::string(body.substr(log_begin, log_size))};
}

}  // namespace

std::string content_hash(std::string_view content) {
  const XXH128_hash_t hash = XXH3_128bits(content.data(), content.size());
  return hexadecimal(hash.high64) + hexadecimal(hash.low64);
}

std::string cubin_cache_folder() {
  if (const std::string own = environment("KVARIUM_CACHE"); !own.empty()) return own + "/cubins";
  if (const std::string shared = environment("XDG_CACHE_HOME"); !shared.empty()) return shared + "/kvarium/cubins";
  const std::string home = environment("HOME");
  return home.empty() ? "" : home + "/.cache/kvarium/cubins";
}

std::optional<CachedCubin> read_cached_cubin(const std::string& key) {
  const std::string folder = cubin_cache_folder();
  if (folder.empty()) return std::nullopt;
  std::ifstream file(path_of(folder, key), std::ios::binary);
  if (!file) return std::nullopt;
  const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return deserialise(text);
}

void write_cached_cubin(const std::string& key, const CachedCubin& entry) {
  const std::string folder = cubin_cache_folder();
  if (folder.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  static std::atomic<unsigned int> counter = 0;
  const std::string temporary = concatenate(path_of(folder, key), ".", getpid(), ".", counter++);
  {
    std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
    file << serialise(entry);
    file.close();
    if (!file) error = std::make_error_code(std::errc::io_error);
  }
  if (!error) std::filesystem::rename(temporary, path_of(folder, key), error);
  if (error) std::filesystem::remove(temporary, error);
}

}  // namespace kvarium
