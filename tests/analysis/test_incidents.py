"""The page of incidents, made from archives that the real program wrote."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Program

from kvarium.analysis.incident_verdicts import read_replays
from kvarium.analysis.incidents import main, page

_CONFIGS = Path(__file__).resolve().parents[2] / "experiments/configs/incidents"


@pytest.fixture(scope="module")
def folder(program: Program, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("incidents")
    for name in ("late_rdma_write", "fp8_scales_ignored", "nan_in_unfilled_tail"):
        output = path / f"{name}.kv.h5"
        result = program.run("run", _CONFIGS / f"{name}.yaml", "--set", "replicates=3", "--output", output, threads=1)
        assert result.returncode == 0, result.stderr
    return path


def test_a_write_after_the_check_is_seen_at_steps_alone(folder: Path) -> None:
    replays, _ = read_replays(folder)

    late = {replay.moment: replay for replay in replays if replay.name == "late_rdma_write"}

    assert "weighted_sum" in late["before_check"].always("landing")
    assert late["after_check"].always("landing") == set()
    assert "weighted_sum" in late["after_check"].always("step")
    assert late["after_check"].source == "sglang#24527, #24580, #32564, #35049"


def test_the_page_names_source_class_and_who_sees_it(folder: Path) -> None:
    lines = page(*read_replays(folder)).splitlines()

    scales = next(line for line in lines if "`fp8_scales_ignored`" in line)
    tail = next(line for line in lines if "`nan_in_unfilled_tail` (before check)" in line)

    assert scales.startswith("| 19 | `fp8_scales_ignored` | flashinfer#4979 | 3 of 3 |")
    assert scales.count("nobody") == 3
    assert "no damage; false alarm: adler32_memory" in tail


def test_a_folder_without_archives_is_refused_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code = main([str(tmp_path)])

    assert code == 2
    assert capsys.readouterr().err == (
        f"kvarium: {tmp_path}: no archives; run experiments/configs/incidents/*.yaml into it\n"
    )
