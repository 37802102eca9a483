#include "kernels/attention/cuda/bulk_mma_plan.hpp"
#include "kernels/attention/cuda/ring_mma_family.hpp"

namespace kvarium {
namespace {

/// How the cells of one block and KV head lie in memory.
enum class SlabForm : std::uint8_t {
  dense,     ///< side by side: one copy for K and one for V, or one for both
  aligned,   ///< in runs apart from one another, such as the rows of nhd, each at a multiple of 16 bytes
  anywhere,  ///< at any address
};

/// Whether the cells of a KV head lie side by side in a block.
bool has_dense_slabs(const PagedCacheView& cache) {
  const CacheGeometry& geometry = cache.geometry;
  const CacheStrides& key = cache.key.strides;
  const CacheStrides& value = cache.value.strides;
  switch (geometry.layout) {
    case CacheLayout::split_x:
      return key.group == std::int64_t{geometry.block_size} * key.token && value.group == geometry.block_size;
    case CacheLayout::packed:
      return key.token == 2 * std::int64_t{geometry.head_size} && value == key &&
             cache.value.data - cache.key.data ==
                 std::ptrdiff_t{geometry.head_size} * element_bytes(geometry.element_type);
    default:
      return key.token == geometry.head_size && value.token == geometry.head_size;
  }
}

/// V3: tensor cores fed from rings in shared memory, which warps of their own fill by bulk copies.
class BulkMma final : public RingMmaFamily {
 public:
  BulkMma(SlabForm form, std::unique_ptr<BulkMma> other)
      : RingMmaFamily("bulk_mma", "tensor cores from shared memory, filled by bulk copies that other warps start",
                      std::move(other)),
        form_(form) {}

  Architecture minimum_architecture(const AttentionVariant&) const override { return {9, 0}; }

  KernelSource device_source(const AttentionShape& shape, const AttentionVariant& variant) const override {
    KernelSource source = RingMmaFamily::device_source(shape, variant);
    const bool is_dense = form_ == SlabForm::dense && shape.cache.layout != CacheLayout::nhd;
    source.constants.add("slabs_are_dense", is_dense).add("lanes_per_consumer", lanes_per_consumer(shape, variant));
    return source;
  }

 protected:
  std::optional<MmaPlan> plan(const AttentionShape& shape, const AttentionVariant& variant) const override {
    return plan_bulk_mma(shape, variant);
  }

  int serving_warps(const AttentionShape& shape, const AttentionVariant& variant) const override {
    return bulk_mma_producers(shape, variant);
  }

  bool takes(const PagedAttentionArguments& arguments) const override {
    const bool is_nhd = arguments.cache.geometry.layout == CacheLayout::nhd;
    return RingMmaFamily::takes(arguments) && (form_ != SlabForm::dense || is_nhd || has_dense_slabs(arguments.cache));
  }

 private:
  SlabForm form_;
};

}  // namespace

void register_bulk_mma(Registry<AttentionFamily>& registry) {
  auto anywhere = std::make_unique<BulkMma>(SlabForm::anywhere, nullptr);
  auto aligned = std::make_unique<BulkMma>(SlabForm::aligned, std::move(anywhere));
  registry.add("bulk_mma", std::make_unique<BulkMma>(SlabForm::dense, std::move(aligned)));
}

}  // namespace kvarium
