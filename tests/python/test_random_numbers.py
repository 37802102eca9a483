"""The core's generator of random numbers against NumPy's."""

from __future__ import annotations

import numpy as np
import pytest

from kvarium import _core

LARGEST = 2**64 - 1


@pytest.mark.parametrize("counter", [[0, 0, 0, 0], [1, 2, 3, 4], [LARGEST, 0, 5, 6], [LARGEST] * 4])
@pytest.mark.parametrize("key", [[0, 0], [0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B], [LARGEST, LARGEST]])
def test_philox_equals_numpys_philox(counter: list[int], key: list[int]) -> None:
    # NumPy counts up before it draws.
    before = (sum(word << (64 * place) for place, word in enumerate(counter)) - 1) % 2**256
    words = [(before >> (64 * place)) & LARGEST for place in range(4)]
    generator = np.random.Philox(counter=np.array(words, np.uint64), key=np.array(key, np.uint64))

    assert _core.philox(counter, key) == generator.random_raw(4).tolist()
