#include "sim/faults/block_slices.hpp"
#include "sim/faults/fault_model.hpp"

namespace kvarium {
namespace {

/// A row of head_size elements of a block.
struct BlockRowPlace {
  std::int64_t half = 0;  ///< 0: K, 1: V
  std::int64_t kv_head = 0;
  std::int64_t token = 0;
};

/// Which row of the writer's stands where the reader looks for `read`.
BlockRowPlace written_row(const CacheGeometry& geometry, const std::string& misreading, const BlockRowPlace& read) {
  const std::int64_t heads = geometry.num_kv_heads;
  const std::int64_t tokens = geometry.block_size;
  const std::int64_t by_head = read.kv_head * tokens + read.token;
  const std::int64_t by_token = read.token * heads + read.kv_head;
  if (misreading == "nhd_as_hnd") return {read.half, by_head % heads, by_head / heads};
  if (misreading == "hnd_as_nhd") return {read.half, by_token / tokens, by_token % tokens};
  if (misreading == "split_as_packed") {
    const std::int64_t row = 2 * by_head + read.half;
    const std::int64_t cell = row % (heads * tokens);
    return {row / (heads * tokens), cell / tokens, cell % tokens};
  }
  const std::int64_t row = read.half * heads * tokens + by_head;
  return {row % 2, row / 2 / tokens, row / 2 % tokens};
}

/// A block is read in another memory order than it was written in, in every layer: token-major as head-major or the
/// reverse, K and V apart as packed cells or the reverse. The block keeps its bytes as a set.
/// Source: vllm#46204 (HND forced on NHD), #37703, kvcached#391, LMCache#4463 and dynamo#14416 (packed).
class LayoutMisread final : public FaultModel {
 public:
  FaultTraits traits() const override {
    return {"a block is read in another memory order than it was written in", "14", {"misreading"}};
  }

  void inject(Injection& injection) const override {
    const std::string& misreading = injection.choose(&FaultParameters::misreading);
    const StruckBlock drawn = injection.draw_block();
    for (std::int64_t layer = 0; layer < std::ssize(injection.target().layers()); ++layer) {
      misread(injection, Injection::in_layer(drawn, layer), misreading);
    }
    injection.set_detail(misreading);
    injection.strike();
  }

 private:
  static void misread(Injection& injection, const StruckBlock& block, const std::string& misreading) {
    const CacheGeometry& geometry = injection.target().geometry();
    const std::int64_t row_bytes = cell_bytes(geometry) / 2;
    rearrange(injection, block, read_block_cells(injection.cache(block.layer), block.span.physical_block),
              [&](const CellByte& read) {
                const std::int64_t half = read.byte < row_bytes ? 0 : 1;
                const BlockRowPlace row = written_row(geometry, misreading, {half, read.kv_head, read.token});
                return CellByte{row.kv_head, row.token, row.half * row_bytes + read.byte - half * row_bytes};
              });
  }
};

}  // namespace

void register_layout_misread(Registry<FaultModel>& registry) {
  registry.add("layout_misread", std::make_unique<LayoutMisread>());
}

}  // namespace kvarium
