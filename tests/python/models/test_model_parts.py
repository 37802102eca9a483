from __future__ import annotations

import numpy as np
import pytest

from kvarium.models.element_storage import STORAGE_TYPES, from_storage, to_storage
from kvarium.models.hyperparameters import Hyperparameters
from kvarium.models.layer_operations import normalize
from kvarium.models.paged_model_cache import BLOCK_SIZE, PagedModelCache
from kvarium.models.rotary_embedding import rotate_by_position

SHAPE = Hyperparameters(
    num_layers=1,
    embedding_size=32,
    feed_forward_size=32,
    num_heads=4,
    num_kv_heads=2,
    head_size=8,
    rotary_size=8,
    rotary_base=10000.0,
    norm_epsilon=1e-5,
    context_length=128,
)


@pytest.mark.parametrize(
    ("value", "bits"),
    [
        (1.0, 0x3F80),
        (1.00390625, 0x3F80),  # halfway: to the even neighbour below
        (1.01171875, 0x3F82),  # halfway: to the even neighbour above
        (-2.0, 0xC000),
        (np.inf, 0x7F80),
        (3.4e38, 0x7F80),
        (np.nan, 0x7FC0),
        (0.0, 0x0000),
    ],
)
def test_float32_rounds_to_the_nearest_bfloat16_ties_to_even(value: float, bits: int) -> None:
    assert to_storage(np.array([value], np.float32), "bfloat16")[0] == bits


@pytest.mark.parametrize("element_type", STORAGE_TYPES)
def test_stored_values_come_back_and_store_to_the_same_bits(element_type: str) -> None:
    values = np.random.default_rng(3).standard_normal(1000).astype(np.float32)

    stored = to_storage(values, element_type)

    np.testing.assert_array_equal(to_storage(from_storage(stored, element_type), element_type), stored)


def test_rotation_turns_neighbouring_elements_by_the_angle_of_their_position() -> None:
    heads = np.tile(np.array([1, 0, 0, 1, 5, 6], np.float32), (3, 1, 1))

    rotated = rotate_by_position(heads, np.arange(3), rotary_size=4, base=100.0)

    for position in range(3):
        fast, slow = float(position), position / 10.0
        expected = [np.cos(fast), np.sin(fast), -np.sin(slow), np.cos(slow), 5, 6]
        np.testing.assert_allclose(rotated[position, 0], expected, atol=1e-6)


def test_normalized_rows_have_root_mean_square_one_times_the_gain() -> None:
    hidden = np.array([[3, -4], [300, -400]], np.float32)

    found = normalize(hidden, np.array([1, 2], np.float32), 0.0)

    root = np.sqrt(12.5)
    np.testing.assert_allclose(found, [[3 / root, -8 / root]] * 2, rtol=1e-6)


@pytest.mark.parametrize("element_type", STORAGE_TYPES)
def test_attention_reads_only_what_was_written_through_the_block_table(element_type: str) -> None:
    num_tokens = 2 * BLOCK_SIZE + 1
    random = np.random.default_rng(7)
    cache = PagedModelCache(SHAPE, element_type, max_tokens=num_tokens)
    key = to_storage(random.standard_normal((num_tokens, 2, 8)).astype(np.float32), element_type)
    value = to_storage(np.ones((num_tokens, 2, 8), np.float32), element_type)
    query = to_storage(random.standard_normal((num_tokens, 4, 8)).astype(np.float32), element_type)

    cache.write(0, key, value)
    attended = from_storage(cache.attend(0, query), element_type)

    # Any mean of ones is one; every slot that was not written holds NaN.
    np.testing.assert_allclose(attended, 1.0, rtol=1e-2)
