#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "experiments/kinds/transfer_trial.hpp"
#include "tests/experiments/kinds/small_point.hpp"

using namespace kvarium;
using namespace kvarium::test;

namespace {

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
