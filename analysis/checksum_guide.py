"""The page that answers which checksum to take: Markdown made of what ``kvarium report FILE --json`` prints.

``kvarium report coverage_table.kv.h5 --json | python -m kvarium.analysis.checksum_guide > choosing_a_checksum.md``
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

# Threats by the first word of a fault's label.
THREATS: dict[str, tuple[str, ...]] = {
    "memory: bits, pins, lines": ("single_bit_flip", "same_lane_flips", "burst", "stuck_line", "hbm", "dram"),
    "writes: torn, late, lost": (
        "garbage_row",
        "late_write",
        "visibility_race",
        "torn_write",
        "spoiled_block",
        "missing_component",
        "neighbour_overwrite",
        "rdma",
        "nic",
    ),
    "addresses: wrong blocks, heads, tokens": (
        "stale_block",
        "wrong_block_id",
        "block_shift",
        "token_off_by_one",
        "rank_mis_shard",
        "slice_exchange",
    ),
    "layouts: bytes in another order": ("intra_block_permutation", "layout_misread"),
}
CERTAIN = 0.99  # lower end of the 95 % interval from which a fault counts as seen


@dataclass(frozen=True)
class Share:
    """Detected share of one fault by one checksum, with its interval."""

    fault: str
    rate: float
    low: float
    high: float
    point: int

    def __str__(self) -> str:
        """Write percent and interval."""
        return f"{100 * self.rate:.4g} [{100 * self.low:.4g}, {100 * self.high:.4g}]"


Detected = dict[str, dict[str, Share]]  # checksum to fault to share


def detected_shares(report: dict[str, Any]) -> Detected:
    """Detected shares of a report, checksums and faults in its order."""
    found: Detected = {}
    for entry in report["shares"]:
        if entry["share"] != "detected_rate":
            continue
        share = Share(entry["fault"], entry["rate"], entry["low"], entry["high"], entry["point"])
        found.setdefault(entry["of"], {})[entry["fault"]] = share
    return found


def is_late(fault: str) -> bool:
    """Whether the fault strikes before the first sum or after the last check, where sums at rest cannot see it."""
    return "stage=S0" in fault or "stage=S3" in fault


def faults_of(shares: dict[str, Share], names: Sequence[str]) -> list[Share]:
    """Shares of the faults that belong to a threat."""
    return [share for fault, share in shares.items() if fault.startswith(tuple(names)) and not is_late(fault)]


def worst(shares: Iterable[Share]) -> Share | None:
    """Share with the lowest lower end, or None where there is no fault."""
    return min(shares, key=lambda share: (share.low, share.rate), default=None)


def gigabytes(cost: dict[str, Any]) -> str:
    """Write a checksum's speed with its share of the read ceiling."""
    if cost.get("checksum_throughput") is None:
        return "-"
    return f"{cost['checksum_throughput'] / 1e9:.1f} ({100 * cost['fraction_of_ceiling']:.0f} %)"


