"""Reading the archive of a study of faults in a model's KV cache."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import h5py
import pandas as pd

from .archive_error import ArchiveError, damage_reported
from .table_reading import read_table, text_attribute

FORMAT = "kvarium model fault study"
CONTROL = "no_fault"
VERDICT = "verdict_"
# What spoils the output: a token changed, or a logit was NaN.
SPOILED = ("corrupted", "nan")
ALARMS = ("detected", "false_alarm")


@dataclass(frozen=True)
class ModelFaults:
    """``trials``: one row a trial, with its fault's ``name``; ``faults``, ``checksums``: names in the study's order.

    ``num_tokens``: tokens of a continuation.
    """

    trials: pd.DataFrame
    faults: list[str]
    checksums: list[str]
    num_tokens: int
    provenance: dict[str, Any]

    @property
    def applied(self) -> pd.DataFrame:
        """Trials whose fault could strike, controls left out."""
        is_fault = (self.trials["effect"] != "not_applicable") & (self.trials["name"] != CONTROL)
        return self.trials[is_fault]

    @property
    def spoiled(self) -> pd.DataFrame:
        """Trials whose fault changed what the model wrote."""
        return self.applied[self.applied["effect"].isin(SPOILED)]


def open_model_faults(path: str | os.PathLike[str]) -> ModelFaults:
    """Read the archive. Raises ArchiveError when it is missing, damaged or holds something else."""
    if not os.path.isfile(path):
        raise ArchiveError(f"{os.fspath(path)}: no such file; make it with python -m kvarium.models.fault_study")
    with damage_reported(path), h5py.File(path, "r") as file:
        if text_attribute(file.attrs, "format") != FORMAT:
            raise ArchiveError(f"{os.fspath(path)}: no archive of python -m kvarium.models.fault_study; give one")
        faults = read_table(file, "/plan/faults")
        checksums = read_table(file, "/plan/checksums")
        trials = read_table(file, "/trials")
        trials["name"] = trials["fault"].map(faults["name"])
        num_tokens = len(file["continuations/intact"])
        origin = dict(file["provenance"].attrs)
    return ModelFaults(trials, list(faults["name"]), list(checksums["name"]), num_tokens, origin)
