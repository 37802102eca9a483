"""A batch in device memory of PyTorch, with what the host computes of the same bits."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from attention_cases import build_cache, decode, encode, worst_relative_error
from numpy.typing import NDArray

import kvarium

torch = pytest.importorskip("torch")
if not torch.cuda.is_available():
    pytest.skip("no CUDA device that PyTorch sees", allow_module_level=True)

NUM_BLOCKS, BLOCK_SIZE, NUM_KV_HEADS, NUM_HEADS = 24, 16, 2, 8
SEQ_LENS = np.array([100, 0, 1, 95], np.int32)
FLOAT8 = {"fp8_e4m3": "float8_e4m3fn", "fp8_e5m2": "float8_e5m2"}
# NumPy's types of bits, by element type.
BITS = {"float32": np.float32, "float16": np.float16, "bfloat16": np.uint16}
LONG_WAIT = 400_000_000  # device cycles, some 0.2 s


def to_device(bits: NDArray[Any], element: str) -> Any:
    """Copy bits to the device as a tensor of that type."""
    return torch.from_numpy(bits).cuda().view(getattr(torch, element))


def random_bits(shape: tuple[int, ...], element: str, seed: int) -> NDArray[Any]:
    """Return random numbers stored in that type; uint16 of bfloat16, uint8 of fp8."""
    values = np.random.default_rng(seed).standard_normal(shape).astype(np.float32)
    if element.startswith("float8"):
        return torch.from_numpy(values).to(getattr(torch, element)).view(torch.uint8).numpy()
    return encode(values, element)


@dataclass
class TorchBatch:
    """Arrays of one attention call on the host (bits) and on the device."""

    query_type: str
    cache_type: str
    layout: str
    head_size: int = 128

    def __post_init__(self) -> None:
        """Make the arrays."""
        cells = NUM_BLOCKS, NUM_KV_HEADS, BLOCK_SIZE, self.head_size
        self.keys, self.values = (random_bits(cells, self.element, seed) for seed in (1, 2))
        self.host_cache = build_cache(self.keys, self.values, self.layout)
        self.host_query = random_bits((len(SEQ_LENS), NUM_HEADS, self.head_size), self.query_type, 3)
        self.host_tables = np.random.default_rng(4).permutation(24)[: 4 * 6].reshape(4, 6).astype(np.int32)
        self.host_tables = np.concatenate([self.host_tables, self.host_tables[:, :2]], axis=1)
        self.query = to_device(self.host_query, self.query_type)
        self.cache = tuple(None if part is None else to_device(part, self.element) for part in self.host_cache)
        self.tables, self.lengths = torch.from_numpy(self.host_tables).cuda(), torch.from_numpy(SEQ_LENS).cuda()

    @property
    def element(self) -> str:
        """The cache's type as PyTorch names it."""
        return FLOAT8.get(self.cache_type, self.query_type if self.cache_type == "auto" else self.cache_type)

    def options(self) -> dict[str, Any]:
        """Keyword arguments of a call."""
        scales = {"k_scale": 0.5, "v_scale": 2.0} if self.cache_type in FLOAT8 else {}
        fixed = {"num_kv_heads": NUM_KV_HEADS, "block_size": BLOCK_SIZE, "scale": 0.125}
        return fixed | scales | {"layout": self.layout}

    def attend(self, **changes: Any) -> Any:
        """Call on the device."""
        arrays = {"query": self.query, "key_cache": self.cache[0], "value_cache": self.cache[1]}
        arrays |= {"block_tables": self.tables, "seq_lens": self.lengths}
        return kvarium.paged_attention_v2(**(arrays | self.options() | changes))

    def expected(self, **changes: Any) -> Any:
        """Call on the host, on the same bits."""
        arrays = {"query": self.host_query, "key_cache": self.host_cache[0], "value_cache": self.host_cache[1]}
        arrays |= {"block_tables": self.host_tables, "seq_lens": SEQ_LENS, "variant": "host_reference"}
        return kvarium.paged_attention_v2(**(arrays | self.options() | {"kv_cache_dtype": self.cache_type} | changes))

    def error(self, out: Any, expected: NDArray[Any] | None = None) -> float:
        """Return the worst relative error of a device's result against the host's."""
        bits = out.cpu().view(torch.uint16).numpy() if self.query_type == "bfloat16" else out.cpu().numpy()
        return worst_relative_error(bits, decode(self.expected() if expected is None else expected))
