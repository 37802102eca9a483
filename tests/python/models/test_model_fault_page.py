from __future__ import annotations

from pathlib import Path

import h5py
import numpy as np
import pandas as pd
import pytest

from kvarium.analysis.model_fault_archive import ModelFaults, open_model_faults
from kvarium.analysis.model_fault_page import model_faults_page
from kvarium.analysis.model_fault_tables import bits_table, checksums_table, effects_by_fault, markdown, strata_table
from kvarium.analysis.model_faults import main

ROOT = Path(__file__).resolve().parents[3]
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

    assert (crc32["stopped"], crc32["let through"]) == ("1 [0.342, 1]", "nothing")
    assert (crc32["unseen without harm"], crc32["false alarms"]) == ("nothing", 0)
    assert none["stopped"].startswith("0 [") and none["unseen without harm"] == "sign_bit_of_key 1/1"
    assert (none["let through"], none["false alarms"]) == ("sign_bit_of_key 2/2", 1)


def test_checksums_that_saw_the_same_share_a_row(study: ModelFaults) -> None:
    study.trials["verdict_crc32c"] = study.trials["verdict_crc32"]
    study.checksums.append("crc32c")

    assert checksums_table(study)["checksum"].tolist() == ["crc32, crc32c", "none"]


def test_strata_hold_the_bits_and_places_of_local_faults_alone(study: ModelFaults) -> None:
    (bit,) = bits_table(study).to_dict("records")
    places = {row["place"]: row["single bits"] for row in strata_table(study).to_dict("records")}

    assert (bit["bit"], bit["field"], bit["key"], bit["value"]) == (15, "sign", "0.667 [0.208, 0.939]", "-")
    assert [places[name][:2] for name in ("layers 0 to 0", "layers 1 to 1", "tokens 0 to 3")] == ["0 ", "1 ", "0 "]


def test_columns_of_a_table_are_as_wide_as_their_widest_short_cell() -> None:
    lines = markdown(pd.DataFrame({"a": ["long"], "b": ["x" * 99]})).splitlines()

    assert lines == ["| a    | b |", "| ---- | - |", f"| long | {'x' * 99} |"]


def test_a_page_is_written_with_its_figure_and_the_commands_that_make_it(fault_study: Path, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="package matplotlib is not installed")

    code = main([str(fault_study), "--output", str(tmp_path / "page.md")])

    page = (tmp_path / "page.md").read_text()
    study = open_model_faults(fault_study)
    assert code == 0
    assert (tmp_path / "page.png").read_bytes()[1:4] == b"PNG"
    assert f"{len(study.trials)} trials, {len(study.applied)} of them" in page
    assert study.provenance["command"] in page and "![" in page
    assert all(f"| {name} " in page for name in study.faults)
    assert all(name in page for name in study.checksums)


def test_the_kept_page_is_made_from_the_kept_archive() -> None:
    archive, page = "docs/measurements/model_faults.h5", "docs/model_faults.md"

    made = model_faults_page(open_model_faults(ROOT / archive), figure="model_faults.png", archive=archive, page=page)

    assert made == (ROOT / page).read_text()


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
