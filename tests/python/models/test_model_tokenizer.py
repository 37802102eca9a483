from __future__ import annotations

import pytest
from tiny_model import END_TOKEN_ID, VOCABULARY

from kvarium.models.fixed_input import CHECK_TEXT_FILE, GOLDEN_FILE
from kvarium.models.golden_file import TokenizedText, read_golden
from kvarium.models.loaded_model import LoadedModel

GOLDEN = read_golden(GOLDEN_FILE)


@pytest.mark.parametrize("case", GOLDEN.tokenizer_cases, ids=lambda case: repr(case.text)[:40])
def test_text_becomes_the_token_ids_of_llama_cpp(real_model: LoadedModel, case: TokenizedText) -> None:
    assert real_model.tokenizer.encode(case.text) == case.token_ids


def test_the_check_text_becomes_the_512_token_ids_of_llama_cpp(real_model: LoadedModel) -> None:
    token_ids = real_model.tokenizer.encode(CHECK_TEXT_FILE.read_text(encoding="utf-8"))

    assert len(token_ids) == 512
    assert token_ids == GOLDEN.text_token_ids


@pytest.mark.parametrize("case", GOLDEN.tokenizer_cases, ids=lambda case: repr(case.text)[:40])
def test_token_ids_become_the_text_they_came_from(real_model: LoadedModel, case: TokenizedText) -> None:
    assert real_model.tokenizer.decode(case.token_ids) == case.text


def test_merges_apply_in_their_order_and_a_control_token_is_one_token(tiny_model: LoadedModel) -> None:
    token_ids = tiny_model.tokenizer.encode("the th<|im_end|>")

    assert token_ids == [VOCABULARY.index(token) for token in ("the", "Ġ", "th")] + [END_TOKEN_ID]
