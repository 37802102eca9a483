"""The paged KV cache of one text through all layers of a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

import kvarium

from .element_storage import STORAGE_TYPES, StoredArray, not_a_number
from .hyperparameters import Hyperparameters

LAYOUT = "split_x"
BLOCK_SIZE = 16  # tokens
SPARE_BLOCKS = 5  # never in the block table, full of NaN: reading one shows in the result
VECTOR_BYTES = 16  # bytes of the innermost key dimension x of the layout split_x

LayerCache: TypeAlias = tuple[StoredArray, StoredArray]  # key and value cache of a layer


class PagedModelCache:
    """Keys and values of one sequence, one paged cache per layer, one block table for all.

    Physical blocks lie in shuffled order and start as NaN, so that a wrong block,
    or a token past the end, cannot go unnoticed.
    """

    def __init__(self, shape: Hyperparameters, element_type: str, *, max_tokens: int, seed: int = 0) -> None:
        """Make an empty cache with room for ``max_tokens`` tokens; ``seed`` chooses the order of the blocks."""
        num_blocks = -(-max_tokens // BLOCK_SIZE)
        order = np.random.default_rng(seed).permutation(num_blocks + SPARE_BLOCKS)
        layers = [empty_layer(shape, element_type, len(order)) for _ in range(shape.num_layers)]
        self._begin(shape, element_type, layers, order[:num_blocks].astype(np.int32))

    @classmethod
    def over(
        cls, shape: Hyperparameters, element_type: str, layers: Sequence[LayerCache], block_table: NDArray[np.int32]
    ) -> PagedModelCache:
        """Make an empty cache of a text over arrays that others may use too.

        ``layers``: key and value cache of each layer, as ``empty_layer`` makes them; ``block_table``
        [max_num_blocks] their blocks that the text may fill, in its order.
        """
        cache = cls.__new__(cls)
        cache._begin(shape, element_type, layers, block_table)
        return cache

    def _begin(
        self, shape: Hyperparameters, element_type: str, layers: Sequence[LayerCache], block_table: NDArray[np.int32]
    ) -> None:
        self._block_table = block_table
        self._shape = shape
        self.element_type = element_type
        self.num_tokens = 0  # tokens that every layer holds
        self._layers = layers

    def positions(self, num_new_tokens: int) -> NDArray[np.int64]:
        """Return the positions of the next tokens, [num_new_tokens]."""
        return self.num_tokens + np.arange(num_new_tokens)

    def write(self, layer: int, key: StoredArray, value: StoredArray) -> None:
        """Write the next tokens of one layer.

        ``key`` (after rotation) and ``value``: [num_new_tokens, num_kv_heads,
        head_size] in the cache's element type (bfloat16: uint16).
        """
        positions = self.positions(len(key))
        write_tokens(self._layers[layer], key, value, self._block_table[positions // BLOCK_SIZE], positions)

    def attend(self, layer: int, query: StoredArray) -> StoredArray:
        """Attend the new tokens of one layer, each to itself and all tokens before it.

        ``query`` [num_new_tokens, num_heads, head_size], as is the result, in the
        cache's element type.  Every token is one sequence of its own that ends at
        it and shares the block table, which is what decoding token by token computes.
        """
        num_new_tokens = len(query)
        seq_lens = (self.positions(num_new_tokens) + 1).astype(np.int32)
        num_blocks = -(-int(seq_lens[-1]) // BLOCK_SIZE)
        block_tables = np.tile(self._block_table[:num_blocks], (num_new_tokens, 1))
        return attend_sequences(self._shape, self._layers[layer], query, block_tables, seq_lens)

    def advance(self, num_new_tokens: int) -> None:
        """Count tokens that have been written in every layer."""
        self.num_tokens += num_new_tokens


def empty_layer(shape: Hyperparameters, element_type: str, num_blocks: int) -> LayerCache:
    """Return the key and value cache of one layer in layout split_x, every element NaN."""
    storage = np.dtype(STORAGE_TYPES[element_type])
    x = VECTOR_BYTES // storage.itemsize
    key_shape = (num_blocks, shape.num_kv_heads, shape.head_size // x, BLOCK_SIZE, x)
    value_shape = (num_blocks, shape.num_kv_heads, shape.head_size, BLOCK_SIZE)
    nan = not_a_number(element_type)
    return np.full(key_shape, nan, storage), np.full(value_shape, nan, storage)


def write_tokens(
    layer: LayerCache, key: StoredArray, value: StoredArray, blocks: NDArray[np.integer], positions: NDArray[np.int64]
) -> None:
    """Write tokens [num_tokens, num_kv_heads, head_size] where they belong.

    ``blocks`` [num_tokens] are their physical blocks, ``positions`` [num_tokens] their places in the text.
    """
    slot_mapping = blocks.astype(np.int64) * BLOCK_SIZE + positions % BLOCK_SIZE
    kvarium.write_cache(key, value, *layer, slot_mapping, block_size=BLOCK_SIZE, layout=LAYOUT)


def attend_sequences(
    shape: Hyperparameters,
    layer: LayerCache,
    query: StoredArray,
    block_tables: NDArray[np.int32],
    seq_lens: NDArray[np.int32],
) -> StoredArray:
    """Attend one query token of every sequence in one layer.

    ``query`` [num_sequences, num_heads, head_size], as is the result, in the cache's element type;
    ``block_tables`` [num_sequences, max_num_blocks], ``seq_lens`` [num_sequences] tokens.
    """
    attended = np.empty_like(query)
    kvarium.paged_attention_v2(
        query,
        *layer,
        block_tables,
        seq_lens,
        num_kv_heads=shape.num_kv_heads,
        scale=shape.scale,
        block_size=BLOCK_SIZE,
        layout=LAYOUT,
        out=attended,
    )
    return attended
