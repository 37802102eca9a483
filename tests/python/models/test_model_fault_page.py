from __future__ import annotations

from pathlib import Path

import h5py
import numpy as np
import pandas as pd
import pytest

from kvarium.analysis.model_fault_archive import ModelFaults, open_model_faults
from kvarium.analysis.model_fault_tables import bits_table, checksums_table, effects_by_fault, markdown, strata_table
from kvarium.analysis.model_faults import main

ROWS = {
    "name": ["no_fault", "sign_bit_of_key", "sign_bit_of_key", "sign_bit_of_key", "stale_block", "stale_block"],
    "effect": ["masked", "masked", "corrupted", "nan", "tolerable", "not_applicable"],
    "first_changed_token": [pd.NA, pd.NA, 2, 4, pd.NA, pd.NA],
    "changed_share": [0.0, 0.0, 0.25, 0.75, 0.0, np.nan],
    "first_divergence": [0.0, 0.0, 0.5, np.nan, 0.25, np.nan],
    "log_loss_change": [0.0, 0.0, np.log(4.0), np.nan, 0.0, np.nan],
    "refusal": ["", "", "", "", "", "no earlier contents"],
    "layer": [pd.NA, 0, 1, 2, 0, pd.NA],
    "token": [pd.NA, 1, 5, 9, 8, pd.NA],
    "tensor": [None, "key", "key", "key", "value", None],
    "field": [None, "sign", "sign", "sign", "several", None],
    "bit": [pd.NA, 15, 15, 15, 0, pd.NA],
    "verdict_crc32": ["clean", "detected", "detected", "detected", "detected", None],
    "verdict_none": ["false_alarm", "missed", "missed", "unverified", "detected", None],
}


@pytest.fixture
def study() -> ModelFaults:
    trials = pd.DataFrame(ROWS)
    for name in ("first_changed_token", "layer", "token", "bit"):
        trials[name] = trials[name].astype("Int64")
    names = ["no_fault", "sign_bit_of_key", "stale_block"]
    return ModelFaults(trials, names, ["crc32", "none"], 8, {"num_prompt_tokens": 10})


def test_effects_are_counted_over_trials_that_could_strike(study: ModelFaults) -> None:
    flips, stale = effects_by_fault(study).to_dict("records")[1:]

    assert [flips[effect] for effect in ("applied", "masked", "tolerable", "corrupted", "nan")] == [3, 1, 0, 1, 1]
    assert flips["output changed"] == "0.667 [0.208, 0.939]"
    assert (flips["first changed token"], flips["tokens changed"]) == ("3", "50%")
    assert (flips["KL of first token"], flips["perplexity"]) == ("0.25", "x 2")
    assert (stale["applied"], stale["tokens changed"]) == (1, "-")


def test_a_checksum_stops_what_it_sees_of_the_trials_that_changed_the_output(study: ModelFaults) -> None:
    crc32, none = checksums_table(study).to_dict("records")

    assert crc32 == {"checksum": "crc32", "stopped": "1 [0.342, 1]", "let through": "nothing", "false alarms": 0}
    assert none["stopped"].startswith("0 [")
    assert (none["let through"], none["false alarms"]) == ("sign_bit_of_key 2/2", 1)


def test_strata_hold_the_bits_and_places_of_local_faults_alone(study: ModelFaults) -> None:
    (bit,) = bits_table(study).to_dict("records")
    places = {row["place"]: row["single bits"] for row in strata_table(study).to_dict("records")}

    assert (bit["bit"], bit["field"], bit["key"], bit["value"]) == (15, "sign", "0.667 [0.208, 0.939]", "-")
    assert [places[name][:2] for name in ("layers 0 to 0", "layers 1 to 1", "tokens 0 to 3")] == ["0 ", "1 ", "0 "]


def test_columns_of_a_table_are_as_wide_as_their_widest_cell() -> None:
    lines = markdown(pd.DataFrame({"a": ["long"], "b": [1]})).splitlines()

    assert lines == ["| a    | b |", "| ---- | - |", "| long | 1 |"]


def test_a_page_is_written_with_its_figure_and_the_commands_that_make_it(fault_study: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="package matplotlib is not installed")

    code = main([str(fault_study), "--output", str(tmp_path / "page.md")])

    page = (tmp_path / "page.md").read_text()
    study = open_model_faults(fault_study)
    assert code == 0
    assert (tmp_path / "page.png").read_bytes()[1:4] == b"PNG"
    assert f"{len(study.trials)} trials, {len(study.applied)} of them" in page
    assert study.provenance["command"] in page and "![" in page
    assert all(f"| {name} " in page for name in (*study.faults, *study.checksums))


def test_two_tables_are_printed_without_an_output(fault_study: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(fault_study)]) == 0

    printed = capsys.readouterr().out
    assert "| stale_block " in printed and "| kv_canary_all " in printed


@pytest.mark.parametrize(("content", "words"), [(None, "no such file"), (b"x", "damaged"), ("other", "no archive of")])
def test_a_file_that_is_no_study_is_refused(
    content: bytes | str | None, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "study.h5"
    if isinstance(content, bytes):
        path.write_bytes(content)
    elif content is not None:
        h5py.File(path, "w").close()

    assert main([str(path)]) == 2

    assert words in capsys.readouterr().err
