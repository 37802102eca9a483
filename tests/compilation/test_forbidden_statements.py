"""The types forbid what they promise to forbid, and nothing beside it."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
from pathlib import Path

import pytest
from forbidden_statements import PAIRS, PREAMBLE

ROOT = Path(__file__).resolve().parents[2]


class Compiled:
    """What the compiler says of a program with one statement a line."""

    def __init__(self, command: list[str], program: Path, statements: list[str]) -> None:
        lines = PREAMBLE.splitlines()
        self._line_of = {statement: len(lines) + i + 1 for i, statement in enumerate(statements)}
        lines += [f"void statement_{i}() {{ {statement}; }}" for i, statement in enumerate(statements)]
        program.write_text("\n".join(lines) + "\n")
        result = subprocess.run(
            [*command, "-w", "-fsyntax-only", str(program)], capture_output=True, text=True, timeout=300, check=False
        )
        self.returncode, self.messages = result.returncode, result.stderr
        location = re.compile(rf"{re.escape(str(program))}:(\d+):.*\berror:")
        self._wrong_lines = {int(match[1]) for match in map(location.match, result.stderr.splitlines()) if match}

    def refuses(self, statement: str) -> bool:
        """Return whether an error stands in the line of ``statement``."""
        return self._line_of[statement] in self._wrong_lines

    def wrong_preamble(self) -> bool:
        """Return whether an error stands before the statements."""
        return any(line < min(self._line_of.values()) for line in self._wrong_lines)


@pytest.fixture(scope="module")
def command() -> list[str]:
    """Compiler and flags that the build uses for a file of sim, without its output."""
    build = Path(os.environ.get("KVARIUM_BUILD", ROOT / "build/release"))
    path = build / "compile_commands.json"
    if not path.is_file():
        pytest.fail(f"{path} is missing; run `make build` or set KVARIUM_BUILD")
    entries = json.loads(path.read_text())
    words = shlex.split(next(entry["command"] for entry in entries if entry["file"].endswith("sim/batch.cpp")))
    return words[: words.index("-o")]


@pytest.fixture(scope="module")
def allowed(command: list[str], tmp_path_factory: pytest.TempPathFactory) -> Compiled:
    statements = list(dict.fromkeys(pair.allowed for pair in PAIRS.values()))
    return Compiled(command, tmp_path_factory.mktemp("allowed") / "allowed.cpp", statements)


@pytest.fixture(scope="module")
def forbidden(command: list[str], tmp_path_factory: pytest.TempPathFactory) -> Compiled:
    statements = [pair.forbidden for pair in PAIRS.values()]
    return Compiled(command, tmp_path_factory.mktemp("forbidden") / "forbidden.cpp", statements)


def test_every_allowed_statement_compiles(allowed: Compiled) -> None:
    assert allowed.returncode == 0, allowed.messages


@pytest.mark.parametrize("promise", PAIRS)
def test_the_compiler_keeps_the_promise(promise: str, allowed: Compiled, forbidden: Compiled) -> None:
    assert not allowed.refuses(PAIRS[promise].allowed), allowed.messages
    assert forbidden.returncode != 0
    assert not forbidden.wrong_preamble(), forbidden.messages
    assert forbidden.refuses(PAIRS[promise].forbidden), f"compiles: {PAIRS[promise].forbidden}"
