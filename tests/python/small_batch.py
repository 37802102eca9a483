"""A small batch of three sequences, for tests that look at something other than numbers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

NUM_BLOCKS, BLOCK_SIZE, NUM_KV_HEADS, HEAD_SIZE, NUM_HEADS = 12, 16, 2, 32, 6
OPTIONS: dict[str, Any] = {"num_kv_heads": NUM_KV_HEADS, "block_size": BLOCK_SIZE, "scale": 0.25}


def random_cells(seed: int) -> NDArray[np.float32]:
    """Return stored cells [num_blocks, num_kv_heads, block_size, head_size] float32."""
    shape = (NUM_BLOCKS, NUM_KV_HEADS, BLOCK_SIZE, HEAD_SIZE)
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def random_query() -> NDArray[np.float32]:
    """Return a query [3, num_heads, head_size] float32."""
    return np.random.default_rng(3).standard_normal((3, NUM_HEADS, HEAD_SIZE)).astype(np.float32)


def shuffled_block_tables() -> NDArray[np.int32]:
    """Return block tables [3, 4] int32 of different blocks in random order."""
    return np.random.default_rng(4).permutation(NUM_BLOCKS).reshape(3, 4).astype(np.int32)


@dataclass
class SmallBatch:
    """float32 cells, a query and its block tables; the middle sequence is empty."""

    keys: NDArray[np.float32] = field(default_factory=lambda: random_cells(1))
    values: NDArray[np.float32] = field(default_factory=lambda: random_cells(2))
    query: NDArray[np.float32] = field(default_factory=random_query)
    block_tables: NDArray[np.int32] = field(default_factory=shuffled_block_tables)
    seq_lens: NDArray[np.int32] = field(default_factory=lambda: np.array([40, 0, 64], np.int32))

    def tokens(self, cells: NDArray[np.float32], sequence: int) -> NDArray[np.float64]:
        """Return the cells of a sequence, [num_kv_heads, seq_len, head_size] float64."""
        blocks = cells[self.block_tables[sequence]].swapaxes(0, 1)
        return blocks.reshape(NUM_KV_HEADS, -1, HEAD_SIZE)[:, : self.seq_lens[sequence]].astype(np.float64)

    def dense_attention(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return output and log-sum-exp of a plain softmax in float64."""
        out = np.zeros(self.query.shape)
        lse = np.full(self.query.shape[:2], -np.inf)
        for sequence in np.flatnonzero(self.seq_lens):
            for head in range(NUM_HEADS):
                kv_head = head // (NUM_HEADS // NUM_KV_HEADS)
                keys, values = self.tokens(self.keys, sequence)[kv_head], self.tokens(self.values, sequence)[kv_head]
                logits = OPTIONS["scale"] * keys @ self.query[sequence, head].astype(np.float64)
                lse[sequence, head] = np.logaddexp.reduce(logits)
                out[sequence, head] = np.exp(logits - lse[sequence, head]) @ values
        return out, lse
