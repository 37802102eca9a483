from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kvarium.models.agreement import compare_greedy, compare_text
from kvarium.models.element_storage import STORAGE_TYPES
from kvarium.models.fixed_input import GOLDEN_FILE
from kvarium.models.golden_check import check_against_golden
from kvarium.models.golden_file import NextTokens, read_golden, write_golden
from kvarium.models.loaded_model import LoadedModel
from kvarium.models.smollm2 import main

NUM_POSITIONS = 100


def answers(gap: float, count: int = NUM_POSITIONS) -> NextTokens:
    return NextTokens(token_ids=[1] * count, second_token_ids=[2] * count, gaps=[gap] * count)


def logits_with_mistakes(count: int) -> np.ndarray:
    logits = np.zeros((NUM_POSITIONS, 4), np.float32)
    logits[:, 1] = 1.0
    logits[:count, 2] = 2.0
    return logits


def test_one_mistake_at_a_clear_position_is_too_many() -> None:
    found = compare_text(logits_with_mistakes(1), answers(gap=0.26))

    assert found.clear_disagreements == [0]
    assert not found.holds


def test_two_mistakes_in_a_hundred_are_allowed_at_near_ties_and_three_are_not() -> None:
    two, three = (compare_text(logits_with_mistakes(count), answers(gap=0.25)) for count in (2, 3))

    assert two.holds
    assert not three.holds
    assert three.disagreements == [0, 1, 2]


def test_the_largest_difference_of_gaps_is_between_the_same_two_tokens() -> None:
    found = compare_text(logits_with_mistakes(1), answers(gap=0.9))

    assert found.largest_gap_difference == pytest.approx(1.9, abs=1e-6)


def test_greedy_tokens_may_part_at_a_near_tie_only() -> None:
    equal, near, clear = (compare_greedy([1, ours, 1], answers(gap, 3)) for ours, gap in ((1, 5), (2, 0.2), (2, 0.3)))

    assert (equal.holds, equal.first_difference) == (True, None)
    assert (near.holds, near.first_difference) == (True, 1)
    assert not clear.holds


def test_a_golden_file_comes_back_as_it_was_written(tmp_path: Path) -> None:
    golden = read_golden(GOLDEN_FILE)

    write_golden(golden, tmp_path / "golden.json")

    assert read_golden(tmp_path / "golden.json") == golden
    assert (tmp_path / "golden.json").read_bytes() == GOLDEN_FILE.read_bytes()


def test_the_check_against_llama_cpp_holds(real_model: LoadedModel, capsys: pytest.CaptureFixture[str]) -> None:
    code = main(["--check"])

    printed = capsys.readouterr().out
    assert code == 0, printed
    assert "512 of 512 positions (100.00%" in printed
    assert "FAILS" not in printed


@pytest.mark.parametrize("element_type", ["float32", "bfloat16"])
def test_the_check_holds_for_llama_cpp_in_float32_whatever_the_cache(
    real_model: LoadedModel, element_type: str
) -> None:
    golden = read_golden(GOLDEN_FILE)
    (run,) = [run for run in golden.runs if "float32" in run.arithmetic]
    assert element_type in STORAGE_TYPES

    lines, _ = check_against_golden(real_model, GOLDEN_FILE, element_type)

    section = lines[lines.index(f"llama.cpp with {run.arithmetic}:") :]
    assert not any("FAILS" in line for line in section), "\n".join(lines)


def test_the_check_fails_with_exit_code_1_when_llama_cpp_said_otherwise(
    real_model: LoadedModel, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    changed = read_golden(GOLDEN_FILE)
    position = int(np.argmax(changed.runs[0].text_next.gaps))
    changed.runs[0].text_next.token_ids[position] += 1
    write_golden(changed, tmp_path / "golden.json")

    code = main(["--check", "--golden", str(tmp_path / "golden.json")])

    printed = capsys.readouterr().out
    assert code == 1
    assert f"position {position}: llama.cpp says" in printed


def test_a_prompt_is_continued_as_llama_cpp_does(real_model: LoadedModel, capsys: pytest.CaptureFixture[str]) -> None:
    golden = read_golden(GOLDEN_FILE)

    code = main(["--generate", "8", "--prompt", golden.prompt.text])

    assert code == 0
    assert capsys.readouterr().out == real_model.tokenizer.decode(golden.runs[0].greedy.token_ids[:8]) + "\n"
