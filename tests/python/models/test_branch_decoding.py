from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from tiny_model import VOCABULARY

from kvarium.models.branch_decoding import BranchDecoder
from kvarium.models.branched_cache import BranchedCache
from kvarium.models.greedy_decoding import decode_greedily
from kvarium.models.loaded_model import LoadedModel
from kvarium.models.paged_model_cache import BLOCK_SIZE, PagedModelCache
from kvarium.models.prompt_cache import PromptCache
from kvarium.models.struck_cache import StruckCache

NUM_BRANCHES = 6
NUM_TOKENS = 2 * BLOCK_SIZE  # new blocks are begun on the way
ELEMENT_TYPES = ("float32", "float16", "bfloat16")


def some_token_ids(num_tokens: int, seed: int = 11) -> list[int]:
    return np.random.default_rng(seed).integers(1, len(VOCABULARY), num_tokens).tolist()


def make_prompt(loaded: LoadedModel, element_type: str = "float32", num_tokens: int = BLOCK_SIZE + 5) -> PromptCache:
    return PromptCache(
        loaded.model,
        element_type,
        some_token_ids(num_tokens),
        some_token_ids(40, seed=12),
        num_generated=NUM_TOKENS,
        seed=3,
    )


def make_decoder(loaded: LoadedModel, prompt: PromptCache, num_branches: int = NUM_BRANCHES) -> BranchDecoder:
    return BranchDecoder(loaded.model, BranchedCache(prompt, num_branches), prompt.first_token_id)


def struck_by(prompt: PromptCache, model: str, trial: int, **settings: str | int | float) -> StruckCache:
    fault, struck = prompt.inject(model, settings, seed=1, stimulus=0, trial=trial)
    prompt.revert(fault)
    return struck


def logits_of(decoder: BranchDecoder, struck: Sequence[StruckCache], token_ids: Sequence[int]) -> np.ndarray:
    return np.stack(list(decoder.follow(struck, token_ids)))


@pytest.mark.parametrize("num_tokens", [BLOCK_SIZE - 1, BLOCK_SIZE, BLOCK_SIZE + 1])
@pytest.mark.parametrize("element_type", ELEMENT_TYPES)
def test_every_branch_of_an_intact_prompt_is_the_plain_text_token_by_token(
    tiny_model: LoadedModel, element_type: str, num_tokens: int
) -> None:
    prompt = make_prompt(tiny_model, element_type, num_tokens)
    plain = PagedModelCache(tiny_model.model.hyperparameters, element_type, max_tokens=num_tokens + NUM_TOKENS)
    tiny_model.model.forward(prompt.token_ids, plain)
    given = some_token_ids(NUM_TOKENS - 1, seed=13)

    found = logits_of(make_decoder(tiny_model, prompt), [prompt.intact] * NUM_BRANCHES, given)

    # Products of other numbers of rows sum in other orders, which may round a stored element elsewhere.
    tolerance = {"float32": 2e-5, "float16": 0.01, "bfloat16": 0.08}[element_type]
    for step, token_id in enumerate([prompt.first_token_id, *given]):
        expected = tiny_model.model.logits(tiny_model.model.forward([token_id], plain))
        np.testing.assert_allclose(found[step], np.tile(expected, (NUM_BRANCHES, 1)), atol=tolerance)


def test_greedy_branches_equal_plain_greedy_decoding(tiny_model: LoadedModel) -> None:
    prompt = make_prompt(tiny_model)

    found = make_decoder(tiny_model, prompt).decode_greedily([prompt.intact] * 2, NUM_TOKENS)

    plain = list(decode_greedily(tiny_model.model, prompt.token_ids, NUM_TOKENS + 1, element_type="float32"))
    assert [prompt.first_token_id, *found[0]] == plain
    assert found[1].tolist() == found[0].tolist()


