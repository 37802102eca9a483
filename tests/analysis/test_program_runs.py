"""Runs of the real program: equal whatever the threads, and safe against being stopped at any time."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import h5py
import numpy as np
import pytest
from conftest import Program

_ROOT = Path(__file__).resolve().parents[2]
_SLOW_REPLICATES = "replicates=4000"


def _deterministic(path: Path) -> dict[str, list[object]]:
    """Values of every deterministic column, floats by their bits."""
    found: dict[str, list[object]] = {}

    def visit(name: str, item: object) -> None:
        if isinstance(item, h5py.Dataset) and item.attrs.get("deterministic", [0])[0]:
            values = item[()]
            found[name] = (values.view(np.uint64) if values.dtype == np.float64 else values).tolist()

    with h5py.File(path) as file:
        file.visititems(visit)
    return found


def _journal(output: Path) -> Path:
    return output.with_name(output.name.replace(".kv.h5", ".1.kvj.h5"))


def _start(program: Program, experiment: Path, output: Path) -> subprocess.Popen[str]:
    """A run that takes a while, once it has begun its journal."""
    command = [str(program.path), "run", str(experiment), "--output", str(output), "--set", _SLOW_REPLICATES]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not _journal(output).exists():
        assert process.poll() is None and time.monotonic() < deadline, "the run ended before it could be stopped"
        time.sleep(0.005)
    return process


def test_one_thread_and_several_give_equal_deterministic_columns(
    program: Program, experiment: Path, archive_path: Path, tmp_path: Path
) -> None:
    result = program.run("run", experiment, "--output", tmp_path / "one.kv.h5", threads=1)

    assert result.returncode == 0
    columns = _deterministic(tmp_path / "one.kv.h5")
    assert len(columns) > 50
    assert columns == _deterministic(archive_path)


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_stops_a_run_that_the_same_command_continues(
    program: Program, experiment: Path, tmp_path: Path, stop: signal.Signals
) -> None:
    output = tmp_path / "stopped.kv.h5"
    process = _start(program, experiment, output)

    process.send_signal(stop)
    _, errors = process.communicate(timeout=120)

    assert process.returncode == 3, errors
    assert f"stopped by {stop.name}" in errors
    with h5py.File(output) as file:
        assert file.attrs["complete"][0] == 0
        assert file["provenance/run_0"].attrs["exit_reason"] == f"stopped by {stop.name}"
    assert program.run("run", experiment, "--output", output, "--set", _SLOW_REPLICATES).returncode == 0
    whole = tmp_path / "whole.kv.h5"
    assert program.run("run", experiment, "--output", whole, "--set", _SLOW_REPLICATES).returncode == 0
    assert _deterministic(output) == _deterministic(whole)


def _killed(program: Program, experiment: Path, folder: Path) -> Path:
    """Output of a run that was killed."""
    output = folder / "killed.kv.h5"
    process = _start(program, experiment, output)
    process.kill()
    process.communicate(timeout=60)
    return output


def test_a_killed_run_leaves_a_journal_that_opens_and_continues(
    program: Program, experiment: Path, tmp_path: Path
) -> None:
    output = _killed(program, experiment, tmp_path)

    assert not output.exists()
    with h5py.File(_journal(output), "r", swmr=True) as file:
        assert len(file["journal/points"][()]) < 4
    assert program.run("run", experiment, "--output", output, "--set", _SLOW_REPLICATES).returncode == 0
    with h5py.File(output) as file:
        assert file.attrs["complete"][0] == 1
    assert os.listdir(tmp_path) == [output.name]


def test_what_a_killed_run_had_saved_is_recovered_without_running(
    program: Program, experiment: Path, tmp_path: Path
) -> None:
    output = _killed(program, experiment, tmp_path)

    result = program.run("recover", _journal(output))

    assert result.returncode == 3, result.stderr
    assert f"{output}: " in result.stdout and "of 4 points, of 1 journals" in result.stdout
    assert os.listdir(tmp_path) == [output.name]
    with h5py.File(output) as file:
        assert file.attrs["complete"][0] == 0
    assert program.run("recover", output).returncode == 2
    assert program.run("run", experiment, "--output", output, "--set", _SLOW_REPLICATES).returncode == 0


def test_a_full_disk_is_one_line_and_leaves_the_older_archive_whole(
    program: Program, experiment: Path, archive_path: Path, tmp_path: Path
) -> None:
    """A limit on file sizes stands for the full disk: writing fails the same way.  Left alone, it ends the program."""
    output = tmp_path / "small.kv.h5"
    command = f'ulimit -f 16; exec "{program.path}" run "{experiment}" --output "{output}"'

    result = subprocess.run(
        ["bash", "-c", command], capture_output=True, text=True, timeout=120, check=False
    )

    assert archive_path.stat().st_size > 16 * 1024, "the limit is too generous for this test"
    assert result.returncode == 2
    assert result.stderr.startswith("kvarium: ") and result.stderr.count("\n") == 1, result.stderr
    assert os.listdir(tmp_path) == []


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&- <&-"])
def test_closed_streams_spoil_no_archive(
    program: Program, experiment: Path, archive_path: Path, tmp_path: Path, closed: str
) -> None:
    """Nothing that the run opens takes a closed stream's number, where its output would end up."""
    output = tmp_path / "closed.kv.h5"
    command = f'exec "{program.path}" run "{experiment}" --output "{output}" {closed}'

    result = subprocess.run(["bash", "-c", command], timeout=120, check=False)

    assert result.returncode == (0 if closed == "2>&-" else 1)
    assert _deterministic(output) == _deterministic(archive_path)
    assert os.listdir(tmp_path) == [output.name]


