#include "tests/support/attend.hpp"

#include <catch2/catch_test_macros.hpp>
#include <cstdlib>

#include "core/check.hpp"
#include "kernels/cuda/driver_library.hpp"
#include "kernels/cuda/stream.hpp"
#include "tests/support/device_arrays.hpp"

namespace kvarium::test {
namespace {

bool tests_cuda() {
  const char* device = std::getenv("KVARIUM_TEST_DEVICE");
  return device != nullptr && std::string(device) == "cuda";
}

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

/// Partial results and tickets that a family works in when the caller gives none.
struct Workspace {
  DeviceBytes data;
  DeviceBuffer<std::uint32_t> tickets;

  Workspace(const AttentionFamily& family, const AttentionShape& shape, const AttentionVariant& variant)
      : data(family.workspace_bytes(shape, variant)),
        tickets(static_cast<std::size_t>(shape.num_sequences * shape.cache.num_kv_heads)) {
    constexpr unsigned char not_a_number = 0xFF;
    fill_on_device(data.data(), not_a_number, data.size_bytes());
    fill_on_device(tickets.data(), 0, tickets.size_bytes());
  }

  AttentionWorkspace view() const {
    return {data.data(), data.size_bytes(), tickets.data(), static_cast<std::int64_t>(tickets.size())};
  }
};

}  // namespace

std::vector<std::string> runnable_families() {
  const Device wanted = tests_cuda() ? Device::cuda : Device::cpu;
  if (wanted == Device::cuda && !missing_device_reason().empty()) SKIP("no GPU: " << missing_device_reason());
  std::vector<std::string> names;
  for (const std::string& name : attention_families().names()) {
    if (attention_families().at(name).traits().device == wanted) names.push_back(name);
  }
  if (names.empty()) SKIP("this build has no families for " << to_string(wanted));
  return names;
}

bool reads_host_arrays(const std::string& family) {
  return attention_families().at(family).traits().device == Device::cpu;
}

void attend(const PagedAttentionArguments& arguments, const AttentionVariant& variant) {
  const AttentionFamily& family = attention_families().at(variant.family);
  if (reads_host_arrays(variant.family)) return paged_attention_v2(arguments, variant);
  validate_shapes(arguments, variant.partition_size);
  if (const auto reason = family.refusal(arguments.shape, variant)) throw InputError(*reason);
  PagedAttentionArguments staged = arguments;
  DeviceArrays arrays;
  stage_inputs(staged, arrays);
  stage_partials(staged, arrays);
  arrays.copy_blocks(staged.cache, attended_blocks(arguments));
  const Workspace workspace(family, arguments.shape, variant);
  staged.workspace = workspace.view();
  paged_attention_v2(staged, variant);
  synchronize_stream(staged.stream);
  arrays.fetch();
}

}  // namespace kvarium::test
