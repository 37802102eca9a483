#include "tests/support/staged_attention.hpp"

#include "kernels/cuda/stream.hpp"

namespace kvarium::test {
namespace {

std::size_t product(std::initializer_list<std::int64_t> factors) {
  std::int64_t value = 1;
  for (std::int64_t factor : factors) value *= factor;
  return static_cast<std::size_t>(value);
}

/// Entries of the block tables up to the last one that a sequence needs; the array may end there.
std::size_t needed_table_entries(const PagedAttentionArguments& arguments) {
  std::int64_t entries = 0;
  for (std::int64_t sequence = 0; sequence < arguments.shape.num_sequences; ++sequence) {
    const std::int64_t blocks = num_partitions(arguments.seq_lens[sequence], arguments.shape.cache.block_size);
    if (blocks > 0) entries = sequence * arguments.shape.max_num_blocks_per_sequence + blocks;
  }
  return static_cast<std::size_t>(entries);
}

/// Puts the arrays that every call has on the device.
void stage_inputs(PagedAttentionArguments& arguments, DeviceArrays& arrays) {
  const AttentionShape& shape = arguments.shape;
  const auto element = static_cast<std::size_t>(element_bytes(shape.query_type));
  const auto row = static_cast<std::size_t>(shape.num_heads * shape.cache.head_size) * element;
  const auto heads = static_cast<std::size_t>(shape.num_heads);
  const auto sequences = static_cast<std::size_t>(shape.num_sequences);
  const std::size_t gaps =
      sequences == 0 ? 0 : (sequences - 1) * static_cast<std::size_t>(arguments.query_row_stride());
  arrays.copy(arguments.query, sequences == 0 ? 0 : gaps * element + row);
  const std::size_t table_entries = needed_table_entries(arguments);
  arrays.copy(arguments.block_tables, table_entries * sizeof(std::int32_t));
  arrays.copy(arguments.seq_lens, sequences * sizeof(std::int32_t));
  arrays.copy(arguments.alibi_slopes, heads * sizeof(float));
  arrays.copy(arguments.sinks, heads * sizeof(float));
  arrays.copy_back(arguments.out, sequences * row);
  arrays.copy_back(arguments.lse, sequences * heads * sizeof(float));
}

void stage_partials(PagedAttentionArguments& arguments, DeviceArrays& arrays) {
  PartialBuffers& partials = arguments.partials;
  const std::size_t rows =
      product({arguments.shape.num_sequences, arguments.shape.num_heads, partials.max_num_partitions});
  const std::size_t output_bytes = product({arguments.shape.cache.head_size, element_bytes(partials.element_type)});
  arrays.copy_back(partials.exp_sums, rows * sizeof(float));
  arrays.copy_back(partials.max_logits, rows * sizeof(float));
  arrays.copy_back(partials.tmp_out, rows * output_bytes);
}

/// Physical blocks that the call reads.
std::vector<std::int64_t> attended_blocks(const PagedAttentionArguments& arguments) {
  const int block_size = arguments.shape.cache.block_size;
  std::vector<std::int64_t> blocks;
  for (std::int64_t sequence = 0; sequence < arguments.shape.num_sequences; ++sequence) {
    const std::int64_t length = arguments.seq_lens[sequence];
    for (std::int64_t block = first_visible_token(length, arguments.sliding_window) / block_size;
         block < (length + block_size - 1) / block_size; ++block) {
      blocks.push_back(arguments.block_tables[sequence * arguments.shape.max_num_blocks_per_sequence + block]);
    }
  }
  return blocks;
}

constexpr unsigned char not_a_number = 0xFF;

}  // namespace

StagedAttention::StagedAttention(const PagedAttentionArguments& arguments, const AttentionVariant& variant)
    : arguments_(arguments), variant_(variant) {
  const AttentionFamily& family = attention_families().at(variant.family);
  const AttentionShape& shape = arguments.shape;
  workspace_ = DeviceBytes(family.workspace_bytes(shape, variant));
  tickets_ = DeviceBuffer<std::uint32_t>(static_cast<std::size_t>(shape.num_sequences * shape.cache.num_kv_heads));
  fill_on_device(workspace_.data(), not_a_number, workspace_.size_bytes());
  fill_on_device(tickets_.data(), 0, tickets_.size_bytes());
  arguments_.workspace = {workspace_.data(), workspace_.size_bytes(), tickets_.data(),
                          static_cast<std::int64_t>(tickets_.size())};
  stage_inputs(arguments_, arrays_);
  stage_partials(arguments_, arrays_);
  arrays_.copy_blocks(arguments_.cache, attended_blocks(arguments));
  synchronize_stream(nullptr);
}

void StagedAttention::run(void* stream) {
  arguments_.stream = stream;
  paged_attention_v2(arguments_, variant_);
}

void StagedAttention::fetch() {
  synchronize_stream(arguments_.stream);
  arrays_.fetch();
}

}  // namespace kvarium::test
