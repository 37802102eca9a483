"""Kills `kvarium run` in every phase of its work and holds what is left, and what becomes of it, to a whole run.

    python tests/durability/kill_loop.py --kills 200
"""

from __future__ import annotations

import argparse
import mmap
import os
import random
import re
import signal
import subprocess
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import h5py
import numpy as np

_ROOT = Path(__file__).resolve().parents[2]
_EXPERIMENT = """\
schema: 1
name: many
kind: fault_coverage
seed: 7
replicates: 60
base:
  cache: {num_kv_heads: 1, head_size: 16}
  batch: {num_sequences: 1, context_length: 24}
sweep:
  grid:
    fault.model: [single_bit_flip, stale_block, burst, garbage_row]
    batch.context_length: {range: [24, 72, 8]}
    checksum.family: [weighted_sum, crc32c, plain_sum, xor_fold]
"""
_NUM_POINTS = 4 * 7 * 4
# As experiments/run/run_phase.hpp numbers them.
PHASES = {"computing": 0, "create": 1, "flush": 2, "publish": 3}


def experiment_file(folder: Path) -> Path:
    path = folder / "many.yaml"
    path.write_text(_EXPERIMENT.replace("batch: {num_sequences: 1, context_length: 24}", "batch: {num_sequences: 1}"))
    return path


class WatchedRun:
    """A run whose phase is seen from outside."""

    def __init__(self, program: Path, experiment: Path, output: Path) -> None:
        self._phase = output.parent / "phase"
        self._phase.write_bytes(bytes(16))
        environment = {**os.environ, "OMP_NUM_THREADS": "1", "KVARIUM_PHASE_FILE": str(self._phase)}
        with self._phase.open("r+b") as file:
            self._memory = mmap.mmap(file.fileno(), 16)
        self.process = subprocess.Popen(
            [program, "run", experiment, "--output", output],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            env=environment,
        )

    @property
    def phase(self) -> int:
        return self._memory[0]

    def kill_in(self, phase: str, delay: float) -> str:
        """Kills the run `delay` seconds after it has entered the phase; returns the phase it then was in."""
        wanted = PHASES[phase]
        while self.process.poll() is None and self.phase != wanted:
            pass
        time.sleep(delay)
        self.process.send_signal(signal.SIGKILL)
        return {number: name for name, number in PHASES.items()}[self.phase]

    def saved_points(self) -> int:
        """Finished points that the run held to be safe when it was killed."""
        self.process.communicate()
        return int.from_bytes(self._memory[8:16], "little")


def _is_deterministic(table: h5py.Group) -> bool:
    return all(column.attrs.get("deterministic", [1])[0] for column in table.values() if isinstance(column, h5py.Dataset))


def deterministic_columns(path: Path) -> dict[str, np.ndarray]:
    columns = {}
    with h5py.File(path) as file:
        for name in ("plan/points", "trials", "faults", "summary"):
            assert _is_deterministic(file[name]), name
            columns |= {f"{name}/{key}": column[()] for key, column in file[name].items()}
    return columns


def open_everything(output: Path) -> None:
    """Reads every journal while nobody repairs it, as a reader of its own would."""
    for journal in output.parent.glob("*.kvj.h5"):
        with h5py.File(journal, "r", swmr=True) as file:
            assert all(len(table[()]) == len(table) for table in file["journal"].values())


def points_found(errors: str) -> int:
    """Points that a continued run says it found."""
    found = re.search(r"continues after (\d+) of", errors)
    if found:
        return int(found.group(1))
    return _NUM_POINTS if "complete already" in errors else 0


@dataclass
class Kill:
    phase: str
    saved: int


def kill_once(program: Path, experiment: Path, whole: dict[str, np.ndarray], phase: str, delay: float) -> Kill:
    """One kill and what comes after it. Raises AssertionError where something was lost."""
    with tempfile.TemporaryDirectory() as name:
        output = Path(name) / "many.kv.h5"
        run = WatchedRun(program, experiment, output)
        seen = run.kill_in(phase, delay)
        kill = Kill(seen, run.saved_points())
        open_everything(output)
        again = subprocess.run([program, "run", experiment, "--output", output], capture_output=True, text=True)
        assert again.returncode == 0, again.stderr
        assert "damaged" not in again.stderr, again.stderr
        assert points_found(again.stderr) >= kill.saved, f"{kill}: points are lost: {again.stderr}"
        assert not list(output.parent.glob("*.kvj.h5")), "a journal is left"
        columns = deterministic_columns(output)
        assert columns.keys() == whole.keys()
        for key, column in whole.items():
            assert np.array_equal(columns[key], column), key
        return kill


def run_kills(program: Path, kills: int, seed: int) -> list[Kill]:
    """At least `kills` kills, each aimed at the phase that was met least, until every phase has been met.

    A phase may be over before the kill comes: a flush takes microseconds.
    """
    generator = random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        experiment = experiment_file(folder)
        start = time.monotonic()
        subprocess.run([program, "run", experiment, "--output", folder / "whole.kv.h5"], check=True, capture_output=True)
        longest = {"computing": time.monotonic() - start, "create": 0.003, "flush": 0.00005, "publish": 0.03}
        whole = deterministic_columns(folder / "whole.kv.h5")
        done: list[Kill] = []
        met = dict.fromkeys(longest, 0)
        while len(done) < kills or (min(met.values()) == 0 and len(done) < 10 * kills):
            phase = min(met, key=lambda name: met[name])
            done.append(kill_once(program, experiment, whole, phase, longest[phase] * generator.random() ** 2))
            met[done[-1].phase] += 1
        return done


def main() -> None:
    parser = argparse.ArgumentParser(description="Kills runs at random moments of every phase")
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--program", type=Path, default=_ROOT / "build/release/experiments/kvarium")
    arguments = parser.parse_args()
    kills = run_kills(arguments.program, arguments.kills, arguments.seed)
    phases = Counter(kill.phase for kill in kills)
    print(f"{len(kills)} kills, every run continued to the table of an uninterrupted one")
    for phase, count in sorted(phases.items()):
        saved = sum(kill.saved for kill in kills if kill.phase == phase)
        print(f"{phase}: {count} kills, {saved} points had been saved before them")


if __name__ == "__main__":
    main()
