"""Archives of experiments as pandas DataFrames."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pandas as pd

from .archive_error import ArchiveError, damage_reported
from .archive_html import archive_html
from .table_reading import read_table, text_attribute

_SCHEMA_MAJOR = "1"


def open(path: str | os.PathLike[str]) -> Archive:  # noqa: A001 - the published name
    """Open an archive that ``kvarium run`` wrote.

    Raises ArchiveError (a ValueError) when the file is missing, no archive, damaged or of another schema version.
    """
    return Archive(path)


class Archive:
    """One archive: tables as DataFrames, read when they are asked for; the file is not kept open."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Read what the archive says of itself. Raises ArchiveError as ``open``."""
        self.path = Path(path)
        with self._file() as file:
            self._check_version(file)
            self.title: str = text_attribute(file.attrs, "title")
            self.schema_version: str = text_attribute(file.attrs, "schema_version")
            self.created: str = text_attribute(file.attrs, "created")
            self.history: list[str] = text_attribute(file.attrs, "history").splitlines()
            self.complete: bool = bool(np.ravel(file.attrs.get("complete", 0))[0])

    def points(self) -> pd.DataFrame:
        """Points of the sweep, index ``point``: id, swept values, status, reason, trials."""
        return self.table("/plan/points")

    def trials(self) -> pd.DataFrame:
        """Trials, index ``trial``; column ``point`` joins them with ``points()``."""
        return self.table("/trials")

    def faults(self) -> pd.DataFrame:
        """Injected faults, index ``fault``; column ``trial`` joins them with ``trials()``."""
        return self.table("/faults")

    def timing(self) -> pd.DataFrame:
        """Measured times, index ``timing``; not deterministic."""
        return self.table("/timing")

    def timing_summary(self) -> pd.DataFrame:
        """What the times of each point come to, index ``point``; not deterministic."""
        return self.table("/timing/summary")

    def summary(self) -> pd.DataFrame:
        """What the trials of each point come to, index ``point``."""
        return self.table("/summary")

    def table(self, path: str) -> pd.DataFrame:
        """Any table by its path in the file; ``attrs`` hold units and descriptions. Raises ArchiveError."""
        with self._file() as file:
            return read_table(file, path)

    def tables(self) -> dict[str, int]:
        """Paths of all tables, with their numbers of rows."""
        found: dict[str, int] = {}

        def visit(name: str, item: object) -> None:
            if isinstance(item, h5py.Group) and "derived" in item.attrs:
                lengths = [len(column) for column in item.values() if isinstance(column, h5py.Dataset)]
                found[f"/{name}"] = lengths[0] if lengths else 0

        with self._file() as file:
            file.visititems(visit)
        return found

    @property
    def swept(self) -> list[str]:
        """Names of the swept parameters: columns of ``points()`` that tell points apart."""
        with damage_reported(self.path):
            keys: list[str] = self.config["plan"].get("swept_keys", [])
        return keys

    @property
    def config(self) -> dict[str, Any]:
        """Configuration: ``yaml`` (text), ``resolved`` and ``plan`` (dicts), ``argv`` and ``overrides`` (lists)."""
        with self._file() as file:
            group = file["config"]
            return {
                "yaml": group["yaml"].asstr()[()],
                "resolved": json.loads(group["resolved_json"].asstr()[()]),
                "plan": json.loads(group["plan_json"].asstr()[()]),
                "argv": list(group["argv"].asstr()[()]),
                "overrides": list(group["overrides"].asstr()[()]),
            }

    @property
    def provenance(self) -> list[dict[str, Any]]:
        """One dict for each run that added to the archive: commit, compiler, machine, inputs, times."""
        with self._file() as file:
            runs = file["provenance"]
            return [_plain(runs[f"run_{number}"].attrs) for number in range(len(runs))]

    def __repr__(self) -> str:
        rows = ", ".join(f"{path}: {count}" for path, count in self.tables().items())
        return f"<kvarium archive '{self.title}' ({self._state()}) at {self.path}; rows of {rows}>"

    def _repr_html_(self) -> str:
        return archive_html(self.title, self._state(), str(self.path), self.points())

    def _state(self) -> str:
        return "complete" if self.complete else "incomplete"

    @contextmanager
    def _file(self) -> Iterator[h5py.File]:
        if not self.path.is_file():
            raise ArchiveError(f"{self.path}: no such file; check the path")
        try:
            file = h5py.File(self.path, "r")
        except (OSError, RuntimeError) as error:
            raise ArchiveError(f"{self.path}: not an HDF5 file, or a damaged one ({error}); name an archive") from error
        with file, damage_reported(self.path):
            yield file

    def _check_version(self, file: h5py.File) -> None:
        version = text_attribute(file.attrs, "schema_version")
        if not version:
            raise ArchiveError(f"{self.path}: an HDF5 file but no kvarium archive; name one that `kvarium run` wrote")
        if version.split(".")[0] != _SCHEMA_MAJOR:
            raise ArchiveError(
                f"{self.path}: archive of schema version {version}, and this package reads {_SCHEMA_MAJOR}.x; "
                "use the kvarium version that wrote it"
            )


def _plain(attributes: h5py.AttributeManager) -> dict[str, Any]:
    return {name: value.item() if isinstance(value, np.generic) else value for name, value in attributes.items()}
