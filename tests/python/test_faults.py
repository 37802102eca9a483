from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import pytest
from numpy.typing import NDArray

import kvarium

NUM_LAYERS, NUM_BLOCKS, NUM_KV_HEADS, BLOCK_SIZE, HEAD_SIZE = 2, 6, 2, 16, 8
SHAPE = (NUM_BLOCKS, NUM_KV_HEADS, BLOCK_SIZE, HEAD_SIZE)  # of layout hnd
LENGTH = 40


def random_layers(seed: int) -> list[NDArray[np.float16]]:
    random = np.random.default_rng(seed)
    return [random.standard_normal(SHAPE).astype(np.float16) for _ in range(NUM_LAYERS)]


@dataclass
class Scene:
    """One sequence of 40 tokens in blocks 5, 0 and 3, and what the blocks held before."""

    keys: list[NDArray[np.float16]] = field(default_factory=lambda: random_layers(1))
    values: list[NDArray[np.float16]] = field(default_factory=lambda: random_layers(2))
    earlier_keys: list[NDArray[np.float16]] = field(default_factory=lambda: random_layers(3))
    earlier_values: list[NDArray[np.float16]] = field(default_factory=lambda: random_layers(4))
    table: NDArray[np.int32] = field(default_factory=lambda: np.array([[5, 0, 3]], np.int32))
    lengths: NDArray[np.int32] = field(default_factory=lambda: np.array([LENGTH], np.int32))

    def target(self, *, knows_earlier: bool = True) -> kvarium.FaultTarget:
        earlier = kvarium.LayeredCache(self.earlier_keys, self.earlier_values, layout="hnd")
        return kvarium.FaultTarget(
            kvarium.LayeredCache(self.keys, self.values, layout="hnd"),
            self.table,
            np.array([LENGTH], np.int32),
            read_lengths=self.lengths,
            earlier=earlier if knows_earlier else None,
        )

    def state(self) -> bytes:
        arrays = [*self.keys, *self.values, self.table, self.lengths]
        return b"".join(array.tobytes() for array in arrays)


def test_a_bit_flip_changes_the_bit_it_reports_and_no_other() -> None:
    scene = Scene()
    before = np.stack([scene.keys, scene.values]).view(np.uint16).copy()

    fault = scene.target().inject("single_bit_flip", seed=3, trial=0, bits="sign", tensor="value")

    record = fault.record
    changed = before ^ np.stack([scene.keys, scene.values]).view(np.uint16)
    block, token = scene.table[0, record.token // BLOCK_SIZE], record.token % BLOCK_SIZE
    element = (record.byte - 2 * HEAD_SIZE) // 2
    assert (record.struck, record.tensor, record.field, record.bit) == ("cache", "value", "sign", 15)
    assert np.count_nonzero(changed) == 1
    assert changed[1, record.layer, block, record.kv_head, token, element] == 1 << 15


@pytest.mark.parametrize("traits", kvarium.fault_models(), ids=lambda traits: traits.name)
def test_every_fault_repeats_and_is_undone_to_the_bit(traits: kvarium.FaultModelTraits) -> None:
    scenes = Scene(), Scene()
    intact = scenes[0].state()
    targets = [scene.target() for scene in scenes]
    for trial in range(5):
        try:
            faults = [target.inject(traits.name, seed=7, trial=trial) for target in targets]
        except kvarium.NotApplicable:
            assert scenes[0].state() == intact
            continue

        assert scenes[0].state() == scenes[1].state()
        is_elsewhere = faults[0].record.struck == "checksum_record"
        assert (scenes[0].state() == intact) == is_elsewhere
        for target, fault in zip(targets, faults, strict=True):
            target.revert(fault)
        assert scenes[0].state() == intact


def test_a_stale_block_holds_what_the_earlier_cache_does() -> None:
    scene = Scene()

    fault = scene.target().inject("stale_block", seed=1, trial=2)

    ((layer, block),) = fault.struck_blocks()
    np.testing.assert_array_equal(scene.keys[layer][block], scene.earlier_keys[layer][block])
    np.testing.assert_array_equal(scene.values[layer][block], scene.earlier_values[layer][block])


def test_a_wrong_block_id_stands_in_the_table_that_was_given() -> None:
    scene = Scene()

    fault = scene.target().inject("wrong_block_id", seed=1, trial=0, wrong_id="other_live")

    (change,) = fault.table_changes()
    assert scene.table[0, change.logical_block] == change.after != change.before
    assert fault.struck_blocks() == []


def test_a_miscount_stands_in_the_lengths_that_readers_believe() -> None:
    scene = Scene()

    scene.target().inject("token_off_by_one", seed=1, trial=0, off_by_one="one_more")

    assert scene.lengths.tolist() == [LENGTH + 1]


def test_a_fault_that_cannot_strike_says_why_and_changes_nothing() -> None:
    scene = Scene()
    intact = scene.state()

    with pytest.raises(kvarium.NotApplicable, match="no earlier contents are known"):
        scene.target(knows_earlier=False).inject("stale_block", seed=1, trial=0)

    assert scene.state() == intact


WRONG_INPUTS = {
    "model": ({"model": "bit_flip"}, "unknown fault model 'bit_flip'; use one of"),
    "name": ({"bit": "sign"}, "unknown fault parameter 'bit'; use one of"),
    "value": ({"bits": "top"}, "bits 'top' is unknown; use one of any, sign"),
    "kind": ({"bits": 3}, "fault setting bits is of another kind; pass a text"),
    "seed": ({"seed": -1}, "seed is -1; use 0 to"),
}


@pytest.mark.parametrize("name", WRONG_INPUTS)
def test_a_wrong_model_or_setting_is_named(name: str) -> None:
    changes, words = WRONG_INPUTS[name]
    arguments = {"model": "single_bit_flip", "seed": 1, "trial": 0} | changes

    with pytest.raises(kvarium.InputError, match=words):
        Scene().target().inject(**arguments)


def test_arrays_that_cannot_be_struck_are_refused() -> None:
    scene = Scene()
    scene.values[1].flags.writeable = False
    with pytest.raises(kvarium.InputError, match=r"value_caches\[1\] is read-only"):
        scene.target()
    other = Scene(table=np.array([[5, 0]], np.int32))
    with pytest.raises(kvarium.InputError, match="2"):
        other.target()
    with pytest.raises(kvarium.InputError, match="earlier has 1 layers of 6 blocks but cache 2"):
        Scene(earlier_keys=random_layers(3)[:1], earlier_values=random_layers(4)[:1]).target()
