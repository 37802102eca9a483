#include "sim/faults/fault_parameters.hpp"

#include <algorithm>
#include <cmath>

#include "core/check.hpp"
#include "sim/faults/block_permutation.hpp"
#include "sim/faults/fault_change.hpp"

namespace kvarium {
namespace {

using Parameters = FaultParameters;

std::vector<std::string> any_or(const std::vector<std::string>& names) {
  std::vector<std::string> allowed{"any"};
  allowed.insert(allowed.end(), names.begin(), names.end());
  return allowed;
}

/// Settings of faults of bits and of hardware.
std::vector<FaultParameterInfo> hardware_settings() {
  return {{"tensor", "tensor struck", &Parameters::tensor, {"any", "key", "value"}},
          {"bits", "part of an element struck", &Parameters::bits, {"any", "sign", "exponent", "mantissa"}},
          {"permutation", "kind of permutation; any: one drawn in each trial", &Parameters::permutation,
           any_or(block_permutation_names())},
          {"lane",
           "bit of a word struck, from its lowest; -1: one drawn in each trial",
           &Parameters::lane,
           {},
           "1",
           -1,
           63},
          {"flips", "words struck in one lane", &Parameters::flips, {}, "1", 1, 64},
          {"word_bytes", "width of a word of memory", &Parameters::word_bytes, {}, "bytes", 4, 8, true},
          {"placement", "where struck words lie", &Parameters::placement, {"consecutive", "scattered"}},
          {"drive", "what a lane is driven to", &Parameters::drive, {"any", "invert", "stuck_zero", "stuck_one"}},
          {"burst_bytes", "consecutive bytes struck", &Parameters::burst_bytes, {}, "bytes", 1, 4096, true},
          {"mask_bits", "bits turned over; 0: each with probability 1/2", &Parameters::mask_bits, {}, "1", 0, 64},
          {"stride_bytes", "between struck bytes of a line", &Parameters::stride_bytes, {}, "bytes", 1, 4096, true},
          {"extent_bytes", "memory that a stuck line spans", &Parameters::extent_bytes, {}, "bytes", 64, 65536, true},
          {"forced", "what of a struck byte of a line is driven", &Parameters::forced, {"bit", "byte"}}};
}

/// Settings of faults of software and of transfers.
std::vector<FaultParameterInfo> software_settings() {
  return {
      {"layers", "whether one layer is struck or all", &Parameters::layers, {"any", "one", "all"}},
      {"wrong_id",
       "which block a wrong block id names",
       &Parameters::wrong_id,
       {"any", "other_live", "next", "consecutive", "last"}},
      {"fraction", "share of a block's 64-byte lines that are old", &Parameters::fraction, {}, "1", 0, 1},
      {"kept", "part of a torn write that arrived", &Parameters::kept, {"any", "prefix", "suffix", "alternate"}},
      {"granularity_bytes",
       "unit in which writes are torn",
       &Parameters::granularity_bytes,
       {},
       "bytes",
       4,
       65536,
       true},
      {"filler", "what stands where nothing was written", &Parameters::filler, {"any", "earlier", "zero"}},
      {"overwrite", "how a whole block is spoiled", &Parameters::overwrite, {"any", "zeros", "two_writers"}},
      {"component",
       "part of a sequence's cache that never came",
       &Parameters::component,
       {"any", "layer", "pipeline_stage", "key", "value"}},
      {"off_by_one",
       "which count of tokens is one off",
       &Parameters::off_by_one,
       {"any", "unwritten_slot", "one_more", "one_fewer"}},
      {"overrun_bytes", "bytes written past a block's end", &Parameters::overrun_bytes, {}, "bytes", 1, 65536, true},
      {"misreading",
       "writer's and reader's order of a block",
       &Parameters::misreading,
       {"any", "nhd_as_hnd", "hnd_as_nhd", "split_as_packed", "packed_as_split"}},
      {"shard", "how heads reach wrong ranks", &Parameters::shard, {"any", "exchanged_ranks", "off_by_one_head"}},
      {"ranks", "tensor-parallel size", &Parameters::ranks, {}, "1", 2, 64, true},
      {"garbage", "what garbage is", &Parameters::garbage, {"any", "random", "nan", "infinity"}},
      {"exchanged",
       "which slices are exchanged",
       &Parameters::exchanged,
       {"any", "tokens", "heads", "layers", "key_value"}},
      {"reading", "what a reader has wrong", &Parameters::reading, {"any", "scale", "element_type"}},
      {"source_error",
       "how the producer was wrong",
       &Parameters::source_error,
       {"any", "position_offset", "poisoned_row"}},
      {"damage", "what happens to a checksum record", &Parameters::damage, any_or(record_damage_names())}};
}

double number(const FaultParameterInfo::Member& member, const FaultParameters& parameters) {
  if (const auto* integer = std::get_if<std::int64_t FaultParameters::*>(&member)) {
    return static_cast<double>(parameters.**integer);
  }
  return parameters.*std::get<double FaultParameters::*>(member);
}

}  // namespace

bool FaultParameterInfo::is_default(const FaultParameters& parameters) const {
  return std::visit([&](auto pointer) { return parameters.*pointer == FaultParameters{}.*pointer; }, member);
}

std::string FaultParameterInfo::text(const FaultParameters& parameters) const {
  return std::visit([&](auto pointer) { return concatenate(parameters.*pointer); }, member);
}

std::string FaultParameterInfo::problem(const FaultParameters& parameters) const {
  if (!allowed.empty()) {
    const std::string value = text(parameters);
    if (std::ranges::find(allowed, value) != allowed.end()) return {};
    return concatenate(name, " '", value, "' is unknown; use one of ", join(allowed));
  }
  const double value = number(member, parameters);
  const bool is_within = value >= minimum && value <= maximum;
  if (is_within && (!is_power_of_two || std::exp2(std::floor(std::log2(value))) == value)) return {};
  return concatenate(name, " ", value, " is out of range; use ", minimum, " to ", maximum,
                     is_power_of_two ? ", a power of two" : "");
}

const std::vector<FaultParameterInfo>& fault_parameter_infos() {
  static const std::vector<FaultParameterInfo> infos = [] {
    std::vector<FaultParameterInfo> all = hardware_settings();
    for (FaultParameterInfo& info : software_settings()) all.push_back(std::move(info));
    return all;
  }();
  return infos;
}

const FaultParameterInfo& fault_parameter_info(const std::string& name) {
  std::vector<std::string> known;
  for (const FaultParameterInfo& info : fault_parameter_infos()) {
    if (info.name == name) return info;
    known.push_back(info.name);
  }
  throw InputError(concatenate("unknown fault parameter '", name, "'; use one of ", join(known)));
}

const FaultParameterInfo& fault_parameter_info(std::string FaultParameters::*member) {
  for (const FaultParameterInfo& info : fault_parameter_infos()) {
    const auto* text = std::get_if<std::string FaultParameters::*>(&info.member);
    if (text != nullptr && *text == member) return info;
  }
  throw AssertionFailure("a setting of faults is not described");
}

}  // namespace kvarium
