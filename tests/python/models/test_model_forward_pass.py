from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from dense_reference import dense_logits
from tiny_model import NUM_LAYERS, VOCABULARY, tiny_tensors, write_tiny_model

from kvarium.models.element_storage import STORAGE_TYPES
from kvarium.models.greedy_decoding import decode_greedily
from kvarium.models.language_model import AttentionInputs
from kvarium.models.loaded_model import LoadedModel, load_model
from kvarium.models.paged_model_cache import BLOCK_SIZE, PagedModelCache

EDGE_LENGTHS = (1, BLOCK_SIZE - 1, BLOCK_SIZE, BLOCK_SIZE + 1, 3 * BLOCK_SIZE)


def some_token_ids(num_tokens: int) -> list[int]:
    return np.random.default_rng(11).integers(1, len(VOCABULARY), num_tokens).tolist()


def paged_logits(
    loaded: LoadedModel, token_ids: list[int], *, element_type: str = "float32", seed: int = 0, step: int | None = None
) -> np.ndarray:
    cache = PagedModelCache(loaded.model.hyperparameters, element_type, max_tokens=len(token_ids), seed=seed)
    step = len(token_ids) if step is None else step
    parts = [token_ids[start : start + step] for start in range(0, len(token_ids), step)]
    return np.concatenate([loaded.model.logits(loaded.model.forward(part, cache)) for part in parts])


@pytest.mark.parametrize("num_tokens", EDGE_LENGTHS)
def test_logits_equal_a_dense_model_in_float64(tiny_model: LoadedModel, num_tokens: int) -> None:
    token_ids = some_token_ids(num_tokens)

    found = paged_logits(tiny_model, token_ids)

    np.testing.assert_allclose(found, dense_logits(token_ids), atol=2e-5)


@pytest.mark.parametrize(("element_type", "tolerance"), [("float16", 0.01), ("bfloat16", 0.08)])
def test_logits_stay_near_in_a_narrower_cache(tiny_model: LoadedModel, element_type: str, tolerance: float) -> None:
    token_ids = some_token_ids(40)

    found = paged_logits(tiny_model, token_ids, element_type=element_type)

    assert 0 < np.abs(found - dense_logits(token_ids)).max() < tolerance


@pytest.mark.parametrize("element_type", STORAGE_TYPES)
def test_a_whole_text_at_once_equals_token_by_token(tiny_model: LoadedModel, element_type: str) -> None:
    token_ids = some_token_ids(2 * BLOCK_SIZE + 3)

    at_once = paged_logits(tiny_model, token_ids, element_type=element_type)
    by_token = paged_logits(tiny_model, token_ids, element_type=element_type, step=1)

    # Matrix products of one row and of many sum in different orders, which may round a stored element elsewhere.
    tolerance = {"float32": 2e-5, "float16": 0.01, "bfloat16": 0.08}[element_type]
    np.testing.assert_allclose(by_token, at_once, atol=tolerance)


def test_the_physical_order_of_the_blocks_changes_no_bit(tiny_model: LoadedModel) -> None:
    token_ids = some_token_ids(3 * BLOCK_SIZE)

    first, second = (paged_logits(tiny_model, token_ids, seed=seed) for seed in (1, 2))

    np.testing.assert_array_equal(first, second)


def test_an_output_matrix_of_its_own_is_used_where_the_file_has_one(tmp_path: Path) -> None:
    doubled = 2 * tiny_tensors()["token_embd.weight"]
    path = write_tiny_model(tmp_path / "untied.gguf", extra_tensors={"output.weight": doubled})

    found = paged_logits(load_model(path), some_token_ids(5))

    np.testing.assert_allclose(found, 2 * dense_logits(some_token_ids(5)), atol=4e-5)


def test_the_observer_sees_each_layer_once_and_depth_can_be_limited(tiny_model: LoadedModel) -> None:
    seen: list[AttentionInputs] = []
    cache = PagedModelCache(tiny_model.model.hyperparameters, "float16", max_tokens=5)

    tiny_model.model.forward(some_token_ids(5), cache, num_layers=1, observer=seen.append)

    assert [inputs.layer for inputs in seen] == [0]
    assert NUM_LAYERS > 1
    assert seen[0].key.dtype == np.float16


def test_greedy_decoding_repeats_the_most_likely_token_of_the_dense_model(tiny_model: LoadedModel) -> None:
    prompt = some_token_ids(6)
    expected = list(prompt)
    for _ in range(20):
        expected.append(int(dense_logits(expected)[-1].argmax()))

    found = list(decode_greedily(tiny_model.model, prompt, 20, element_type="float32"))

    assert found == expected[6:]


def test_greedy_decoding_stops_after_an_end_token(tiny_model: LoadedModel) -> None:
    prompt = some_token_ids(6)
    free = list(decode_greedily(tiny_model.model, prompt, 20, element_type="float32"))

    stopped = list(decode_greedily(tiny_model.model, prompt, 20, element_type="float32", end_token_ids=free[2:3]))

    assert stopped == free[: free.index(free[2]) + 1]