def test_a_fault_makes_the_same_bits_alone_and_among_any_others_at_its_place(tiny_model: LoadedModel) -> None:
    prompt = make_prompt(tiny_model, "float16")
    faults = [struck_by(prompt, "garbage_row", trial, layers="all") for trial in range(NUM_BRANCHES)]
    decoder = make_decoder(tiny_model, prompt)
    given = some_token_ids(5, seed=14)

    together = logits_of(decoder, faults, given)

    for place, fault in enumerate(faults):
        alone = logits_of(decoder, [prompt.intact] * place + [fault], given)
        np.testing.assert_array_equal(alone[:, place], together[:, place])
    turned = logits_of(decoder, faults[::-1], given)
    np.testing.assert_allclose(turned[:, ::-1], together, atol=0.01)


def test_a_fault_is_seen_by_its_own_branch_and_by_no_later_run(tiny_model: LoadedModel) -> None:
    prompt = make_prompt(tiny_model)
    decoder = make_decoder(tiny_model, prompt)
    intact = logits_of(decoder, [prompt.intact], [5, 6])[:, 0]
    zeroed = struck_by(prompt, "spoiled_block", 0, overwrite="zeros")

    found = logits_of(decoder, [prompt.intact, zeroed, prompt.intact], [5, 6])

    np.testing.assert_array_equal(found[:, 0], intact)
    np.testing.assert_array_equal(found[:, 2], intact)
    assert np.abs(found[:, 1] - intact).max() > 1e-3
    np.testing.assert_array_equal(logits_of(decoder, [prompt.intact], [5, 6])[:, 0], intact)


def test_a_struck_branch_decodes_what_a_plain_cache_with_the_same_bytes_does(tiny_model: LoadedModel) -> None:
    prompt = make_prompt(tiny_model)
    fault, struck = prompt.inject("spoiled_block", {"overwrite": "two_writers"}, seed=1, stimulus=0, trial=1)
    layers = [(key.copy(), value.copy()) for key, value in prompt.layers]
    prompt.revert(fault)
    plain = PagedModelCache.over(prompt.shape, "float32", layers, prompt.block_table)
    plain.advance(len(prompt.token_ids))

    found = logits_of(make_decoder(tiny_model, prompt), [struck], [4])

    for step, token_id in enumerate([prompt.first_token_id, 4]):
        expected = tiny_model.model.logits(tiny_model.model.forward([token_id], plain))
        np.testing.assert_allclose(found[step], expected, atol=2e-5)


def test_a_wrong_block_id_and_a_miscount_are_what_a_plain_cache_reads_through_them(tiny_model: LoadedModel) -> None:
    prompt = make_prompt(tiny_model)
    decoder = make_decoder(tiny_model, prompt)
    for model, settings in (
        ("wrong_block_id", {"wrong_id": "last"}),
        ("token_off_by_one", {"off_by_one": "one_more"}),
        ("token_off_by_one", {"off_by_one": "one_fewer"}),
    ):
        struck = struck_by(prompt, model, 0, **settings)
        layers = [(key.copy(), value.copy()) for key, value in prompt.layers]
        plain = PagedModelCache.over(prompt.shape, "float32", layers, struck.block_table)
        plain.advance(struck.num_tokens)

        found = logits_of(decoder, [prompt.intact, struck], [7])

        for step, token_id in enumerate([prompt.first_token_id, 7]):
            expected = tiny_model.model.logits(tiny_model.model.forward([token_id], plain))
            np.testing.assert_allclose(found[step, 1:], expected, atol=2e-5)


def test_the_real_model_writes_the_same_in_branches(real_model: LoadedModel) -> None:
    token_ids = real_model.tokenizer.encode("The lighthouse at the end of the harbour was built in 1862, and it")
    prompt = PromptCache(real_model.model, "float16", token_ids, token_ids, num_generated=6, seed=0)

    found = make_decoder(real_model, prompt, 4).decode_greedily([prompt.intact] * 2, 6)

    plain = list(decode_greedily(real_model.model, token_ids, 7, element_type="float16"))
    assert [prompt.first_token_id, *found[0]] == plain
    assert found[1].tolist() == found[0].tolist()
