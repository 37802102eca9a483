"""Write the page of incidents: ``python -m kvarium.analysis.incidents FOLDER [--output FILE]``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path

from .archive_error import ArchiveError
from .incident_verdicts import CHEAP_CHECKS, CHECK_POINTS, CheckCost, Replay, read_replays

_INTRODUCTION = """\
# Reported incidents, replayed

Each line is a reported corruption of a KV cache in a serving system, replayed by its mechanism: the same pool, block
tables, descriptors and kernels, one thing of the life cycle wrong. `experiments/configs/incidents/NAME.yaml` holds it,
`kvarium list keys` names the defects. The page is written from archives by

    make incidents

which runs every file and then `python -m kvarium.analysis.incidents results/incidents --output docs/incidents.md`.

A record is made by the producer when the cache is complete. *At source*: the cache is held against it before it is
sent, where it is sent from. *On landing*: the consumer checks once, when the cache is said to have arrived, through its
scheduler's block table. *At a step*: every decode step checks what it attends, through the block table that attention
reads (verified attention; canaries). *Damage* counts the trials, of those in which the defect could strike, in which
attention read or gave anything else than it should. *Seen* means in every damaged trial; checks in brackets saw a share
of them. Checks whose records the two ends cannot compare (another layout, other ranks) are left out of *all*.

*Cheap* checks read no contents: `coverage` counts arrived bytes, `fingerprint` compares settings of both ends, `length`
compares block table and length with the request. *Fastest* is the fastest check, on landing if any sees it there, with
its speed from the second table and the bytes of records for each KiB of cache. `_memory` hashes whole blocks as stored,
`_sampled` reads one buffer, `_request` adds all blocks of a request, `_partial` and `_none` are canaries of less data.
Canaries know the ids of the request's tokens. `edge_crc` reads the first and last bytes of a block in each buffer alone,
and sees what reaches them, as most of these do.
"""


def page(replays: list[Replay], costs: dict[str, CheckCost]) -> str:
    """The page in Markdown."""
    incidents = {replay.name for replay in replays}
    classes = {replay.fault_class for replay in replays}
    heading = f"\n{len(incidents)} incidents of {len(classes)} fault classes.\n"
    return _INTRODUCTION + heading + "\n" + _incident_table(replays, costs) + "\n" + _check_table(replays, costs)


def _incident_table(replays: list[Replay], costs: dict[str, CheckCost]) -> str:
    titles = ["class", "incident", "reported in", "damage", "wrong outputs", "seen at source", "seen on landing",
              "seen at a step", "cheap", "missed at every point", "fastest"]
    lines = [_row(titles), _row(["---"] * len(titles))]
    for replay in replays:
        moment = f" ({replay.moment.replace('_', ' ')})" if replay.moment else ""
        lines.append(_row([
            str(replay.fault_class), f"`{replay.name}`{moment}", replay.source,
            f"{replay.damaged} of {replay.applicable}", str(replay.corrupted),
            *(_seen(replay, point) for point in CHECK_POINTS),
            ", ".join(replay.cheap) or "none", _missed(replay), _fastest(replay, costs),
        ]))
    return "\n".join(lines) + "\n"


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _names(checks: set[str], among: set[str], nothing: str) -> str:
    """The checks by name, or those left out where most are in."""
    if not checks:
        return nothing
    left_out = among - checks
    if not left_out:
        return "all"
    if len(left_out) < len(checks):
        return "all but " + ", ".join(sorted(left_out))
    return ", ".join(sorted(checks))


def _seen(replay: Replay, point: str) -> str:
    if replay.damaged == 0:
        alarms = replay.false_alarms[point]
        return "no damage" + (f"; false alarm: {', '.join(sorted(alarms))}" if alarms else "")
    comparable = set(replay.seen[point]) - replay.incomparable
    sometimes = replay.sometimes(point)
    if not sometimes:
        return _names(replay.always(point), comparable, "nobody")
    text = _names(replay.always(point), comparable - sometimes, "")
    shares = sorted({replay.seen[point][check] for check in sometimes}, reverse=True)
    groups = [(share, {check for check in sometimes if replay.seen[point][check] == share}) for share in shares]
    return f"{text} [{'; '.join(f'{_names(group, comparable, str())} {share:.0%}' for share, group in groups)}]".strip()


def _missed(replay: Replay) -> str:
    if replay.damaged == 0:
        return "-"
    seen = set().union(*(replay.always(point) | replay.sometimes(point) for point in replay.seen))
    comparable = set(replay.seen["landing"]) - replay.incomparable
    text = _names(comparable - seen, comparable, "none")
    if replay.incomparable:
        text += f"; nothing to compare: {len(replay.incomparable)} checks"
    return text


def _fastest(replay: Replay, costs: dict[str, CheckCost]) -> str:
    for point in ("landing", "step"):
        seeing = replay.always(point)
        if replay.damaged and seeing:
            check = max(seeing, key=lambda name: costs[name].gigabytes_per_second())
            cost = costs[check]
            where = "" if point == "landing" else ", at each step"
            return f"{check}, {cost.gigabytes_per_second():.2g} GB/s, {1024 * cost.record_share():.3g} B/KiB{where}"
    return "-"


def _check_table(replays: list[Replay], costs: dict[str, CheckCost]) -> str:
    damaging = [replay for replay in replays if replay.damaged]
    titles = ["check", "lines seen on landing", "lines seen at a step", "nothing to compare", "false alarms", "GB/s",
              "record bytes/KiB"]
    lines = [f"Of {len(damaging)} lines with damage each check sees, on the host and in caches as small as these:\n",
             _row(titles), _row(["---"] * len(titles))]
    for check, cost in costs.items():
        landing = sum(check in replay.always("landing") for replay in damaging)
        step = sum(check in replay.always("step") for replay in damaging)
        incomparable = sum(check in replay.incomparable for replay in damaging)
        alarms = sum(any(check in checks for checks in replay.false_alarms.values()) for replay in replays)
        lines.append(_row([f"`{check}`", str(landing), str(step), str(incomparable), str(alarms),
                           f"{cost.gigabytes_per_second():.2g}", f"{1024 * cost.record_share():.3g}"]))
    for check in CHEAP_CHECKS:
        seen = str(sum(check in replay.cheap for replay in damaging))
        places = ("-", seen) if check == "length" else (seen, "-")
        lines.append(_row([f"`{check}`", *places, "0", "0", "no contents", "0"]))
    return "\n".join(lines) + "\n"


def main(arguments: list[str] | None = None) -> int:
    """Run the command line. Returns 0, or 2 after one line on stderr for wrong input."""
    program = "python -m kvarium.analysis.incidents"
    parser = argparse.ArgumentParser(prog=program, description="Write the page of incidents.")
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="archives of experiments/configs/incidents/*.yaml")
    parser.add_argument("--output", type=Path, metavar="FILE", help="Markdown file to write; default: standard output")
    parsed = parser.parse_args(arguments)
    try:
        text = page(*read_replays(parsed.folder))
        if parsed.output is None:
            print(text, end="")
        else:
            parsed.output.write_text(text)
    except (ArchiveError, OSError) as error:
        print(f"kvarium: {' '.join(str(error).split())}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
