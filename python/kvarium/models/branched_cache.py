"""Many continuations of one prompt in one paged cache: blocks are shared until somebody writes them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .element_storage import StoredArray
from .paged_model_cache import BLOCK_SIZE, LayerCache, attend_sequences, write_tokens
from .prompt_cache import PromptCache
from .struck_cache import StruckCache


class BranchedCache:
    """Caches of ``num_branches`` texts that begin with one prompt; every step adds one token to each.

    A branch knows the prompt's physical blocks by their numbers.  Where it writes
    one, or a fault has, the branch reads a copy of its own, in that layer alone:
    block b of branch r lies at num_blocks * (r + 1) + b.
    """

    def __init__(self, prompt: PromptCache, num_branches: int) -> None:
        """Copy the prompt's blocks and leave room for copies of all of them for each branch."""
        self.element_type = prompt.element_type
        self.num_branches = num_branches
        self._shape = prompt.shape
        self._intact = prompt.intact
        self._num_blocks = prompt.num_blocks
        self._layers = [_with_room(layer, 1 + num_branches) for layer in prompt.layers]
        self._is_own = np.zeros((len(self._layers), num_branches, self._num_blocks), bool)
        self._tables = np.tile(prompt.block_table, (num_branches, 1))
        self._num_tokens = np.full(num_branches, prompt.intact.num_tokens, np.int64)
        self._branches = np.arange(num_branches)

    def restart(self) -> None:
        """Forget faults and new tokens: every branch is the prompt again."""
        self._is_own[:] = False
        self._tables[:] = self._intact.block_table
        self._num_tokens[:] = self._intact.num_tokens

    def strike(self, branch: int, struck: StruckCache) -> None:
        """Give one branch the cache that a fault leaves. Call it after ``restart`` and before the first step."""
        self._tables[branch] = struck.block_table
        self._num_tokens[branch] = struck.num_tokens
        for (layer, block), (key, value) in struck.blocks.items():
            own = self._num_blocks * (branch + 1) + block
            self._layers[layer][0][own] = key
            self._layers[layer][1][own] = value
            self._is_own[layer, branch, block] = True

    def positions(self, num_new_tokens: int) -> NDArray[np.int64]:
        """Return each branch's next position, [num_branches]."""
        return self._num_tokens

    def write(self, layer: int, key: StoredArray, value: StoredArray) -> None:
        """Write the next token of every branch in one layer, [num_branches, num_kv_heads, head_size]."""
        blocks = self._tables[self._branches, self._num_tokens // BLOCK_SIZE]
        for branch in np.flatnonzero(~self._is_own[layer, self._branches, blocks]):
            self._copy(layer, int(branch), int(blocks[branch]))
        write_tokens(self._layers[layer], key, value, self._own_place(self._branches, blocks), self._num_tokens)

    def attend(self, layer: int, query: StoredArray) -> StoredArray:
        """Attend the next token of every branch in one layer, [num_branches, num_heads, head_size]."""
        is_own = self._is_own[layer][self._branches[:, np.newaxis], self._tables]
        own = self._own_place(self._branches[:, np.newaxis], self._tables)
        tables = np.where(is_own, own, self._tables).astype(np.int32)
        lengths = (self._num_tokens + 1).astype(np.int32)
        return attend_sequences(self._shape, self._layers[layer], query, tables, lengths)

    def advance(self, num_new_tokens: int) -> None:
        """Count the token that every branch has got."""
        self._num_tokens += 1

    def _own_place(self, branch: NDArray[np.int64], block: NDArray[np.int32]) -> NDArray[np.int64]:
        return self._num_blocks * (branch + 1) + block

    def _copy(self, layer: int, branch: int, block: int) -> None:
        for tensor in self._layers[layer]:
            tensor[self._num_blocks * (branch + 1) + block] = tensor[block]
        self._is_own[layer, branch, block] = True


def _with_room(layer: LayerCache, times: int) -> LayerCache:
    """Return copies with ``times`` as many blocks; pages of those that are never written cost no memory."""
    key, value = layer
    grown = tuple(np.zeros((times * len(tensor), *tensor.shape[1:]), tensor.dtype) for tensor in (key, value))
    grown[0][: len(key)], grown[1][: len(value)] = key, value
    return grown[0], grown[1]
