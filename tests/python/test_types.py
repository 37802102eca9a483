"""The types that a user's type checker sees."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import kvarium

PROGRAM = """
import numpy as np

import kvarium

cells = np.zeros((1, 1, 16, 32), np.float16)
query, table, lengths = np.zeros((1, 2, 32), np.float16), np.zeros((1, 1), np.int32), np.ones(1, np.int32)
arrays = query, cells, cells, table, lengths
reveal_type(kvarium.paged_attention_v2(*arrays, num_kv_heads=1, scale=1.0, block_size=16, layout="hnd"))
reveal_type(kvarium.paged_attention_v2(*arrays, num_kv_heads=1, scale=1.0, block_size=16, return_lse=True))
reveal_type(kvarium.weighted_sum(cells, cells, lengths, lengths, lengths, layout="hnd"))
reveal_type(kvarium.attention_variants()["host"].device)
reveal_type(kvarium.open("results.kv.h5"))
kvarium.paged_attention_v2(query, cells, cells, table, "no array", num_kv_heads=1, scale=1.0, block_size=16)
kvarium.write_cache(query, query, cells, cells, lengths, block_size=16, layout=3)
"""

EXPECTED = [
    'note: Revealed type is ".*ndarray.*"',
    r'note: Revealed type is "tuple\[.*ndarray.*, .*ndarray.*"',
    'note: Revealed type is ".*ndarray.*"',
    'note: Revealed type is ".*str"',
    'note: Revealed type is ".*kvarium.analysis.archive.Archive"',
    'error: .*"paged_attention_v2"',
    'error: Argument "layout" to "write_cache" has incompatible type "int"; expected "str"',
]


def test_a_type_checker_knows_results_and_finds_wrong_arguments(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)

    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--no-pretty", "--follow-imports=silent", "--config-file=",
         f"--cache-dir={tmp_path / 'cache'}", str(program)],
        capture_output=True, text=True, timeout=300, check=False, cwd=tmp_path,
        env={"MYPYPATH": str(Path(kvarium.__file__).parents[1]), "PATH": ""},
    )  # fmt: skip

    found = [line for line in checked.stdout.splitlines() if re.search(r"program\.py:\d+: (error|note: Rev)", line)]
    assert len(found) == len(EXPECTED), checked.stdout + checked.stderr
    for line, pattern in zip(found, EXPECTED, strict=True):
        assert re.search(pattern, line), line
