"""The paged KV cache of one text through all layers of a model."""

from __future__ import annotations

import numpy as np

import kvarium

from .element_storage import STORAGE_TYPES, StoredArray, not_a_number
from .hyperparameters import Hyperparameters

LAYOUT = "split_x"
BLOCK_SIZE = 16  # tokens
SPARE_BLOCKS = 5  # never in the block table, full of NaN: reading one shows in the result
VECTOR_BYTES = 16  # bytes of the innermost key dimension x of the layout split_x


class PagedModelCache:
    """Keys and values of one sequence, one paged cache per layer, one block table for all.

    Physical blocks lie in shuffled order and start as NaN, so that a wrong block,
    or a token past the end, cannot go unnoticed.
    """

    def __init__(self, shape: Hyperparameters, element_type: str, *, max_tokens: int, seed: int = 0) -> None:
        """Make an empty cache with room for ``max_tokens`` tokens; ``seed`` chooses the order of the blocks."""
        num_blocks = -(-max_tokens // BLOCK_SIZE)
        order = np.random.default_rng(seed).permutation(num_blocks + SPARE_BLOCKS)
        self._block_table = order[:num_blocks].astype(np.int32)
        self._shape = shape
        self.element_type = element_type
        self.num_tokens = 0  # tokens that every layer holds
        self._layers = [_empty_layer(shape, element_type, len(order)) for _ in range(shape.num_layers)]

    def write(self, layer: int, key: StoredArray, value: StoredArray) -> None:
        """Write the next tokens of one layer.

        ``key`` (after rotation) and ``value``: [num_new_tokens, num_kv_heads,
        head_size] in the cache's element type (bfloat16: uint16).
        """
        positions = self.num_tokens + np.arange(len(key))
        blocks = self._block_table[positions // BLOCK_SIZE].astype(np.int64)
        slot_mapping = blocks * BLOCK_SIZE + positions % BLOCK_SIZE
        kvarium.write_cache(key, value, *self._layers[layer], slot_mapping, block_size=BLOCK_SIZE, layout=LAYOUT)

    def attend(self, layer: int, query: StoredArray) -> StoredArray:
        """Attend the new tokens of one layer, each to itself and all tokens before it.

        ``query`` [num_new_tokens, num_heads, head_size], as is the result, in the
        cache's element type.  Every token is one sequence of its own that ends at
        it and shares the block table, which is what decoding token by token computes.
        """
        num_new_tokens = len(query)
        seq_lens = self.num_tokens + 1 + np.arange(num_new_tokens, dtype=np.int32)
        num_blocks = -(-int(seq_lens[-1]) // BLOCK_SIZE)
        block_tables = np.tile(self._block_table[:num_blocks], (num_new_tokens, 1))
        attended = np.empty_like(query)
        kvarium.paged_attention_v2(
            query,
            *self._layers[layer],
            block_tables,
            seq_lens.astype(np.int32),
            num_kv_heads=self._shape.num_kv_heads,
            scale=self._shape.scale,
            block_size=BLOCK_SIZE,
            layout=LAYOUT,
            out=attended,
        )
        return attended

    def advance(self, num_new_tokens: int) -> None:
        """Count tokens that have been written in every layer."""
        self.num_tokens += num_new_tokens


def _empty_layer(shape: Hyperparameters, element_type: str, num_blocks: int) -> tuple[StoredArray, StoredArray]:
    storage = np.dtype(STORAGE_TYPES[element_type])
    x = VECTOR_BYTES // storage.itemsize
    key_shape = (num_blocks, shape.num_kv_heads, shape.head_size // x, BLOCK_SIZE, x)
    value_shape = (num_blocks, shape.num_kv_heads, shape.head_size, BLOCK_SIZE)
    nan = not_a_number(element_type)
    return np.full(key_shape, nan, storage), np.full(value_shape, nan, storage)
