"""A short form of the kill loop."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from kill_loop import PHASES, run_kills

_ROOT = Path(__file__).resolve().parents[2]


def test_killed_runs_lose_nothing_they_had_saved() -> None:
    program = Path(os.environ.get("KVARIUM_PROGRAM", _ROOT / "build/release/experiments/kvarium"))
    if not program.is_file():
        pytest.fail(f"{program} is not built; run `make build` or set KVARIUM_PROGRAM")

    kills = run_kills(program, kills=12, seed=1)

    assert len(kills) >= 12
    assert {kill.phase for kill in kills} == set(PHASES)
