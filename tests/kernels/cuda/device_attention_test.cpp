#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include "kernels/attention/cuda_attention_family.hpp"
#include "tests/support/cuda_graph.hpp"
#include "tests/support/decode_run.hpp"
#include "tests/support/staged_attention.hpp"

namespace kvarium::test {
namespace {

/// Families of the GPU whatever the environment says; skips the test without one.
std::vector<std::string> device_families() {
  if (!missing_device_reason().empty()) SKIP("no GPU: " << missing_device_reason());
  std::vector<std::string> names;
  for (const std::string& name : attention_families().names()) {
    if (find_cuda_attention_family(name) != nullptr) names.push_back(name);
  }
  if (names.empty()) SKIP("this build has no CUDA families");
  return names;
}

DecodeShape tiny_shape(std::vector<std::int32_t> lengths) {
  DecodeShape shape;
  shape.cache = {CacheLayout::hnd, ElementType::float16, 0, 16, 1, 64};
  shape.query_heads_per_kv_head = 2;
  shape.query_type = ElementType::float16;
  shape.seq_lens = std::move(lengths);
  return shape;
}

TEST_CASE("bug 15: more sequences than a grid's second axis holds are all attended", "[gpu]") {
  const std::string family = GENERATE(from_range(device_families()));
  std::vector<std::int32_t> lengths(65'537);
  for (std::size_t i = 0; i < lengths.size(); ++i) lengths[i] = static_cast<std::int32_t>(i % 3);
  check_against_oracle(make_decode_case(tiny_shape(lengths)), {family, 64, 16});
}

TEST_CASE("bug 15: more partitions than a grid's third axis holds are all attended", "[gpu]") {
  const std::string family = GENERATE(from_range(device_families()));
  check_against_oracle(make_decode_case(tiny_shape({16 * 65'537 + 5, 1})), {family, 16, 16});
}

TEST_CASE("bug 2: sequences of 200,000 tokens are right", "[gpu]") {
  const std::string family = GENERATE(from_range(device_families()));
  check_against_oracle(make_decode_case(tiny_shape({200'000, 199'999})), {family, 512, 32});
}

/// A case with its arrays on the device.
struct DeviceCase {
  DecodeCase item;
  DecodeResult result;
  StagedAttention staged;

  DeviceCase(const DecodeCase& whole, const AttentionVariant& variant)
      : item(whole), result(make_result(item)), staged(decode_arguments(item, result), variant) {}

  void set_lengths(const std::vector<std::int32_t>& lengths) {
    auto* device = const_cast<std::int32_t*>(staged.arguments().seq_lens);
    copy_to_device(device, lengths.data(), lengths.size() * sizeof(std::int32_t));
    synchronize_stream(nullptr);
  }
};

/// A variant that combines partitions by each way the family knows; skips the others.
AttentionVariant variant_combined_by(const std::string& family, const std::string& combine, const DecodeCase& item) {
  AttentionVariant variant{family, 64, 16};
  variant.combine = combine;
  DecodeResult unused = make_result(item);
  const auto reason = attention_families().at(family).refusal(decode_arguments(item, unused).shape, variant);
  if (reason) SKIP(family << " with combine " << combine << ": " << *reason);
  return variant;
}

TEST_CASE("bugs 18 and 19: a graph captured over short sequences is right over long ones", "[gpu]") {
  const std::string family = GENERATE(from_range(device_families()));
  const std::string combine = GENERATE(from_range(combine_names()));
  const DecodeCase item = make_decode_case(tiny_shape({1000, 513, 64, 7}));
  const AttentionVariant variant = variant_combined_by(family, combine, item);
  const DecodeResult expected = run_decode(item, variant);
  DeviceCase captured(item, variant);
  const CudaStream stream;
  captured.staged.run(stream.handle());  // loads the kernels
  stream.synchronize();
  captured.set_lengths({1, 1, 0, 1});
  const CudaGraph graph(stream, [&] { captured.staged.run(stream.handle()); });
  graph.launch(stream);
  stream.synchronize();
  captured.set_lengths(item.shape.seq_lens);

  for (int launch = 0; launch < 3; ++launch) graph.launch(stream);
  captured.staged.fetch();

  CAPTURE(family, combine);
  CHECK(captured.result == expected);
}

TEST_CASE("bug 30: a thousand launches on one workspace, with shapes in turns, are all right", "[gpu]") {
  const std::string family = GENERATE(from_range(device_families()));
  const std::string combine = GENERATE(from_range(combine_names()));
  const DecodeCase large = make_decode_case(tiny_shape({700, 65, 0, 130})), small = make_decode_case(tiny_shape({300}));
  const AttentionVariant variant = variant_combined_by(family, combine, large);
  const DecodeResult expected_large = run_decode(large, variant), expected_small = run_decode(small, variant);
  DeviceCase first(large, variant), second(small, variant);
  second.staged.arguments().workspace = first.staged.arguments().workspace;
  const CudaStream stream;

  for (int launch = 0; launch < 500; ++launch) {
    first.staged.run(stream.handle());
    second.staged.run(stream.handle());
  }
  second.staged.fetch();
  first.staged.fetch();

  CAPTURE(family, combine);
  CHECK(first.result == expected_large);
  CHECK(second.result == expected_small);
}

TEST_CASE("a workspace that is too small is refused, and nothing is written", "[gpu]") {
  const std::string family = GENERATE(from_range(device_families()));
  const DecodeCase item = make_decode_case(tiny_shape({700, 65}));
  DeviceCase small(item, {family, 64, 16});
  small.staged.arguments().workspace.bytes -= 1;
  CHECK_THROWS_AS(small.staged.run(), InputError);
  small.staged.fetch();
  CHECK(small.result == make_result(item));
}

}  // namespace
}  // namespace kvarium::test
