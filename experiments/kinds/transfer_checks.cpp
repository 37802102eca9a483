#include "experiments/kinds/transfer_checks.hpp"

#include <algorithm>

namespace kvarium {
namespace {

bool takes(const ChecksumTraits& traits, const char* setting) {
  return std::ranges::find(traits.settings, setting) != traits.settings.end();
}

void add_checks(const std::string& name, std::vector<TransferCheck>& checks) {
  const ChecksumFamily& family = checksum_families().at(name);
  const ChecksumTraits traits = family.traits();
  const TransferCheck plain{name, &family, {}, RecordScope::block};
  checks.push_back(plain);
  const auto add = [&](const std::string& ending) -> TransferCheck& {
    checks.push_back(plain);
    checks.back().name += ending;
    return checks.back();
  };
  if (takes(traits, "byte_order")) add("_memory").parameters.byte_order = ByteOrder::memory;
  if (takes(traits, "sampled_buffers")) add("_sampled").parameters.sampled_buffers = 1;
  if (takes(traits, "canary_data")) {
    add("_partial").parameters.canary_data = CanaryData::partial;
    add("_none").parameters.canary_data = CanaryData::none;
  }
  if (traits.additive) add("_request").scope = RecordScope::request;
}

}  // namespace

const std::vector<TransferCheck>& transfer_checks() {
  static const std::vector<TransferCheck> checks = [] {
    std::vector<TransferCheck> all;
    for (const std::string& name : checksum_families().names()) add_checks(name, all);
    return all;
  }();
  return checks;
}

bool is_comparable(const TransferCheck& check, const TransferShape& shape) {
  const ChecksumTraits traits = check.family->traits(check.parameters);
  const EngineShape& producer = shape.producer;
  const EngineShape& consumer = shape.consumer;
  const bool has_equal_ranks =
      producer.tensor_ranks == consumer.tensor_ranks && producer.pipeline_ranks == consumer.pipeline_ranks;
  if (!traits.layout_independent && producer.layout != consumer.layout) return false;
  if (!traits.additive && !has_equal_ranks) return false;
  return check.scope == RecordScope::request || producer.block_size == consumer.block_size;
}

}  // namespace kvarium
