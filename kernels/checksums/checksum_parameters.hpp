#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kvarium {

/// In which order a byte hash takes the bytes of a block row.
enum class ByteOrder : std::uint8_t {
  cell,   ///< the valid cells by layer, head and token, K before V in each
  memory  ///< whole blocks as memory holds them: the K of all layers, then the V; `packed`: one tensor a layer
};

/// Which bytes of a token's row kv_canary hashes beside the token's place.
enum class CanaryData : std::uint8_t {
  none,     ///< metadata alone: token id, position, chain of slots
  partial,  ///< the first 16 bytes of the row in each buffer
  all
};

/// Settings of a checksum. Which of them a family takes it declares in its traits; the others keep their defaults.
struct ChecksumParameters {
  int piece_width = 8;  ///< bytes of one piece
  /// Implementation: "host" or "host_reference".
  std::string implementation = "host";
  ByteOrder byte_order = ByteOrder::cell;
  bool zero_means_absent = false;  ///< whether a recorded value of 0 stands for none
  std::uint64_t seed = 0;          ///< of mixed_sum's keys; the transfer's number, by which fmix_digest samples buffers
  int sampled_buffers = 0;         ///< buffers that fmix_digest reads; 0: all
  int edge_width = 4;              ///< bytes that edge_crc reads at either end of a block's buffer
  CanaryData canary_data = CanaryData::all;

  bool operator==(const ChecksumParameters&) const = default;
};

/// Names of the byte orders, in the order of the enumerators; likewise below.
const std::vector<std::string>& byte_order_names();
const std::vector<std::string>& canary_data_names();
/// The name a configuration gives the value.
std::string to_string(ByteOrder order);
std::string to_string(CanaryData data);

/// One setting that families may take or not, as a reader of configurations sees it.
struct ChecksumSetting {
  std::string name;
  std::string (*text)(const ChecksumParameters& parameters) = nullptr;  ///< its value as a configuration writes it
};

/// All of them, in the order of ChecksumParameters.
const std::vector<ChecksumSetting>& checksum_settings();

/// What is wrong when `setting` is not at its default although the family called `family` ("none": no checksum) does
/// not take it. Errors: InputError for an unknown family.
std::optional<std::string> checksum_setting_problem(const std::string& family, const ChecksumSetting& setting,
                                                    const ChecksumParameters& parameters);

}  // namespace kvarium
