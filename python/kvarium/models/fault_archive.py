"""The archive of a study of faults in a model's cache."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from kvarium import InputError

from .archive_table import Column, write_table
from .fault_campaign import StudyResult, StudySettings
from .fault_trial import NO_PLACE, FaultTrial
from .logit_changes import NEVER
from .study_checksums import VERDICTS, StudyChecksum
from .study_faults import StudyFault

FORMAT = "kvarium model fault study"
FORMAT_VERSION = 1
EFFECTS = ("not_applicable", "masked", "tolerable", "corrupted", "nan")
STRUCK = ("cache", "block_table", "reading", "checksum_record")


@dataclass(frozen=True)
class StudyPlan:
    """What a study asked: its faults, checksums and sizes."""

    faults: Sequence[StudyFault]
    checksums: Sequence[StudyChecksum]
    settings: StudySettings


def write_study(path: Path, plan: StudyPlan, result: StudyResult, provenance: Mapping[str, str | int]) -> None:
    """Write the archive: ``/plan/faults``, ``/plan/checksums``, ``/trials``, ``/continuations``, ``/provenance``.

    ``provenance``: where it comes from, attributes of that group.  Readable by HDF5 1.10
    and later.  Errors: InputError if package h5py is missing; OSError if the file
    cannot be written.
    """
    try:
        import h5py
    except ImportError as error:
        raise InputError("package h5py, which writes archives, is not installed; run: pip install h5py") from error
    with h5py.File(path, "w", libver=("earliest", "v110")) as file:
        file.attrs["format"] = FORMAT
        file.attrs["format_version"] = np.int32(FORMAT_VERSION)
        origin = file.create_group("provenance")
        for name, value in provenance.items():
            origin.attrs[name] = value
        _write_plan(file, plan)
        applied = [not trial.refusal for trial in result.trials]
        columns = _site_columns(plan, result.trials) + _outcome_columns(result, applied)
        write_table(file, "trials", "trial", columns + _verdict_columns(plan, result.trials))
        _write_continuations(file, result, applied)


def _write_plan(file: Any, plan: StudyPlan) -> None:
    faults, checksums, trials = plan.faults, plan.checksums, plan.settings.trials
    write_table(
        file,
        "plan/faults",
        "fault",
        [
            Column("name", [fault.name for fault in faults], "Name of the fault in this study"),
            Column("model", [fault.model for fault in faults], "Fault model, as kvarium list faults has it"),
            Column("settings", [_json(fault.settings) for fault in faults], "Settings of the model, as JSON"),
            Column("trials", [fault.weight * trials for fault in faults], "Trials of the fault"),
        ],
    )
    write_table(
        file,
        "plan/checksums",
        "checksum",
        [
            Column("name", [checksum.name for checksum in checksums], "Name of the checksum in this study"),
            Column("family", [checksum.family for checksum in checksums], "Family, as kvarium list checksums has it"),
            Column("settings", [_json(checksum.settings) for checksum in checksums], "Settings of the family, as JSON"),
        ],
    )


def _json(settings: Mapping[str, object]) -> str:
    return json.dumps(dict(settings), sort_keys=True)


def _site_columns(plan: StudyPlan, trials: Sequence[FaultTrial]) -> list[Column]:
    numbers = {fault.name: number for number, fault in enumerate(plan.faults)}
    sites = [trial.site for trial in trials]

    def place(name: str, description: str) -> Column:
        return Column(name, np.array([getattr(site, name) for site in sites], np.int64), description, missing=NO_PLACE)

    def value(name: str, description: str) -> Column:
        return Column(name, np.array([getattr(site, name) for site in sites], np.float64), description)

    return [
        Column("fault", np.array([numbers[trial.fault.name] for trial in trials]), "Row of /plan/faults"),
        Column("number", np.array([trial.number for trial in trials]), "Counter of the fault's random numbers"),
        Column("refusal", [trial.refusal for trial in trials], "Why the fault could not strike; empty where it did"),
        Column("struck", [site.struck for site in sites], "What the fault struck", flags=STRUCK),
        Column("detail", [site.detail for site in sites], "What was drawn beyond the site"),
        place("layer", "Layer of the first changed byte that is read"),
        place("kv_head", "Its KV head"),
        place("token", "Its token, position in the prompt"),
        Column("tensor", [site.tensor for site in sites], "Its tensor", flags=("key", "value")),
        Column(
            "field",
            [site.field for site in sites],
            "Changed part of its element",
            flags=("mantissa", "exponent", "sign", "several"),
        ),
        place("bit", "Lowest changed bit of its element"),
        value("value_before", "Value of its element without the fault"),
        value("value_after", "Value of its element with the fault"),
        Column("num_changed_bytes", np.array([site.num_changed_bytes for site in sites]), "Changed bytes", "bytes"),
        Column(
            "num_struck_blocks",
            np.array([site.num_struck_blocks for site in sites]),
            "Pairs of layer and block with changed bytes, or changed entries of the block table",
        ),
    ]


def _outcome_columns(result: StudyResult, applied: Sequence[bool]) -> list[Column]:
    changes = result.changes
    where = np.flatnonzero(applied)

    def of_all(values: np.ndarray, absent: float) -> np.ndarray:
        column = np.full(len(applied), absent, values.dtype)
        column[where] = values
        return column

    effects = np.full(len(applied), "not_applicable", object)
    effects[where] = changes.effects
    free = (result.token_ids != result.intact_token_ids).mean(axis=1)
    nan = float("nan")
    return [
        Column(
            "effect",
            effects,
            "Masked: no logit changed; tolerable: no token; corrupted: a token; nan: a logit was NaN",
            flags=EFFECTS,
        ),
        Column(
            "first_changed_token",
            of_all(changes.first_changed, NEVER),
            "Step, from 0, of the first token that changed",
            missing=NEVER,
        ),
        Column("changed_share", of_all(free, nan), "Share of changed tokens when the model goes on from its own"),
        Column(
            "forced_changed_share",
            of_all(changes.changed_share, nan),
            "Share of changed tokens when the model is given those of the intact continuation",
        ),
        Column(
            "first_divergence",
            of_all(changes.first_divergence, nan),
            "Kullback-Leibler divergence of the first token's distribution from the intact one",
            "nat",
        ),
        Column(
            "largest_divergence",
            of_all(changes.largest_divergence, nan),
            "The largest over all steps, given the intact continuation",
            "nat",
        ),
        Column(
            "first_difference",
            of_all(changes.first_difference, nan),
            "Largest absolute difference of a logit at the first step",
        ),
        Column(
            "log_loss_change",
            of_all(changes.log_loss_change, nan),
            "Mean change of the negative log probability of the intact continuation's tokens; its exponential is "
            "the factor of the perplexity",
            "nat",
        ),
    ]


def _verdict_columns(plan: StudyPlan, trials: Sequence[FaultTrial]) -> list[Column]:
    return [
        Column(
            f"verdict_{checksum.name}",
            [trial.verdicts[place] if trial.verdicts else "" for trial in trials],
            f"What {checksum.name} says",
            flags=VERDICTS,
        )
        for place, checksum in enumerate(plan.checksums)
    ]


def _write_continuations(file: Any, result: StudyResult, applied: Sequence[bool]) -> None:
    group = file.create_group("continuations")
    rows = np.full((len(applied), len(result.intact_token_ids)), NEVER, np.int32)
    rows[np.flatnonzero(applied)] = result.token_ids
    options = {"compression": "gzip", "compression_opts": 9, "shuffle": True}
    for name, values, long_name in (
        ("intact", result.intact_token_ids.astype(np.int32), "Token ids of the continuation without a fault"),
        ("token_ids", rows, "Token ids of each trial's greedy continuation; -1 where the fault could not strike"),
    ):
        dataset = group.create_dataset(name, data=values, **options)
        dataset.attrs["long_name"] = long_name
        dataset.attrs["units"] = "1"
