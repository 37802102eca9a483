#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kvarium {

/// A device source that is built into the library, so that an installed program needs no source folder.
struct DeviceSource {
  std::string_view path;  ///< from the root of the repository, as it is written in #include
  std::string_view text;
};

/// Every .cuh file of this build, ordered by path.
const std::vector<DeviceSource>& device_sources();

/// 128-bit hash in hexadecimal digits of every device source and its path: builds that share it compile the same
/// kernels.
std::string device_sources_hash();

/// The file `entry` and every file it includes, each once, `entry` first; `variant.cuh`, which is made for each
/// variant, is left out. Errors: InputError for a file that this build does not have.
std::vector<DeviceSource> source_closure(std::string_view entry);

}  // namespace kvarium
