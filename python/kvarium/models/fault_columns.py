"""Columns of the trials of a study of faults in a model's cache."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .archive_table import Column
from .fault_campaign import StudyResult
from .fault_trial import NO_PLACE, FaultTrial
from .logit_changes import NEVER
from .study_checksums import VERDICTS, StudyChecksum
from .study_faults import StudyFault

EFFECTS = ("not_applicable", "masked", "tolerable", "corrupted", "nan")
STRUCK = ("cache", "block_table", "reading", "checksum_record")
TENSORS = ("key", "value")
FIELDS = ("mantissa", "exponent", "sign", "several")
ABSENT = float("nan")
STRUCK_BLOCKS = "Pairs of layer and block with changed bytes, or changed entries of the block table"
# Of the fields of LogitChanges: description and unit.
CHANGES = {
    "first_divergence": ("Kullback-Leibler divergence of the first token's distribution from the intact one", "nat"),
    "largest_divergence": ("The largest over all steps, given the intact continuation", "nat"),
    "first_difference": ("Largest absolute difference of a logit at the first step", "1"),
    "log_loss_change": (
        "Mean change of the negative log probability of the intact continuation's tokens; its exponential is the "
        "factor of the perplexity",
        "nat",
    ),
}


def trial_columns(faults: Sequence[StudyFault], trials: Sequence[FaultTrial]) -> list[Column]:
    """Return which fault each trial injected, and whether it could strike."""
    numbers = {fault.name: number for number, fault in enumerate(faults)}
    return [
        Column("fault", np.array([numbers[trial.fault.name] for trial in trials]), "Row of /plan/faults"),
        Column("number", np.array([trial.number for trial in trials]), "Counter of the fault's random numbers"),
        Column("refusal", [trial.refusal for trial in trials], "Why the fault could not strike; empty where it did"),
    ]


def site_columns(trials: Sequence[FaultTrial]) -> list[Column]:
    """Return where each fault struck."""

    def of_sites(name: str) -> list[Any]:
        return [getattr(trial.site, name) for trial in trials]

    def place(name: str, description: str) -> Column:
        return Column(name, np.array(of_sites(name), np.int64), description, missing=NO_PLACE)

    def flag(name: str, description: str, flags: Sequence[str]) -> Column:
        return Column(name, of_sites(name), description, flags=flags)

    return [
        flag("struck", "What the fault struck", STRUCK),
        Column("detail", of_sites("detail"), "What was drawn beyond the site"),
        place("layer", "Layer of the first changed byte that is read"),
        place("kv_head", "Its KV head"),
        place("token", "Its token, position in the prompt"),
        flag("tensor", "Its tensor", TENSORS),
        flag("field", "Changed part of its element", FIELDS),
        place("bit", "Lowest changed bit of its element"),
        Column("value_before", np.array(of_sites("value_before")), "Value of its element without the fault"),
        Column("value_after", np.array(of_sites("value_after")), "Value of its element with the fault"),
        Column("num_changed_bytes", np.array(of_sites("num_changed_bytes")), "Changed bytes", "bytes"),
        Column("num_struck_blocks", np.array(of_sites("num_struck_blocks")), STRUCK_BLOCKS),
    ]


def outcome_columns(result: StudyResult) -> list[Column]:
    """Return what became of each continuation."""
    changes = result.changes

    def of_all(values: np.ndarray, absent: float | str) -> np.ndarray:
        column = np.full(len(result.trials), absent, values.dtype)
        column[result.applied] = values
        return column

    effects = of_all(np.array(changes.effects, object), "not_applicable")
    first = of_all(changes.first_changed, NEVER)
    free = of_all((result.token_ids != result.intact_token_ids).mean(axis=1), ABSENT)
    forced = of_all(changes.changed_share, ABSENT)
    return [
        Column(
            "effect",
            effects,
            "Masked: no logit changed; tolerable: no token; corrupted: a token; nan: a logit was NaN",
            flags=EFFECTS,
        ),
        Column("first_changed_token", first, "Step, from 0, of the first token that changed", missing=NEVER),
        Column("changed_share", free, "Share of changed tokens when the model goes on from its own"),
        Column("forced_changed_share", forced, "Share of changed tokens when it is given the intact continuation's"),
        *(Column(name, of_all(getattr(changes, name), ABSENT), *meaning) for name, meaning in CHANGES.items()),
    ]


def verdict_columns(checksums: Sequence[StudyChecksum], trials: Sequence[FaultTrial]) -> list[Column]:
    """Return what each checksum said, missing where a fault could not strike."""
    return [
        Column(
            f"verdict_{checksum.name}",
            [trial.verdicts[place] if trial.verdicts else "" for trial in trials],
            f"What {checksum.name} says",
            flags=VERDICTS,
        )
        for place, checksum in enumerate(checksums)
    ]
