"""What docs/experiments.md shows: its files are valid, its commands print what it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from conftest import Program

_TEXT = (Path(__file__).resolve().parents[2] / "docs/experiments.md").read_text()
_FILES = dict(re.findall(r"```yaml\n# (\w+\.yaml)\n(.*?)```", _TEXT, re.DOTALL))
_COMMANDS = re.findall(r"```console\n\$ kvarium (.*?)\n(.*?)```", _TEXT, re.DOTALL)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in _FILES.items():
        (tmp_path / name).write_text(text)
    return tmp_path


def test_the_page_has_files_and_commands() -> None:
    assert len(_FILES) >= 5
    assert len(_COMMANDS) >= 4


@pytest.mark.parametrize("name", sorted(set(_FILES) - {"common.yaml"}))
def test_files_are_valid(name: str, folder: Path, program: Program) -> None:
    result = program.run("validate", folder / name)

    assert result.returncode == 0, result.stderr


@pytest.mark.parametrize(("arguments", "output"), _COMMANDS)
def test_commands_print_what_the_page_shows(arguments: str, output: str, folder: Path, program: Program) -> None:
    command, name = arguments.split()

    result = program.run(command, folder / name)

    assert result.stdout.startswith(output)
