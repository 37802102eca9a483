#include "tests/support/verified_call.hpp"

#include "kernels/cuda/stream.hpp"

namespace kvarium::test {

SliceRecords HostRecords::view(const DecodeCase& item) {
  return {expected.data(),
          covered_tokens.data(),
          item.num_sequences(),
          item.max_num_blocks_per_sequence,
          layer,
          first_head,
          sum};
}

HostRecords record(const DecodeCase& item, SliceChecksum checksum) {
  HostRecords records;
  records.sum = {checksum, 0x5EED};
  const auto blocks = static_cast<std::size_t>(item.num_sequences() * item.max_num_blocks_per_sequence);
  records.expected.resize(blocks * static_cast<std::size_t>(item.shape.cache.num_kv_heads));
  records.covered_tokens.resize(blocks);
  record_blocks(item.cache.view(), {item.block_tables.data(), item.shape.seq_lens.data()}, records.view(item));
  return records;
}

VerifiedCall::VerifiedCall(const DecodeCase& item, const AttentionVariant& variant, const DecodeOptions& options)
    : item_(item),
      records_(record(item, parse_slice_checksum(variant.verification))),
      result_(make_result(item)),
      staged_(decode_arguments(item, result_, options), variant),
      found_(1) {
  Verification& verification = staged_.arguments().verification;
  verification = {
      records_.expected.data(), records_.covered_tokens.data(), records_.layer, records_.first_head, found_.data(),
      records_.sum.seed};
  arrays_.copy(verification.expected, records_.expected.size() * sizeof(std::uint64_t));
  arrays_.copy(verification.covered_tokens, records_.covered_tokens.size() * sizeof(std::int32_t));
}

VerificationResult VerifiedCall::run() {
  VerificationResult found;
  copy_to_device(found_.data(), &found, sizeof(found));
  staged_.run();
  staged_.fetch();
  copy_to_host(&found, found_.data(), sizeof(found));
  synchronize_stream(nullptr);
  return found;
}

void VerifiedCall::flip(bool is_key, std::int64_t sequence, std::int64_t token, int head, int element, int bit) {
  const PagedCacheView& cache = staged_.arguments().cache;
  const CacheTensor& tensor = is_key ? cache.key : cache.value;
  const int block_size = cache.geometry.block_size;
  const auto entry = static_cast<std::size_t>(sequence * item_.max_num_blocks_per_sequence + token / block_size);
  const std::int64_t offset = tensor.strides.offset(item_.block_tables[entry], head, token % block_size, element);
  std::byte* const byte = tensor.data + offset * element_bytes(cache.geometry.element_type) + bit / 8;
  std::byte value{};
  copy_to_host(&value, byte, 1);
  synchronize_stream(nullptr);
  value ^= std::byte{1} << bit % 8;
  copy_to_device(byte, &value, 1);
  synchronize_stream(nullptr);
}

void VerifiedCall::set_block(std::int64_t sequence, std::int64_t block, std::int32_t id) {
  auto* const entry = const_cast<std::int32_t*>(staged_.arguments().block_tables) +
                      sequence * item_.max_num_blocks_per_sequence + block;
  copy_to_device(entry, &id, sizeof(id));
  synchronize_stream(nullptr);
}

void VerifiedCall::set_covered(std::int64_t sequence, std::int64_t block, std::int32_t tokens) {
  auto* const entry = const_cast<std::int32_t*>(staged_.arguments().verification.covered_tokens) +
                      sequence * item_.max_num_blocks_per_sequence + block;
  copy_to_device(entry, &tokens, sizeof(tokens));
  synchronize_stream(nullptr);
}

}  // namespace kvarium::test
