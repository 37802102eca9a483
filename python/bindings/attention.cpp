#include <pybind11/stl.h>

#include <string>
#include <tuple>
#include <vector>

#include "kernels/attention/attention_family.hpp"
#include "kernels/attention/device_merge_states.hpp"
#include "kernels/attention/merge_states.hpp"
#include "kernels/attention/variant_choice.hpp"
#include "kernels/cuda/growing_memory.hpp"
#include "python/bindings/bindings.hpp"
#include "python/bindings/cache_arrays.hpp"
#include "python/bindings/device_section.hpp"
#include "python/bindings/kernel_section.hpp"

namespace kvarium::python {
namespace {

namespace py = pybind11;

/// Arrays of one call beside the cache: `out` [num_sequences, num_heads, head_size].
struct AttentionArrays {
  Array out;
  OptionalArray lse;
  Array query;
  Array block_tables;
  Array seq_lens;
  OptionalArray alibi_slopes;
  OptionalArray sinks;
};

AttentionShape shape_of(const AttentionArrays& arrays, const CacheArrays& cache) {
  AttentionShape shape;
  shape.num_sequences = arrays.query.shape(0);
  shape.num_heads = static_cast<int>(arrays.query.shape(1));
  shape.max_num_blocks_per_sequence = arrays.block_tables.shape(1);
  shape.cache = cache.view.geometry;
  return shape;
}

PagedAttentionArguments arguments_of(const AttentionArrays& arrays, const CacheArrays& cache) {
  PagedAttentionArguments arguments;
  arguments.shape = shape_of(arrays, cache);
  arguments.out = address<void>(arrays.out);
  arguments.lse = address<float>(arrays.lse);
  arguments.query = address<void>(arrays.query);
  if (arrays.query.shape(0) > 1) arguments.query_stride = element_stride(arrays.query, 0);
  arguments.cache = cache.view;
  arguments.block_tables = address<std::int32_t>(arrays.block_tables);
  arguments.seq_lens = address<std::int32_t>(arrays.seq_lens);
  arguments.alibi_slopes = address<float>(arrays.alibi_slopes);
  arguments.sinks = address<float>(arrays.sinks);
  return arguments;
}

/// Axes left open keep the defaults of AttentionVariant.
AttentionVariant variant_of(const std::optional<std::string>& family, std::optional<int> partition_size,
                            std::optional<int> block_n) {
  AttentionVariant variant;
  if (family) variant.family = *family;
  if (partition_size) variant.partition_size = *partition_size;
  if (block_n) variant.block_n = *block_n;
  return variant;
}

/// Bytes of workspace that the call needs; 0 where the family refuses it, which then says why itself.
std::size_t needed_workspace(const PagedAttentionArguments& arguments, const AttentionVariant& variant) {
  const AttentionFamily& family = attention_families().at(variant.family);
  validate_shapes(arguments, variant.partition_size);
  if (family.refusal(arguments.shape, variant)) return 0;
  return family.workspace_bytes(arguments.shape, variant);
}

void run_on_device(PagedAttentionArguments& arguments, const AttentionVariant& variant, const DevicePlace& place,
                   GrowingMemory& workspace) {
  const DeviceSection section(place);
  arguments.stream = place.handle();
  const std::size_t bytes = needed_workspace(arguments, variant);
  const auto launches = workspace.hold_for_launches();
  if (bytes > 0) arguments.workspace = {workspace.reserve(bytes), bytes, nullptr, 0};
  paged_attention_v2(arguments, variant);
}

void run_attention(const AttentionArrays& arrays, const CacheArrays& cache, const std::string& query_type,
                   std::int64_t max_seq_len, float scale, float softcap, std::int64_t sliding_window,
                   const AttentionVariant& variant, const DevicePlace* place, GrowingMemory* workspace) {
  PagedAttentionArguments arguments = arguments_of(arrays, cache);
  arguments.shape.query_type = parse_element_type(query_type);
  arguments.shape.max_seq_len = max_seq_len;
  arguments.scale = scale;
  arguments.softcap = softcap;
  arguments.sliding_window = sliding_window;
  if (place != nullptr) return run_on_device(arguments, variant, *place, *workspace);
  const KernelSection section;
  paged_attention_v2(arguments, variant);
}

void run_merge(const Array& left_out, const Array& left_lse, const Array& right_out, const Array& right_lse,
               const Array& out, const Array& lse, const std::string& element_type, const DevicePlace* place) {
  StateShape shape;
  shape.num_rows = lse.size();
  shape.head_size = static_cast<int>(out.shape(out.ndim() - 1));
  shape.element_type = parse_element_type(element_type);
  const AttentionState left{address<void>(left_out), address<float>(left_lse)};
  const AttentionState right{address<void>(right_out), address<float>(right_lse)};
  const AttentionState merged{address<void>(out), address<float>(lse)};
  if (place != nullptr) {
    const DeviceSection section(*place);
    return merge_states_on_device(left, right, merged, shape, place->handle());
  }
  const KernelSection section;
  merge_states(left, right, merged, shape);
}

/// What the rule takes for caches of that kind on that device; sizes of the batch are left for the call to refuse.
/// Axes that are given bind, be they the defaults.
AttentionVariant choose(const CacheArrays& cache, const std::string& query_type, int query_heads_per_kv_head,
                        std::optional<int> partition_size, std::optional<int> block_n, const DevicePlace& place) {
  VariantRequest request;
  request.device = Device::cuda;
  request.wanted = variant_of({}, partition_size, block_n);
  request.binds_partition_size = partition_size.has_value();
  request.binds_block_n = block_n.has_value();
  request.shape.cache = cache.view.geometry;
  request.shape.num_sequences = 1;
  request.shape.num_heads = query_heads_per_kv_head * request.shape.cache.num_kv_heads;
  request.shape.query_type = parse_element_type(query_type);
  const DeviceSection section(place);
  return choose_variant(request).variant;
}

/// (name, description, device, batch_invariant, uses_block_n)
using FamilyRow = std::tuple<std::string, std::string, std::string, bool, bool>;

std::vector<FamilyRow> list_families() {
  std::vector<FamilyRow> rows;
  for (const std::string& name : attention_families().names()) {
    const AttentionTraits traits = attention_families().at(name).traits();
    rows.emplace_back(name, traits.description, to_string(traits.device), traits.batch_invariant, traits.uses_block_n);
  }
  return rows;
}

}  // namespace

void bind_attention(py::module_& module) {
  py::class_<AttentionArrays>(module, "AttentionArrays", "Arrays of one attention call beside the cache; no copy.")
      .def(py::init<Array, OptionalArray, Array, Array, Array, OptionalArray, OptionalArray>(), py::kw_only(),
           py::arg("out").noconvert(), py::arg("lse").noconvert(), py::arg("query").noconvert(),
           py::arg("block_tables").noconvert(), py::arg("seq_lens").noconvert(), py::arg("alibi_slopes").noconvert(),
           py::arg("sinks").noconvert());
  py::class_<AttentionVariant>(module, "AttentionVariant", "A family at one setting of its axes; None: its default.")
      .def(py::init(&variant_of), py::kw_only(), py::arg("family"), py::arg("partition_size"), py::arg("block_n"))
      .def_readonly("family", &AttentionVariant::family)
      .def_readonly("partition_size", &AttentionVariant::partition_size)
      .def_readonly("block_n", &AttentionVariant::block_n);
  module.def("paged_attention_v2", &run_attention, py::arg("arrays"), py::arg("cache"), py::kw_only(),
             py::arg("query_type"), py::arg("max_seq_len"), py::arg("scale"), py::arg("softcap"),
             py::arg("sliding_window"), py::arg("variant"), py::arg("place"), py::arg("workspace"));
  module.def("choose_variant", &choose, py::kw_only(), py::arg("cache"), py::arg("query_type"),
             py::arg("query_heads_per_kv_head"), py::arg("partition_size"), py::arg("block_n"), py::arg("place"));
  module.def("merge_states", &run_merge, py::kw_only(), py::arg("left_out").noconvert(),
             py::arg("left_lse").noconvert(), py::arg("right_out").noconvert(), py::arg("right_lse").noconvert(),
             py::arg("out").noconvert(), py::arg("lse").noconvert(), py::arg("element_type"), py::arg("place"));
  module.def("attention_families", &list_families);
}

}  // namespace kvarium::python
