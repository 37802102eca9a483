"""What one fault leaves of a prompt's cache."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .paged_model_cache import LayerCache


@dataclass(frozen=True)
class StruckCache:
    """The difference between a prompt's cache with a fault and without it.

    ``blocks``: by (layer, physical block), key and value block as they are with the
    fault; ``block_table`` int32 [max_num_blocks] and ``num_tokens`` as readers see them.
    """

    block_table: NDArray[np.int32]
    num_tokens: int
    blocks: Mapping[tuple[int, int], LayerCache] = field(default_factory=dict)
