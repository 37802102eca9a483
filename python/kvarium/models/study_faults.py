"""The faults that the study of a model's cache injects."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field

Settings = Mapping[str, str | int | float]
NO_FAULT = "none"


@dataclass(frozen=True)
class StudyFault:
    """A fault model with its settings under one name; ``weight``: its trials as a multiple of the others'."""

    name: str
    model: str
    settings: Settings = field(default_factory=dict)
    weight: int = 1

    @property
    def stimulus(self) -> int:
        """Separates this fault's random numbers from every other's: 64 bits of a hash of model and settings."""
        text = json.dumps([self.model, dict(self.settings)], sort_keys=True)
        return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "little")


def study_faults() -> list[StudyFault]:
    """Return the faults in the order of the archive, first the control without any."""
    return [StudyFault("no_fault", NO_FAULT), *_bit_flips(), *_hardware(), *_transfers(), *_bookkeeping(), *_layouts()]


def _bit_flips() -> list[StudyFault]:
    """Single bits are rarely seen in the output, so they get more trials."""
    return [
        StudyFault(f"{field}_bit_of_{tensor}", "single_bit_flip", {"bits": field, "tensor": tensor}, weight=8)
        for tensor in ("key", "value")
        for field in ("sign", "exponent", "mantissa")
    ]


def _hardware() -> list[StudyFault]:
    """Patterns of the beam test of HBM2 and of a field study of host DRAM, as the presets of the same names."""
    return [
        StudyFault("hbm3_pin", "same_lane_flips", {"flips": 8, "word_bytes": 4, "drive": "invert"}, weight=2),
        StudyFault("hbm2_beat", "burst", {"burst_bytes": 8}, weight=2),
        StudyFault("hbm2_entry", "burst", {"burst_bytes": 32}, weight=2),
        StudyFault("dram_row", "stuck_line", {"stride_bytes": 64, "extent_bytes": 2048}),
    ]


def _transfers() -> list[StudyFault]:
    return [
        StudyFault("trailing_word", "torn_write", {"kept": "prefix", "granularity_bytes": 4, "filler": "zero"}),
        StudyFault("torn_over_earlier", "torn_write", {"granularity_bytes": 4096, "filler": "earlier"}),
        StudyFault("visibility_race", "visibility_race", {"fraction": 0.25}),
        StudyFault("stale_block", "stale_block"),
        StudyFault("zeroed_block", "spoiled_block", {"overwrite": "zeros"}),
        StudyFault("two_writers", "spoiled_block", {"overwrite": "two_writers"}),
        StudyFault("late_write", "late_write", {"layers": "all"}),
        StudyFault("missing_layer", "missing_component", {"component": "layer"}),
        StudyFault("missing_half", "missing_component", {"component": "pipeline_stage"}),
        StudyFault("missing_key", "missing_component", {"component": "key"}),
        StudyFault("missing_value", "missing_component", {"component": "value"}),
        StudyFault("block_shift", "block_shift"),
    ]


def _bookkeeping() -> list[StudyFault]:
    wrong_ids = ("other_live", "next", "consecutive", "last")
    miscounts = ("unwritten_slot", "one_more", "one_fewer")
    return [
        StudyFault("garbage_row", "garbage_row", {"layers": "one"}),
        StudyFault("garbage_row_all_layers", "garbage_row", {"layers": "all"}),
        *(StudyFault(f"wrong_block_{kind}", "wrong_block_id", {"wrong_id": kind}) for kind in wrong_ids),
        *(StudyFault(kind, "token_off_by_one", {"off_by_one": kind}) for kind in miscounts),
        StudyFault("neighbour_overwrite", "neighbour_overwrite"),
        StudyFault("tail_garbage", "block_tail_garbage", {"garbage": "nan"}),
    ]


def _layouts() -> list[StudyFault]:
    exchanges = ("tokens", "heads", "layers", "key_value")
    return [
        StudyFault("intra_block_permutation", "intra_block_permutation"),
        StudyFault("nhd_read_as_hnd", "layout_misread", {"misreading": "nhd_as_hnd"}),
        StudyFault("packed_read_as_split", "layout_misread", {"misreading": "packed_as_split"}),
        StudyFault("rank_mis_shard", "rank_mis_shard"),
        *(StudyFault(f"exchanged_{kind}", "slice_exchange", {"exchanged": kind}) for kind in exchanges),
    ]
