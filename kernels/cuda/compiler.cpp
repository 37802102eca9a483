#include "kernels/cuda/compiler.hpp"

#include <algorithm>
#include <mutex>
#include <utility>

#include "core/check.hpp"
#include "kernels/cuda/cubin_cache.hpp"
#include "kernels/cuda/device_sources.hpp"
#include "kernels/cuda/nvrtc_program.hpp"

namespace kvarium {
namespace {

std::vector<std::string> compiler_options(const Architecture& architecture, const NvrtcLibrary& nvrtc) {
  std::vector<std::string> options{"--std=c++20",
                                   "--gpu-architecture=" + architecture.name(),
                                   "--device-as-default-execution-space",
                                   "--no-source-include",
                                   "--generate-line-info",
                                   "--ptxas-options=-v"};
  // From 12.9 on NVRTC keeps products itself, beside the driver; one that comes from there has no log of registers.
  if (std::pair(nvrtc.major, nvrtc.minor) >= std::pair(12, 9)) options.emplace_back("--no-cache");
  return options;
}

/// Entry file first, then everything it includes and the variant's header.
std::vector<NamedText> collect_files(const KernelSource& source) {
  std::vector<NamedText> files;
  for (const DeviceSource& file : source_closure(source.entry_file)) {
    files.push_back({std::string(file.path), std::string(file.text)});
  }
  files.push_back({"variant.cuh", source.constants.header()});
  return files;
}

std::string make_key(const std::vector<NamedText>& files, const std::vector<std::string>& options,
                     const NvrtcLibrary& nvrtc) {
  std::string content = nvrtc.identity() + '\n';
  for (const std::string& option : options) content += option + '\n';
  for (const NamedText& file : files) content += concatenate(file.name, ' ', file.text.size(), '\n', file.text);
  return content_hash(content);
}

void check_kernels(const KernelSource& source, const CompiledKernel& compiled) {
  for (const std::string& kernel : source.kernels) {
    KVARIUM_VALIDATE(compiled.usage.contains(kernel), "device source ", source.entry_file, " has no kernel '", kernel,
                     "'; declare it extern \"C\" __global__");
  }
}

std::shared_ptr<const CompiledKernel> make(const KernelSource& source, const Architecture& architecture,
                                           const std::vector<NamedText>& files, const std::string& key,
                                           const std::vector<std::string>& options) {
  std::optional<CachedCubin> cached = read_cached_cubin(key);
  const bool is_new = !cached;
  if (is_new) cached = run_nvrtc(files, options);
  auto compiled = std::make_shared<CompiledKernel>();
  *compiled = {architecture, key, std::move(cached->cubin), std::move(cached->log), {}};
  compiled->usage = parse_resource_usage(compiled->log);
  check_kernels(source, *compiled);
  if (is_new) write_cached_cubin(key, {compiled->cubin, compiled->log});
  return compiled;
}

}  // namespace

std::shared_ptr<const CompiledKernel> compile(const KernelSource& source, const Architecture& architecture) {
  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<const CompiledKernel>> known;
  const NvrtcLibrary& nvrtc = nvrtc_library();
  KVARIUM_VALIDATE(nvrtc.compiles_for(architecture.major, architecture.minor), "NVRTC ", nvrtc.major, ".", nvrtc.minor,
                   " does not compile for ", architecture.name(), "; use another version of it or a newer device");
  const std::vector<NamedText> files = collect_files(source);
  const std::vector<std::string> options = compiler_options(architecture, nvrtc);
  const std::string key = make_key(files, options, nvrtc);
  {
    const std::lock_guard lock(mutex);
    if (const auto found = known.find(key); found != known.end()) return found->second;
  }
  // Outside the lock, so that threads compile side by side; two that compile the same keep the first one's product.
  auto compiled = make(source, architecture, files, key, options);
  const std::lock_guard lock(mutex);
  return known.emplace(key, std::move(compiled)).first->second;
}

}  // namespace kvarium
