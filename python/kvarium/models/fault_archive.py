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
from .fault_columns import outcome_columns, site_columns, trial_columns, verdict_columns
from .logit_changes import NEVER
from .study_checksums import StudyChecksum
from .study_faults import StudyFault

FORMAT = "kvarium model fault study"
FORMAT_VERSION = 1


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
        columns = trial_columns(plan.faults, result.trials) + site_columns(result.trials) + outcome_columns(result)
        write_table(file, "trials", "trial", columns + verdict_columns(plan.checksums, result.trials))
        _write_continuations(file, result)


def _write_plan(file: Any, plan: StudyPlan) -> None:
    trials = [fault.weight * plan.settings.trials for fault in plan.faults]
    faults = [*_named_columns(plan.faults, "fault"), Column("trials", trials, "Trials of the fault")]
    models = Column("model", [fault.model for fault in plan.faults], "Fault model, as kvarium list faults has it")
    families = [checksum.family for checksum in plan.checksums]
    checksums = Column("family", families, "Family, as kvarium list checksums has it")
    write_table(file, "plan/faults", "fault", [models, *faults])
    write_table(file, "plan/checksums", "checksum", [checksums, *_named_columns(plan.checksums, "checksum")])


def _named_columns(items: Sequence[StudyFault] | Sequence[StudyChecksum], kind: str) -> list[Column]:
    return [
        Column("name", [item.name for item in items], f"Name of the {kind} in this study"),
        Column("settings", [_json(item.settings) for item in items], "Its settings, as JSON"),
    ]


def _json(settings: Mapping[str, object]) -> str:
    return json.dumps(dict(settings), sort_keys=True)


def _write_continuations(file: Any, result: StudyResult) -> None:
    group = file.create_group("continuations")
    rows = np.full((len(result.trials), len(result.intact_token_ids)), NEVER, np.int32)
    rows[result.applied] = result.token_ids
    options = {"compression": "gzip", "compression_opts": 9, "shuffle": True}
    for name, values, long_name in (
        ("intact", result.intact_token_ids.astype(np.int32), "Token ids of the continuation without a fault"),
        ("token_ids", rows, "Token ids of each trial's greedy continuation; -1 where the fault could not strike"),
    ):
        dataset = group.create_dataset(name, data=values, **options)
        dataset.attrs["long_name"] = long_name
        dataset.attrs["units"] = "1"
