from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pandas as pd
import pytest
from tiny_model import CONTEXT_LENGTH
from tiny_study import NUM_TOKENS, PROMPT, SIZES, run_study

from kvarium.analysis.table_reading import read_table
from kvarium.models.fault_study import main
from kvarium.models.loaded_model import LoadedModel
from kvarium.models.paged_model_cache import BLOCK_SIZE
from kvarium.models.prompt_cache import PromptCache
from kvarium.models.study_checksums import ChecksumPanel, StudyChecksum, study_checksums
from kvarium.models.study_faults import study_faults


@pytest.fixture(scope="module")
def trials(fault_study: Path) -> pd.DataFrame:
    with h5py.File(fault_study) as file:
        names = read_table(file, "/plan/faults")["name"]
        return read_table(file, "/trials").assign(name=lambda frame: frame["fault"].map(names))


def test_every_fault_has_its_trials_and_those_that_cannot_strike_say_why(trials: pd.DataFrame) -> None:
    counts = trials.groupby("name").size()

    assert counts.to_dict() == {fault.name: fault.weight for fault in study_faults()}
    refused = trials[trials["effect"] == "not_applicable"]
    assert (refused["refusal"] != "").all()
    assert refused["verdict_crc32"].isna().all() and refused["first_divergence"].isna().all()
    assert (trials.drop(refused.index)["refusal"] == "").all()


def test_without_a_fault_nothing_changes_and_every_checksum_is_clean(trials: pd.DataFrame) -> None:
    (control,) = trials[trials["name"] == "no_fault"].itertuples()

    assert (control.effect, control.first_divergence, control.first_difference) == ("masked", 0.0, 0.0)
    assert {getattr(control, f"verdict_{checksum.name}") for checksum in study_checksums()} == {"clean"}


def test_garbage_past_the_last_token_changes_nothing(trials: pd.DataFrame) -> None:
    (trial,) = trials[trials["name"] == "tail_garbage"].itertuples()

    assert trial.effect == "masked"
    assert (trial.verdict_crc32, trial.verdict_crc32_memory_order) == ("missed", "false_alarm")


def test_effects_tokens_and_shares_agree(fault_study: Path, trials: pd.DataFrame) -> None:
    with h5py.File(fault_study) as file:
        intact, tokens = file["continuations/intact"][()], file["continuations/token_ids"][()]
    applied = trials[trials["effect"] != "not_applicable"]

    differs = tokens[applied.index] != intact

    np.testing.assert_allclose(applied["changed_share"], differs.mean(axis=1))
    first = np.where(differs.any(axis=1), differs.argmax(axis=1), -1)
    assert applied["first_changed_token"].fillna(-1).astype(int).tolist() == first.tolist()
    is_kept = applied["effect"].isin(["masked", "tolerable"])
    assert (applied["first_changed_token"].isna() == is_kept | (first == -1)).all()
    assert {"masked", "tolerable", "corrupted"} <= set(applied["effect"].astype(str))


def test_values_before_and_after_a_sign_flip_are_opposite(trials: pd.DataFrame) -> None:
    flips = trials[trials["name"].isin(["sign_bit_of_key", "sign_bit_of_value"])]

    assert (flips["value_before"] == -flips["value_after"]).all()
    assert (flips["bit"] == 15).all() and (flips["field"] == "sign").all()


def test_the_same_seed_gives_the_same_file_and_another_seed_other_faults(
    fault_study: Path, tiny_model_path: Path, tmp_path: Path
) -> None:
    again = run_study(tiny_model_path, tmp_path, "study.h5")
    other = run_study(tiny_model_path, tmp_path, "other.h5", "--seed", "2")

    assert again.read_bytes() == fault_study.read_bytes()
    with h5py.File(fault_study) as first, h5py.File(other) as second:
        assert (first["trials/token"][()] != second["trials/token"][()]).any()


