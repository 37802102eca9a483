"""Every Kokkos launch in the sources gives a label of ours, those too that no unit test can afford to run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LAUNCH = re.compile(r"Kokkos::parallel_(?:for|reduce|scan)\(\s*(?P<first>\"[^\"]*\"|[^,()]+)")
# A function that launches for others takes their label as the parameter `label`.
LABELLED = re.compile(r'"kvarium::\w[\w:]*"|label')


def launches(root: Path) -> list[tuple[str, str]]:
    """Return (file, first argument) of every launch below ``root``."""
    found = []
    for folder in ("core", "kernels", "sim", "experiments", "python"):
        for path in sorted((root / folder).rglob("*.[ch]pp")):
            name = path.relative_to(root).as_posix()
            found += [(name, match["first"].strip()) for match in LAUNCH.finditer(path.read_text())]
    return found


def test_every_launch_of_the_tree_has_a_label() -> None:
    found = launches(ROOT)

    assert len(found) >= 7
    assert [launch for launch in found if not LABELLED.fullmatch(launch[1])] == []


@pytest.mark.parametrize("first", ["Policy(execution, 0, n)", '"fill"', '"kvarium::"', "Kokkos::RangePolicy<>(0, n)"])
def test_a_launch_without_label_is_found(tmp_path: Path, first: str) -> None:
    (tmp_path / "core").mkdir()
    (tmp_path / "core" / "good.cpp").write_text('Kokkos::parallel_for(\n    "kvarium::fill", Policy(0, n), f);\n')
    (tmp_path / "core" / "bad.cpp").write_text(f"Kokkos::parallel_reduce({first}, f, sum);\n")

    assert [name for name, label in launches(tmp_path) if not LABELLED.fullmatch(label)] == ["core/bad.cpp"]
