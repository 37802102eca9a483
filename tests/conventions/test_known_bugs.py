"""Each known bug of paged attention that this project can have has a test of its own, found by its number."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
# The other numbers belong to CUDA graphs, grids and semaphores, to accuracy in the large, and to single-pass kernels.
ON_THE_HOST = {*range(1, 13), 14, 16, 17, *range(20, 24), *range(25, 30)}


def bugs_in(name: str) -> set[int]:
    """Return the numbers that a test's name begins with: "bug 5: ...", "bugs 3 and 4: ..."."""
    match = re.match(r"bugs? ([\d, and]+):", name)
    return {int(number) for number in re.findall(r"\d+", match[1])} if match else set()


def test_every_known_bug_of_the_host_has_a_test() -> None:
    names = [
        name
        for path in (TESTS / "kernels").rglob("*.cpp")
        for name in re.findall(r'TEST_CASE\(\s*"([^"]*)"', path.read_text())
    ]

    covered = set().union(*map(bugs_in, names))

    assert len(names) > 40
    assert ON_THE_HOST - covered == set()