def test_every_column_says_what_it_holds_and_where_the_archive_comes_from(fault_study: Path) -> None:
    with h5py.File(fault_study) as file:
        for path in ("trials", "plan/faults", "plan/checksums"):
            for column in file[path].values():
                assert column.attrs["long_name"]
                is_number = h5py.check_string_dtype(column.dtype) is None
                assert not is_number or "units" in column.attrs or "flag_meanings" in column.attrs
        settings = [json.loads(text) for text in file["plan/faults/settings"].asstr()[()]]
        origin = dict(file["provenance"].attrs)
    assert settings == [dict(fault.settings) for fault in study_faults()]
    assert origin["command"].endswith("--element-type float16 --output study.h5")
    assert origin["prompt"] == PROMPT and len(origin["model_sha256"]) == 64


@pytest.fixture
def prompt(tiny_model: LoadedModel) -> PromptCache:
    token_ids = tiny_model.tokenizer.encode(PROMPT)
    assert len(token_ids) % BLOCK_SIZE > 1
    return PromptCache(tiny_model.model, "float16", token_ids, token_ids[::-1], num_generated=4, seed=0)


def verdicts(prompt: PromptCache, model: str, trial: int, **settings: str | int | float) -> dict[str, str]:
    checksums = study_checksums()
    panel = ChecksumPanel(prompt, checksums)
    fault, struck = prompt.inject(model, settings, seed=1, stimulus=0, trial=trial)
    found = panel.verdicts(fault, struck)
    prompt.revert(fault)
    assert set(panel.intact_verdicts()) == {"clean"}
    return {checksum.name: verdict for checksum, verdict in zip(checksums, found, strict=True)}


def test_order_free_sums_miss_exchanged_heads_and_others_do_not(prompt: PromptCache) -> None:
    found = verdicts(prompt, "slice_exchange", 0, exchanged="heads")

    assert (found["plain_sum"], found["xor_fold"], found["kv_canary_none"]) == ("missed",) * 3
    assert (found["crc32"], found["weighted_sum"], found["kv_canary_all"]) == ("detected",) * 3


def test_a_wrong_block_is_seen_by_records_of_the_request_and_beside_the_slots(prompt: PromptCache) -> None:
    found = verdicts(prompt, "wrong_block_id", 0, wrong_id="other_live")

    assert (found["crc32"], found["kv_canary_none"], found["kv_canary_all"]) == ("detected",) * 3


def test_a_reader_that_miscounts_verifies_nothing_that_masks_the_tail(prompt: PromptCache) -> None:
    found = verdicts(prompt, "token_off_by_one", 0, off_by_one="one_more")

    assert (found["crc32"], found["crc32_memory_order"], found["kv_canary_all"]) == ("unverified", "missed", "detected")


def test_a_checksum_can_be_asked_alone(prompt: PromptCache) -> None:
    panel = ChecksumPanel(prompt, [StudyChecksum("pieces", "weighted_sum", {"piece_width": 1})])

    assert panel.intact_verdicts() == ["clean"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "--output"),
        (["--output", "f.h5", "--trials", "0"], "'0' is not a positive whole number"),
        (["--output", "f.h5", "--seed", "-1"], "--seed"),
        (["--output", "f.h5", "--element-type", "float8"], "choose from"),
    ],
)
def test_a_wrong_argument_is_named(arguments: list[str], words: str, refused: Callable[[list[str]], str]) -> None:
    assert words in refused(arguments)


def test_a_prompt_that_leaves_no_room_and_an_output_that_exists_are_refused(
    tiny_model_path: Path, tmp_path: Path, refused: Callable[[list[str]], str]
) -> None:
    (tmp_path / "prompt.txt").write_text("x" * (CONTEXT_LENGTH - NUM_TOKENS))
    (tmp_path / "kept.h5").write_text("kept")
    common = ["--model", str(tiny_model_path), "--prompt", str(tmp_path / "prompt.txt"), *SIZES]

    assert "more than the" in refused([*common, "--output", str(tmp_path / "study.h5")])
    assert "--force" in refused([*common, "--output", str(tmp_path / "kept.h5")])
    assert (tmp_path / "kept.h5").read_text() == "kept"
    assert not (tmp_path / "study.h5").exists()


@pytest.fixture
def refused(capsys: pytest.CaptureFixture[str]) -> Callable[[list[str]], str]:
    """Run a command line that must be refused; returns its one line."""

    def run(arguments: list[str]) -> str:
        assert main(arguments) == 2
        captured = capsys.readouterr()
        assert captured.err.startswith("error: ") and captured.err.count("\n") == 1
        return captured.err

    return run
