#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include "experiments/config/combination_rules.hpp"
#include "experiments/kinds/transfer_trial.hpp"
#include "sim/transfer/transfer_defect.hpp"
#include "tests/experiments/kinds/small_point.hpp"

using namespace kvarium;
using namespace kvarium::test;

namespace {

constexpr CacheLayout cache_layouts[] = {CacheLayout::split_x, CacheLayout::nhd, CacheLayout::hnd, CacheLayout::packed};

PointConfig transfer_point() {
  PointConfig point = small_point();
  point.kind = "transfer";
  point.base.checksum.family = "none";
  point.base.fault.model = "none";
  return point;
}

ChecksumVerdict verdict(const TransferTrial& trial, const std::string& check, CheckPoint point) {
  for (std::size_t number = 0; number < transfer_checks().size(); ++number) {
    if (transfer_checks()[number].name == check) return trial.verdicts[number][static_cast<std::size_t>(point)];
  }
  throw InputError("no check " + check);
}

}  // namespace

TEST_CASE("engines of any two layouts, block sizes and ranks hand over a cache without a difference",
          "[experiments][transfer]") {
  PointConfig point = transfer_point();
  TransferConfig& transfer = point.base.transfer;
  transfer.producer.layout = GENERATE("split_x", "nhd", "hnd", "packed");
  transfer.consumer.layout = GENERATE("split_x", "nhd", "hnd", "packed");
  transfer.consumer.block_size = GENERATE(8, 16, 32);
  transfer.producer.tensor_ranks = GENERATE(1, 2);
  transfer.consumer.pipeline_ranks = GENERATE(1, 2);
  transfer.path = GENERATE("direct", "host_tier");
  CAPTURE(transfer.producer.layout, transfer.consumer.layout, transfer.consumer.block_size,
          transfer.producer.tensor_ranks, transfer.consumer.pipeline_ranks, transfer.path);

  const TransferTrial trial = TransferCampaign(point, small_key).run_trial(0);

  CHECK_FALSE(trial.is_damaged());
  CHECK(trial.num_refused == 0);
  for (const auto& verdicts : trial.verdicts) {
    for (const ChecksumVerdict verdict : verdicts) CHECK(verdict != ChecksumVerdict::false_alarm);
  }
  CHECK(verdict(trial, "weighted_sum_request", CheckPoint::landing) == ChecksumVerdict::clean);
}

TEST_CASE("a write after the check on landing is seen at a step alone", "[experiments][transfer]") {
  PointConfig point = transfer_point();
  point.base.transfer.defect = "late_write_after_abort";
  point.base.transfer.moment = "after_check";

  const TransferTrial trial = TransferCampaign(point, small_key).run_trial(1);

  CHECK(trial.effect == FaultEffect::corrupted);
  CHECK(verdict(trial, "weighted_sum", CheckPoint::source) == ChecksumVerdict::missed);
  CHECK(verdict(trial, "weighted_sum", CheckPoint::landing) == ChecksumVerdict::missed);
  CHECK(verdict(trial, "weighted_sum", CheckPoint::step) == ChecksumVerdict::detected);
}

TEST_CASE("what is wrong before the producer sums is seen by no checksum of contents", "[experiments][transfer]") {
  PointConfig point = transfer_point();
  point.base.transfer.defect = GENERATE("positions_restart", "inputs_read_too_early", "shared_hash_domain",
                                        "other_model_revision", "unwritten_final_slot");
  CAPTURE(point.base.transfer.defect);

  const TransferTrial trial = TransferCampaign(point, small_key).run_trial(0);

  CHECK(trial.is_damaged());
  for (std::size_t number = 0; number < transfer_checks().size(); ++number) {
    if (transfer_checks()[number].family->traits().beside_slots) continue;
    CAPTURE(transfer_checks()[number].name);
    for (const ChecksumVerdict verdict : trial.verdicts[number]) CHECK(verdict == ChecksumVerdict::missed);
  }
}

TEST_CASE("a trial is the same whatever ran before it, and another one differs", "[experiments][transfer]") {
  PointConfig point = transfer_point();
  point.base.transfer.defect = GENERATE("trailing_word_missing", "padding_slot_wraps", "two_offloads_one_slot");
  if (point.base.transfer.defect == "two_offloads_one_slot") point.base.transfer.path = "host_tier";
  CAPTURE(point.base.transfer.defect);
  const TransferCampaign campaign(point, small_key), other(point, small_key);
  campaign.run_trial(0);

  const TransferTrial one = campaign.run_trial(1), again = other.run_trial(1);

  CHECK(one.difference.num_changed_bytes == again.difference.num_changed_bytes);
  CHECK(one.difference.relative_l2 == again.difference.relative_l2);
  CHECK(one.verdicts == again.verdicts);
}

TEST_CASE("every defect says why it cannot happen in a transfer, or runs", "[experiments][transfer]") {
  PointConfig point = transfer_point();
  point.base.transfer.defect = GENERATE(from_range(transfer_defects().names()));
  CAPTURE(point.base.transfer.defect);
  std::int64_t runs = 0;
  for (const char* path : {"direct", "host_tier"}) {
    for (const std::int64_t length : {16, 44, 48}) {
      for (const CacheLayout layout : cache_layouts) {
        for (const int ranks : {1, 2}) {
          CAPTURE(path, length, to_string(layout), ranks);
          point.base.cache.layout = layout;
          point.base.cache.element_type = ranks == 1 ? ElementType::float16 : ElementType::float8_e4m3;
          point.base.batch.context_length = length;
          point.base.transfer.path = path;
          point.base.transfer.producer.pipeline_ranks = ranks;
          point.base.transfer.consumer.tensor_ranks = ranks;
          if (combination_problem(point.base)) continue;
          CHECK_NOTHROW(TransferCampaign(point, small_key).run_trial(0));
          ++runs;
        }
      }
    }
  }
  CHECK(runs > 0);
}
