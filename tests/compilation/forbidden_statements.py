"""Statements that must not compile, each beside one that must and differs from it in one thing."""

from __future__ import annotations

from typing import NamedTuple

PREAMBLE = """\
#include "core/identifiers.hpp"
#include "core/paged_kv_cache.hpp"
#include "core/registry.hpp"
#include "kernels/attention/attention_family.hpp"
#include "sim/faults/fault_stage.hpp"

using namespace kvarium;

void read_block(BlockId);
void read_layer(LayerId, KvHeadId);
bool is_ready();

struct CompleteFamily final : AttentionFamily {
  AttentionTraits traits() const override;
  std::optional<std::string> refusal(const AttentionShape&, const AttentionVariant&) const override;
  void run(const PagedAttentionArguments&, const AttentionVariant&) const override;
};
struct FamilyWithoutRun final : AttentionFamily {
  AttentionTraits traits() const override;
  std::optional<std::string> refusal(const AttentionShape&, const AttentionVariant&) const override;
};
"""


class Pair(NamedTuple):
    """A statement that compiles and one that does not."""

    allowed: str
    forbidden: str


PAIRS = {
    "a logical block is not a physical block": Pair("read_block(BlockId(3))", "read_block(LogicalBlockId(3))"),
    "a slot is not a block": Pair("BlockId id = BlockId(3)", "BlockId id = SlotId(3)"),
    "a layer and a head do not change places": Pair(
        "read_layer(LayerId(1), KvHeadId(2))", "read_layer(KvHeadId(2), LayerId(1))"
    ),
    "a sequence is not the request that runs in it": Pair(
        "RequestId request(std::int64_t{3})", "RequestId request(SequenceId(3))"
    ),
    "a number is not a block": Pair("read_block(BlockId(3))", "read_block(3)"),
    "a number is not assigned to a block": Pair("BlockId id; id = BlockId(3)", "BlockId id; id = 3"),
    "braces do not make a block of a number": Pair("BlockId id{3}", "BlockId id = {3}"),
    "a block is not a number": Pair("std::int32_t id = BlockId(3).value()", "std::int32_t id = BlockId(3)"),
    "a block is not an index": Pair("int a[4]{}; a[BlockId(3).value()] = 1", "int a[4]{}; a[BlockId(3)] = 1"),
    "blocks of two kinds are not compared": Pair(
        "bool same = BlockId(3) == BlockId(3)", "bool same = BlockId(3) == LogicalBlockId(3)"
    ),
    "indices of two kinds are not ordered": Pair(
        "bool less = BlockId(3) < BlockId(4)", "bool less = BlockId(3) < SlotId(4)"
    ),
    "a block is not compared with a number": Pair(
        "bool first = BlockId(3).value() == 0", "bool first = BlockId(3) == 0"
    ),
    "blocks are not added": Pair("auto next = BlockId(3).value() + 1", "auto next = BlockId(3) + 1"),
    "a block's value is not written to": Pair("BlockId id; id = BlockId(4)", "BlockId id; id.value() = 4"),
    "validity is asked for, not taken in passing": Pair(
        "bool is_valid = BlockId(3).is_valid()", "bool is_valid = BlockId(3)"
    ),
    "a layout is not a number": Pair("CacheLayout layout = CacheLayout::hnd", "CacheLayout layout = 2"),
    "a layout is not an element type": Pair(
        "CacheGeometry geometry{.layout = CacheLayout::hnd}", "CacheGeometry geometry{.layout = ElementType::float16}"
    ),
    "a fault stage is not a number": Pair("FaultStage stage = FaultStage::in_flight", "FaultStage stage = 2"),
    "an element type is not a condition": Pair(
        "if (ElementType::float16 == ElementType::float16) return", "if (ElementType::float16) return"
    ),
    "an attention family runs something": Pair(
        "auto* family = new CompleteFamily", "auto* family = new FamilyWithoutRun"
    ),
    "a cache is made from its geometry by name": Pair(
        "PagedKvCache cache(CacheGeometry{})", "PagedKvCache cache = CacheGeometry{}"
    ),
    "a precondition is a condition in every build": Pair("KVARIUM_EXPECT(is_ready())", "KVARIUM_EXPECT(is_raedy())"),
    "a precondition has a value in every build": Pair(
        "KVARIUM_EXPECT(is_ready())", "KVARIUM_EXPECT(read_block(BlockId()))"
    ),
}
