#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include "core/random.hpp"
#include "kernels/cache/slice_records.hpp"
#include "kernels/cuda/device_memory.hpp"
#include "kernels/cuda/stream.hpp"
#include "kernels/memory/device_reader.hpp"
#include "tests/support/verified_settings.hpp"

namespace kvarium::test {
namespace {

/// 1,048,576 logical blocks over a pool of 2,048 physical ones in random order, all in device memory.
class ManyBlocks {
 public:
  ManyBlocks() {
    geometry_ = {CacheLayout::hnd, ElementType::float16, 2048, 16, 1, 64};
    shape_.num_sequences = 256;
    shape_.max_num_blocks_per_sequence = 4096;
    shape_.max_seq_len = 4096 * 16;
    shape_.query_type = ElementType::float16;
    shape_.cache = geometry_;
    const auto bytes = static_cast<std::size_t>(tensor_elements(geometry_)) * 2;
    for (DeviceBytes* tensor : {&key_, &value_}) {
      *tensor = DeviceBytes(bytes);
      fill_random_on_device(tensor->data(), bytes, nullptr);
    }
    query_ = DeviceBytes(rows() * 64 * 2);
    fill_random_on_device(query_.data(), query_.size_bytes(), nullptr);
    out_ = DeviceBytes(rows() * 64 * 2);
    make_tables();
    expected_ = DeviceBuffer<std::uint64_t>(tables_.size());
    covered_ = DeviceBuffer<std::int32_t>(tables_.size());
    synchronize_stream(nullptr);
  }

  const AttentionShape& shape() const { return shape_; }

  VerificationResult attend(const AttentionVariant& variant) {
    make_records(parse_slice_checksum(variant.verification));
    const DeviceBytes workspace(attention_families().at(variant.family).workspace_bytes(shape_, variant));
    PagedAttentionArguments arguments;
    arguments.shape = shape_;
    arguments.out = out_.data();
    arguments.query = query_.data();
    arguments.cache = view();
    arguments.block_tables = tables_.data();
    arguments.seq_lens = lengths_.data();
    arguments.workspace.data = workspace.data();
    arguments.workspace.bytes = workspace.size_bytes();
    const VerificationResult none;
    const DeviceBuffer<VerificationResult> found(&none, 1);
    arguments.verification = {expected_.data(), covered_.data(), 1, 0, found.data()};
    paged_attention_v2(arguments, variant);
    VerificationResult result;
    copy_to_host(&result, found.data(), sizeof(result));
    synchronize_stream(nullptr);
    return result;
  }

 private:
  std::size_t rows() const { return static_cast<std::size_t>(shape_.num_sequences); }
  PagedCacheView view() const {
    return dense_cache_view(geometry_, static_cast<std::byte*>(key_.data()), static_cast<std::byte*>(value_.data()));
  }

  void make_tables() {
    CounterRandom random({3, 4}, 0);
    std::vector<std::int32_t> tables(rows() * 4096);
    for (std::int32_t& id : tables) id = static_cast<std::int32_t>(random.below(2048));
    const std::vector<std::int32_t> lengths(rows(), 4096 * 16);
    tables_ = DeviceBuffer<std::int32_t>(tables.data(), tables.size());
    lengths_ = DeviceBuffer<std::int32_t>(lengths.data(), lengths.size());
    synchronize_stream(nullptr);
  }

  void make_records(SliceChecksum checksum) {
    record_blocks_on_device(view(), {tables_.data(), lengths_.data()},
                            {expected_.data(), covered_.data(), shape_.num_sequences, 4096, 1, 0, {checksum}});
  }

  CacheGeometry geometry_;
  AttentionShape shape_;
  DeviceBytes key_, value_, query_, out_;
  DeviceBuffer<std::int32_t> tables_, lengths_, covered_;
  DeviceBuffer<std::uint64_t> expected_;
};

TEST_CASE("verified attention reports nothing in a million clean blocks", "[kernels][gpu]") {
  const std::string family = GENERATE(from_range(verifying_families()));
  ManyBlocks blocks;
  AttentionVariant variant{family, 512, 16};
  variant.verification = GENERATE(as<std::string>(), "weighted_sum", "mixed_sum");
  REQUIRE_FALSE(attention_families().at(family).refusal(blocks.shape(), variant).has_value());

  const VerificationResult found = blocks.attend(variant);

  CHECK(found.fault == VerificationResult::no_fault);
  CHECK(found.verified == 256 * 4096);
  CHECK(found.unverified == 0);
}

}  // namespace
}  // namespace kvarium::test
