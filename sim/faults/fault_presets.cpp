#include "sim/faults/fault_presets.hpp"

#include "core/check.hpp"

namespace kvarium {
namespace {

const char* const beam_study = "Sullivan et al., MICRO 2021 (beam test of HBM2: seven patterns)";
const char* const dram_study = "ORNL field study of host DRAM: 47 % single bit, 22.5 % row or column";

std::vector<FaultPreset> memory_presets() {
  return {
      {"hbm2_bit", "single_bit_flip", {}, "one bit", beam_study},
      {"hbm2_byte", "burst", {.burst_bytes = 1}, "one byte", beam_study},
      {"hbm2_pin",
       "same_lane_flips",
       {.flips = 4, .word_bytes = 8, .drive = "invert"},
       "one pin over the four beats of an access, 64 bits each",
       beam_study},
      {"hbm2_two_bits", "burst", {.burst_bytes = 32, .mask_bits = 2}, "two bits of an access", beam_study},
      {"hbm2_three_bits", "burst", {.burst_bytes = 32, .mask_bits = 3}, "three bits of an access", beam_study},
      {"hbm2_beat", "burst", {.burst_bytes = 8}, "one beat of 64 bits", beam_study},
      {"hbm2_entry", "burst", {.burst_bytes = 32}, "one access of 32 bytes", beam_study},
      {"hbm3_pin",
       "same_lane_flips",
       {.flips = 8, .word_bytes = 4, .drive = "invert"},
       "one pin over the eight beats of an access, 32 bits each",
       "HBM3 pseudo-channel: 32 bits, bursts of 8"},
      {"hbm3_beat", "burst", {.burst_bytes = 4}, "one beat of 32 bits", "HBM3 pseudo-channel: 32 bits, bursts of 8"},
      {"dram_bit", "single_bit_flip", {}, "one bit of host memory", dram_study},
      {"dram_row",
       "stuck_line",
       {.stride_bytes = 64, .extent_bytes = 2048},
       "a bit of every line over 2 KiB of a row",
       dram_study},
      {"dram_column",
       "stuck_line",
       {.stride_bytes = 1024, .extent_bytes = 65536},
       "a bit at the stride of a row",
       dram_study}};
}

std::vector<FaultPreset> transfer_presets() {
  return {{"rdma_late_write",
           "late_write",
           {.layers = "all"},
           "a write of an earlier owner after the block was given away",
           "sgl-project/sglang#24527, #32564; vllm-project/vllm#56104"},
          {"rdma_visibility",
           "visibility_race",
           {.fraction = 0.25},
           "a quarter of the lines not visible yet",
           "meta-pytorch/monarch#3391; NVIDIA/nccl#683; vllm-project/vllm#44238"},
          {"rdma_trailing_word",
           "torn_write",
           {.kept = "prefix", .granularity_bytes = 4, .filler = "zero"},
           "words missing at the end of a write",
           "Mellanox/nv_peer_memory#31"},
          {"dma_half_written",
           "torn_write",
           {.granularity_bytes = 4096, .filler = "earlier"},
           "pages missing from an offload that did not wait",
           "vllm-project/vllm#45704, #46278"},
          {"nic_zeros",
           "spoiled_block",
           {.overwrite = "zeros"},
           "a transfer that delivers zeros",
           "anyscale/ray-serve-llm-perf-examples (NIXL over EFA)"},
          {"nvme_zeros",
           "spoiled_block",
           {.overwrite = "zeros"},
           "blocks zeroed by a drive's firmware",
           "scylladb/scylladb#8871"},
          {"packet_exchange",
           "torn_write",
           {.kept = "alternate", .granularity_bytes = 1024, .filler = "earlier"},
           "fragments of another message",
           "k.psu.ru/blog/node/89: 121 corruptions in 10 TB; Stone and Partridge 2000"}};
}

std::vector<FaultPreset> software_presets() {
  return {{"slot_reuse",
           "garbage_row",
           {.layers = "all"},
           "a slot rewritten in every layer",
           "sgl-project/sglang#39229, its injector"},
          {"landed_row",
           "garbage_row",
           {.layers = "one"},
           "one landed row clobbered",
           "sgl-project/sglang#39729, its injector"},
          {"padding_slot",
           "wrong_block_id",
           {.wrong_id = "last"},
           "an id of -1 taken for the last block",
           "vllm-project/vllm#43869"},
          {"consecutive_ids",
           "wrong_block_id",
           {.wrong_id = "consecutive"},
           "block ids assumed consecutive",
           "DingoCache#231, #234"},
          {"zero_fill",
           "spoiled_block",
           {.overwrite = "zeros"},
           "a zero-fill that ends after the transfer",
           "vllm-project/vllm#45357"},
          {"head_major_forced",
           "layout_misread",
           {.misreading = "nhd_as_hnd"},
           "NHD memory read as HND",
           "vllm-project/vllm#46204, #37703"},
          {"packed_misread",
           "layout_misread",
           {.misreading = "packed_as_split"},
           "packed K and V read as separate",
           "LMCache/LMCache#4463; ai-dynamo/dynamo#14416"},
          {"value_offset",
           "slice_exchange",
           {.exchanged = "layers"},
           "V of layer i goes to layer i + M",
           "sgl-project/sglang#33497, #27740"},
          {"nan_tail",
           "block_tail_garbage",
           {.garbage = "nan"},
           "NaN in the unfilled tail of a block",
           "vllm-project/vllm#57156; sgl-project/sglang#35351"},
          {"lost_checksum",
           "record_damage",
           {.damage = "zeroed"},
           "a record that says 0, \"not computed\"",
           "sgl-project/sglang#39500"}};
}

}  // namespace

const std::vector<FaultPreset>& fault_presets() {
  static const std::vector<FaultPreset> presets = [] {
    std::vector<FaultPreset> all;
    for (const auto& some : {memory_presets(), transfer_presets(), software_presets()}) {
      all.insert(all.end(), some.begin(), some.end());
    }
    return all;
  }();
  return presets;
}

std::vector<std::string> fault_preset_names() {
  std::vector<std::string> names;
  for (const FaultPreset& preset : fault_presets()) names.push_back(preset.name);
  return names;
}

const FaultPreset& fault_preset(std::string_view name) {
  for (const FaultPreset& preset : fault_presets()) {
    if (preset.name == name) return preset;
  }
  throw InputError(concatenate("unknown fault preset '", name, "'; use one of ", join(fault_preset_names())));
}

}  // namespace kvarium
