"""Archives that the real program wrote, for the tests of their readers."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

_ROOT = Path(__file__).resolve().parents[2]
_EXPERIMENT = """\
schema: 1
name: small
kind: fault_impact
seed: 7
replicates: 6
base:
  cache: {layout: split_x, head_size: 24, num_kv_heads: 1, query_heads_per_kv_head: 2}
  batch: {num_sequences: 2, context_length: 40}
  checksum: {family: weighted_sum}
sweep:
  grid:
    fault.model: [single_bit_flip, stale_block]
    cache.element_type: [float16, float8_e4m3]
"""


class Program:
    """The built program ``kvarium``."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def run(self, *arguments: str | Path, threads: int = 2) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "OMP_NUM_THREADS": str(threads)}
        command = [str(self.path), *map(str, arguments)]
        return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300, check=False)


@pytest.fixture(scope="session")
def program() -> Program:
    path = Path(os.environ.get("KVARIUM_PROGRAM", _ROOT / "build/release/experiments/kvarium"))
    if not path.is_file():
        pytest.fail(f"{path} is not built; run `make build` or set KVARIUM_PROGRAM")
    return Program(path)


@pytest.fixture(scope="session")
def experiment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four points of kind fault_impact; split_x cannot hold the two with float8 heads of 24."""
    path = tmp_path_factory.mktemp("experiment") / "small.yaml"
    path.write_text(_EXPERIMENT)
    return path


@pytest.fixture(scope="session")
def archive_path(program: Program, experiment: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("archive") / "small.kv.h5"
    result = program.run("run", experiment, "--output", path)
    assert result.returncode == 0, result.stderr
    return path
