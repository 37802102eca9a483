#pragma once

#include <functional>
#include <string>

#include "experiments/archive/archive_content.hpp"
#include "tests/experiments/archive/temporary_folder.hpp"
#include "tests/experiments/commands/captured_output.hpp"

namespace kvarium::test {

/// Two sequences of 40 tokens; three variants of the host family, partitions of 32 tokens, take them.
inline const std::string tiny_shape =
    "schema: 1\nname: tiny\nkind: decode_attention\nseed: 3\n"
    "limits: {min_time_seconds: 0, max_samples: 3}\n"
    "base:\n"
    "  cache: {head_size: 16, num_kv_heads: 2, query_heads_per_kv_head: 2}\n"
    "  batch: {num_sequences: 2, context_length: 40}\n"
    "  variant: {family: auto, partition_size: 32}\n";

/// A cache folder of its own, where `kvarium tune` writes and `variant.family: auto` looks while this lives.
class TuningCache {
 public:
  TuningCache();
  ~TuningCache();
  TuningCache(const TuningCache&) = delete;
  TuningCache& operator=(const TuningCache&) = delete;

  /// A file in the tuning folder.
  std::filesystem::path tuning(const std::string& name) const { return folder_ / "tunings" / name; }
  /// A file beside it.
  std::filesystem::path file(const std::string& name) const { return folder_ / name; }
  /// Names in the tuning folder, in order.
  std::vector<std::string> tunings() const;

  /// Runs `kvarium COMMAND FILE arguments...` on a file of that text.
  CommandResult run(const std::string& command, const std::string& text,
                    const std::vector<std::string>& arguments = {}) const;

  /// Puts an archive of the tiny shape's tuning into the tuning folder, in which `block_n` was fastest and that
  /// `change` has changed.
  void store(const std::string& name, int fastest_block_n,
             const std::function<void(ArchiveContent&)>& change = nullptr) const;

 private:
  TemporaryFolder folder_;
  std::string previous_;
  bool had_previous_ = false;
};

}  // namespace kvarium::test
