"""A study of faults in the cache of the tiny model, for tests of its archive and pages."""

from __future__ import annotations

from pathlib import Path

from kvarium.models.fault_study import main

PROMPT = "the-other-path-there,that-is-to-say"
NUM_TOKENS = 5
SIZES = ("--trials", "1", "--tokens", str(NUM_TOKENS), "--branches", "8")


def run_study(model: Path, folder: Path, name: str, *more: str) -> Path:
    """Run the command line into ``folder / name`` and return that path."""
    (folder / "prompt.txt").write_text(PROMPT)
    arguments = ["--model", str(model), "--prompt", str(folder / "prompt.txt"), "--output", str(folder / name)]
    assert main([*arguments, *SIZES, *more]) == 0
    return folder / name