def table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Lines of a Markdown table."""
    lines = ["| " + " | ".join(headings) + " |", "|" + " --- |" * len(headings)]
    return [*lines, *("| " + " | ".join(row) + " |" for row in rows), ""]


def unseen_faults(detected: Detected, names: Sequence[str]) -> list[str]:
    """Faults of a threat that no checksum sees with certainty: what they do lies outside the bytes that are summed."""
    best: dict[str, float] = {}
    for shares in detected.values():
        for share in faults_of(shares, names):
            best[share.fault] = max(best.get(share.fault, 0.0), share.low)
    return [fault for fault, low in best.items() if low < CERTAIN]


def seers_of(detected: Detected, names: Sequence[str]) -> set[str]:
    """Checksums that see every fault of a threat that some checksum sees."""
    unseen = unseen_faults(detected, names)
    found = set()
    for checksum, shares in detected.items():
        least = worst(share for share in faults_of(shares, names) if share.fault not in unseen)
        if least is not None and least.low >= CERTAIN:
            found.add(checksum)
    return found


def fastest_first(checksums: Iterable[str], costs: dict[str, dict[str, Any]]) -> list[str]:
    """Sort by measured speed."""
    return sorted(checksums, key=lambda checksum: -(costs[checksum].get("checksum_throughput") or 0.0))


def named(checksums: Iterable[str]) -> str:
    """Write names of checksums or faults as code."""
    return ", ".join(f"`{checksum}`" for checksum in checksums) or "none"


def answers(detected: Detected, costs: dict[str, dict[str, Any]]) -> list[str]:
    """For each threat the checksums that see every fault of it, fastest first, and what none of them sees."""
    rows = [
        [threat, named(fastest_first(seers_of(detected, names), costs)), named(unseen_faults(detected, names))]
        for threat, names in THREATS.items()
    ]
    certain = f"{100 * CERTAIN:.0f} %"
    return table(["threat", f"seen by (each fault, lower bound >= {certain}), fastest first", "seen by none"], rows)


def budgets(detected: Detected, costs: dict[str, dict[str, Any]]) -> list[str]:
    """The fastest checksums against all threats together, by the bytes that they may take."""
    everywhere = set.intersection(*(seers_of(detected, names) for names in THREATS.values()))
    rows: list[list[str]] = []
    for size in sorted({costs[checksum]["record_bytes"] for checksum in everywhere}):
        within = [checksum for checksum in everywhere if costs[checksum]["record_bytes"] <= size]
        first = fastest_first(within, costs)[:3]
        answer = ", ".join(f"`{name}` {gigabytes(costs[name])}" for name in first)
        if not rows or rows[-1][1] != answer:
            rows.append([f"{size:.0f}", answer])
    return table(["bytes a block, at most", "against every threat below: fastest three, GB/s (of read ceiling)"], rows)


def weakest(detected: Detected, costs: dict[str, dict[str, Any]]) -> list[str]:
    """For each checksum its costs and, by threat, the fault that it sees least of."""
    rows = []
    for checksum, shares in detected.items():
        cost = costs[checksum]
        row = [f"`{checksum}`", gigabytes(cost), f"{cost['record_bytes']:.0f}", f"{cost['control_alarms']:.0f}"]
        for names in THREATS.values():
            least = worst(faults_of(shares, names))
            row.append("-" if least is None else f"{least}: {least.fault} (point {least.point})")
        rows.append(row)
    return table(["checksum", "GB/s (of read ceiling)", "bytes a block", "false alarms", *THREATS], rows)


def others(detected: Detected) -> list[str]:
    """Faults outside the threats: before the first sum, after the last check, of records and tails."""
    known = tuple(name for names in THREATS.values() for name in names)
    faults = {
        fault: None
        for shares in detected.values()
        for fault in shares
        if is_late(fault) or not fault.startswith(known)
    }
    rows = [
        [f"`{fault}`", *(str(shares[fault]) if fault in shares else "n/a" for shares in detected.values())]
        for fault in faults
    ]
    return table(["fault", *(f"`{checksum}`" for checksum in detected)], rows)


def guide(report: dict[str, Any]) -> str:
    """Return the page."""
    detected = detected_shares(report)
    costs = {cost["of"]: cost for cost in report["costs"]}
    lines = [
        "# Choosing a checksum",
        "",
        f"Made by `kvarium report {report['archive']} --json | python -m kvarium.analysis.checksum_guide` from the",
        f"archive named there ({report['points']} points: {report['status']}); a point's number finds its trials,",
        "`kvarium replay` runs one again. Shares are percent of the faults that changed something, with 95 % intervals;",
        "faults strike after the producer's sum and before the consumer's check.",
        "",
        "## For which budget",
        "",
        *budgets(detected, costs),
        "## For which threat",
        "",
        *answers(detected, costs),
        "## At which cost, and where each is weakest",
        "",
        *weakest(detected, costs),
        "## What no sum between producer and consumer is for",
        "",
        "Before the first sum (S0) nothing can be compared, after the last check (S3) only what is checked at every step sees",
        "anything; the tail of a block past its valid tokens is not attended, so an alarm there is a false one; a damaged",
        "record is an alarm about the record.",
        "",
        *others(detected),
    ]
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Read a report from standard input and print the page; 2 for what is none."""
    parser = argparse.ArgumentParser(prog="python -m kvarium.analysis.checksum_guide", description=__doc__)
    parser.parse_args(arguments)
    try:
        report = json.load(sys.stdin)
        print(guide(report))
    except (ValueError, KeyError, TypeError) as error:
        print(
            f"standard input: no report of fault_coverage ({error}); pipe `kvarium report FILE --json` into it",
            file=sys.stderr,
        )
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
