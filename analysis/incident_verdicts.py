"""What the archives of incident replays say: which check sees which incident, and where on its way."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

import pandas as pd

from .archive import Archive
from .archive import open as open_archive
from .archive_error import ArchiveError

CHECK_POINTS = ("source", "landing", "step")
CHEAP_CHECKS = ("coverage", "fingerprint", "length")


@dataclass
class Replay:
    """One point of one archive: an incident, at one moment."""

    name: str
    source: str  # where it was reported
    fault_class: int
    moment: str
    trials: int
    applicable: int
    damaged: int  # trials in which attention read or gave anything else than it should
    corrupted: int  # trials whose output is wrong or NaN
    seen: dict[str, dict[str, float]] = field(default_factory=dict)  # check point -> check -> share of damaged trials
    false_alarms: dict[str, set[str]] = field(default_factory=dict)  # check point -> checks with an alarm undamaged
    incomparable: set[str] = field(default_factory=set)  # checks without anything to compare on landing
    cheap: list[str] = field(default_factory=list)  # cheap checks that see each damaged trial

    def always(self, point: str) -> set[str]:
        """Checks that see every damaged trial at a check point."""
        return {check for check, share in self.seen[point].items() if share == 1}

    def sometimes(self, point: str) -> set[str]:
        """Checks that see some damaged trials there, not all."""
        return {check for check, share in self.seen[point].items() if 0 < share < 1}


@dataclass
class CheckCost:
    """What a check on landing took, over all archives."""

    seconds: float = 0.0
    cache_bytes: int = 0
    record_bytes: int = 0

    def gigabytes_per_second(self) -> float:
        """Cache bytes checked a second, in GB."""
        return self.cache_bytes / self.seconds / 1e9 if self.seconds > 0 else float("nan")

    def record_share(self) -> float:
        """Bytes of records for each byte of the cache."""
        return self.record_bytes / self.cache_bytes if self.cache_bytes else float("nan")


def read_replays(folder: Path) -> tuple[list[Replay], dict[str, CheckCost]]:
    """All archives of a folder, by fault class and name. Raises ArchiveError for none, or one of another kind."""
    replays: list[Replay] = []
    costs: dict[str, CheckCost] = {}
    for path in sorted(folder.glob("*.kv.h5")):
        archive = open_archive(path)
        if archive.config["resolved"]["kind"] != "transfer":
            raise ArchiveError(f"{path}: no archive of kind transfer; run experiments/configs/incidents/*.yaml")
        replays.extend(_replays_of(archive))
        _add_costs(archive, costs)
    if not replays:
        raise ArchiveError(f"{folder}: no archives; run experiments/configs/incidents/*.yaml into it")
    return sorted(replays, key=lambda replay: (replay.fault_class, replay.name, replay.moment)), costs


def _replays_of(archive: Archive) -> list[Replay]:
    source, fault_class = _header(archive)
    points = archive.points()
    trials = archive.trials()
    swept = "transfer.moment" in archive.swept
    replays = []
    for point, row in points.iterrows():
        moment = str(row["transfer.moment"]) if swept else ""
        replays.append(_replay(archive.title, source, fault_class, moment, trials[trials["point"] == point]))
    return replays


def _header(archive: Archive) -> tuple[str, int]:
    """Source and class, which the file's first comment names."""
    comment = " ".join(line[1:].strip() for line in archive.config["yaml"].splitlines() if line.startswith("#"))
    match = re.match(r"(?P<source>[^:]+): .* Class (?P<number>\d+)\.", comment)
    if match is None:
        raise ArchiveError(f"{archive.path}: its file does not begin with '# SOURCE: ... Class N.'; add that comment")
    return match["source"], int(match["number"])


def _replay(name: str, source: str, fault_class: int, moment: str, trials: pd.DataFrame) -> Replay:
    applicable = trials[trials["effect"] != "not_applicable"]
    damaged = applicable[(applicable["changed_bytes"] > 0) | ~applicable["effect"].isin(["masked"])]
    corrupted = int(applicable["effect"].isin(["corrupted", "nan"]).sum())
    replay = Replay(name, source, fault_class, moment, len(trials), len(applicable), len(damaged), corrupted)
    for point in CHECK_POINTS:
        columns = [column for column in trials.columns if column.startswith(f"{point}_")]
        checks = {column: column.removeprefix(f"{point}_") for column in columns}
        replay.seen[point] = {check: _share(damaged[column] == "detected") for column, check in checks.items()}
        replay.false_alarms[point] = {c for column, c in checks.items() if (applicable[column] == "false_alarm").any()}
    landing = [column for column in trials.columns if column.startswith("landing_")]
    replay.incomparable = {c.removeprefix("landing_") for c in landing if (applicable[c] == "unverified").all()}
    replay.cheap = [check for check in CHEAP_CHECKS if _share(damaged[check] == "detected") == 1]
    return replay


def _share(flags: pd.Series[bool]) -> float:
    return float(flags.mean()) if len(flags) else 0.0


def _add_costs(archive: Archive, costs: dict[str, CheckCost]) -> None:
    for _, row in archive.timing().iterrows():
        cost = costs.setdefault(str(row["check"]), CheckCost())
        cost.seconds += float(row["seconds"])
        cost.cache_bytes += int(row["cache_bytes"])
        cost.record_bytes += int(row["record_bytes"])