@pytest.mark.parametrize("arguments", [["list", "keys"], ["--help"], ["--version"]])
def test_output_that_cannot_be_written_is_one_line(program: Program, arguments: list[str]) -> None:
    with open("/dev/full", "w") as full:
        result = subprocess.run(
            [str(program.path), *arguments], stdout=full, stderr=subprocess.PIPE, text=True, timeout=60, check=False
        )

    assert result.returncode == 1
    assert result.stderr == (
        "kvarium: standard output cannot be written; check the disk or the program that reads it\n"
    )


def test_errors_that_cannot_be_written_keep_the_exit_code(program: Program) -> None:
    with open("/dev/full", "w") as full:
        result = subprocess.run([str(program.path), "validate", "no.yaml"], stderr=full, timeout=60, check=False)

    assert result.returncode == 2


def test_a_folder_that_is_gone_is_one_line(program: Program, tmp_path: Path) -> None:
    command = f'mkdir gone && cd gone && rmdir ../gone && exec "{program.path}" run ../a.yaml'
    (tmp_path / "a.yaml").write_text("schema: 1\n")

    result = subprocess.run(
        ["bash", "-c", command], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
    )

    assert result.returncode == 2
    assert "../a.yaml: the folder it is named from is gone" in result.stderr


def test_an_archive_holds_no_folder_of_the_machine_and_replays_from_anywhere(
    program: Program, tmp_path: Path
) -> None:
    """The dump is named relative to the YAML file, the YAML file relative to where the program was started."""
    configs = tmp_path / "configs"
    data = tmp_path / "data"
    for folder in (configs, data, tmp_path / "results"):
        folder.mkdir()
    shutil.copy(_ROOT / "experiments/data/smollm2_small.h5", data / "dump.h5")
    text = (_ROOT / "experiments/configs/quickstart.yaml").read_text().replace("smollm2_small.h5", "dump.h5")
    (configs / "a.yaml").write_text(text)
    command = [str(program.path), "run", "configs/a.yaml", "--output", "results/a.kv.h5", "--set", "replicates=1"]

    made = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False)

    assert made.returncode == 0, made.stderr
    archive = tmp_path / "results/a.kv.h5"
    with h5py.File(archive) as file:
        facts = file["provenance/run_0"].attrs
        assert facts["configuration_file"] == "configs/a.yaml"
        assert facts["input_0_path"] == "data/dump.h5"
    assert os.fsencode(tmp_path) not in archive.read_bytes()
    assert program.run("replay", archive, "--trial", "1").returncode == 0
    (configs / "a.yaml").unlink()
    lost = program.run("replay", archive, "--trial", "1")
    assert lost.returncode == 2
    assert "data/dump.h5" in lost.stderr


def test_an_archive_that_h5py_rewrote_is_inspected_and_continued(
    program: Program, experiment: Path, archive_path: Path, tmp_path: Path
) -> None:
    """The reader does not depend on how this project's writer lays a file out."""
    copy = tmp_path / "copy.kv.h5"
    with h5py.File(archive_path) as source, h5py.File(copy, "w") as target:
        target.attrs.update(source.attrs)
        for name in source:
            source.copy(name, target)

    result = program.run("run", experiment, "--output", copy)

    assert result.returncode == 0, result.stderr
    assert "complete already" in result.stderr
    assert program.run("replay", copy, "--trial", "3").returncode == 0
