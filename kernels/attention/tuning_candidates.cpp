#include "kernels/attention/tuning_candidates.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <thread>

#include "kernels/attention/variant_resources.hpp"

namespace kvarium {
namespace {

/// `wanted` alone where it binds the axis, else all values.
template <class Value>
std::vector<Value> open_values(const std::vector<Value>& values, const Value& wanted, const Value& default_value) {
  return wanted == default_value ? values : std::vector<Value>{wanted};
}

/// Every combination of the axes, the last one fastest.
std::vector<AttentionVariant> combinations(const std::string& name, const TuningAxes& axes,
                                           const AttentionVariant& wanted) {
  const AttentionVariant defaults;
  std::vector<AttentionVariant> all{{name}};
  const auto multiply = [&](auto AttentionVariant::*axis, const auto& values) {
    std::vector<AttentionVariant> more;
    for (const AttentionVariant& variant : all) {
      for (const auto& value : open_values(values, wanted.*axis, defaults.*axis)) {
        more.push_back(variant);
        more.back().*axis = value;
      }
    }
    all = std::move(more);
  };
  multiply(&AttentionVariant::partition_size, axes.partition_sizes);
  multiply(&AttentionVariant::block_n, axes.block_ns);
  multiply(&AttentionVariant::stages, axes.stages);
  multiply(&AttentionVariant::warps, axes.warps);
  multiply(&AttentionVariant::combine, axes.combines);
  for (AttentionVariant& variant : all) {
    variant.device_profile = wanted.device_profile;
    variant.verification = wanted.verification;
  }
  return all;
}

/// Names of the families to try. Errors: InputError for an unknown `only`.
std::vector<std::string> families_of(Device device, const std::string& only) {
  if (!only.empty()) attention_families().at(only);
  std::vector<std::string> names;
  for (const std::string& name : attention_families().names()) {
    const AttentionTraits traits = attention_families().at(name).traits();
    const bool is_wanted = only.empty() ? !traits.is_reference : name == only;
    if (is_wanted && traits.device == device) names.push_back(name);
  }
  return names;
}

/// Whether each variant spills. Compiling takes a second or so each.
std::vector<char> find_spills(const AttentionShape& shape, const std::vector<AttentionVariant>& variants) {
  std::vector<char> spills(variants.size(), 0);
  std::vector<std::exception_ptr> errors(variants.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < variants.size(); i = next++) {
      try {
        spills[i] = spilled_bytes(shape, variants[i]).value_or(0) > 0 ? 1 : 0;
      } catch (...) {
        errors[i] = std::current_exception();
      }
    }
  };
  std::vector<std::thread> threads;
  const std::size_t most = std::max(1U, std::thread::hardware_concurrency());
  for (std::size_t i = 0; i < std::min(most, variants.size()); ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  for (const std::exception_ptr& error : errors) {
    if (error) std::rethrow_exception(error);
  }
  return spills;
}

}  // namespace

TuningCandidates tuning_candidates(const VariantRequest& request, const std::string& family) {
  TuningCandidates candidates;
  std::vector<AttentionVariant> taken;
  for (const std::string& name : families_of(request.device, family)) {
    const AttentionFamily& item = attention_families().at(name);
    for (AttentionVariant& variant : combinations(name, item.tuning_axes(), request.wanted)) {
      const bool is_refused = is_refused_variant(variant, request);
      candidates.num_refused += is_refused ? 1 : 0;
      if (!is_refused) taken.push_back(std::move(variant));
    }
  }
  const std::vector<char> spills = find_spills(request.shape, taken);
  for (std::size_t i = 0; i < taken.size(); ++i) {
    (spills[i] != 0 ? candidates.spilling : candidates.variants).push_back(std::move(taken[i]));
  }
  return candidates;
}

}  // namespace kvarium
