"""The page made of a report names what sees each threat, what is weakest where, and refuses what is no report."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest

from kvarium.analysis import checksum_guide


def share(of: str, fault: str, rate: float, low: float) -> dict[str, Any]:
    return {
        "point": 7,
        "fault": fault,
        "of": of,
        "share": "detected_rate",
        "rate": rate,
        "low": low,
        "high": 1.0,
        "trials": 1000,
    }


def report() -> dict[str, Any]:
    shares = [
        share("slow", "burst", 1.0, 0.996),
        share("slow", "same_lane_flips lane=63", 1.0, 0.996),
        share("slow", "torn_write", 1.0, 0.996),
        share("fast", "burst", 1.0, 0.996),
        share("fast", "same_lane_flips lane=63", 0.5, 0.47),
        share("fast", "torn_write", 1.0, 0.996),
        share("fast", "single_bit_flip stage=S3", 0.0, 0.0),
        {**share("fast", "torn_write", 0.25, 0.2), "share": "missed_rate"},
    ]
    costs = [
        {
            "of": name,
            "record_bytes": 8.0,
            "checksum_throughput": speed,
            "fraction_of_ceiling": speed / 2e10,
            "control_alarms": 0.0,
        }
        for name, speed in (("slow", 1e9), ("fast", 9e9))
    ]
    return {"archive": "a.kv.h5", "points": 7, "status": "7 passed", "shares": shares, "costs": costs}


def test_the_page_answers_by_threat_with_the_fastest_first() -> None:
    page = checksum_guide.guide(report())

    assert "| memory: bits, pins, lines | `slow` |" in page
    assert "| writes: torn, late, lost | `fast`, `slow` |" in page
    assert "| addresses: wrong blocks, heads, tokens | none |" in page
    assert "50 [47, 100]: same_lane_flips lane=63 (point 7)" in page
    assert "9.0 (45 %)" in page


def test_a_fault_that_no_checksum_sees_counts_against_none() -> None:
    seen = report()
    seen["shares"].append(share("slow", "torn_write kept=prefix", 0.3, 0.28))
    seen["shares"].append(share("fast", "torn_write kept=prefix", 0.9, 0.88))

    assert "| writes: torn, late, lost | `fast`, `slow` | `torn_write kept=prefix` |" in checksum_guide.guide(seen)


def test_the_fastest_against_every_threat_is_named_for_a_budget() -> None:
    complete = report()
    for fault in ("stale_block", "layout_misread"):
        complete["shares"].append(share("slow", fault, 1.0, 0.996))
        complete["shares"].append(share("fast", fault, 1.0, 0.996))

    assert "| 8 | `slow` 1.0 (5 %) |" in checksum_guide.guide(complete)


def test_faults_after_the_last_check_stand_apart() -> None:
    page = checksum_guide.guide(report())

    assert "| `single_bit_flip stage=S3` | n/a | 0 [0, 100] |" in page


@pytest.mark.parametrize("text", ["", "[]", "{}", "nonsense"])
def test_what_is_no_report_is_refused(
    text: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))

    assert checksum_guide.main([]) == 2

    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("standard input: no report of fault_coverage")


def test_the_page_is_printed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(report())))

    assert checksum_guide.main([]) == 0
    assert capsys.readouterr().out.startswith("# Choosing a checksum\n")
