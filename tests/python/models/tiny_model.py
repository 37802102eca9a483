"""A llama-type GGUF model of a few kilobytes with random weights, for tests that need no real one."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

# A test module that imports this one is skipped, visibly, where they are missing.
gguf = pytest.importorskip("gguf", reason="package gguf is not installed")
pytest.importorskip("tokenizers", reason="package tokenizers is not installed")

NUM_LAYERS = 2
EMBEDDING_SIZE = 48
NUM_HEADS = 6
NUM_KV_HEADS = 2
HEAD_SIZE = 8
FEED_FORWARD_SIZE = 40
CONTEXT_LENGTH = 64

END_TOKEN = "<|im_end|>"
VOCABULARY = [END_TOKEN, *(chr(code) for code in range(ord("!"), ord("~") + 1)), "Ġ", "Ċ", "th", "the"]
MERGES = ["t h", "th e"]
END_TOKEN_ID = 0

METADATA: dict[str, Any] = {
    "llama.block_count": NUM_LAYERS,
    "llama.context_length": CONTEXT_LENGTH,
    "llama.embedding_length": EMBEDDING_SIZE,
    "llama.feed_forward_length": FEED_FORWARD_SIZE,
    "llama.attention.head_count": NUM_HEADS,
    "llama.attention.head_count_kv": NUM_KV_HEADS,
    "llama.attention.layer_norm_rms_epsilon": 1e-5,
    "llama.rope.freq_base": 10000.0,
    "tokenizer.ggml.model": "gpt2",
    "tokenizer.ggml.pre": "smollm",
    "tokenizer.ggml.tokens": VOCABULARY,
    "tokenizer.ggml.token_type": [3] + [1] * (len(VOCABULARY) - 1),
    "tokenizer.ggml.merges": MERGES,
    "tokenizer.ggml.eos_token_id": END_TOKEN_ID,
}


def tiny_tensors() -> dict[str, np.ndarray]:
    """Return the model's tensors by name, float32, matrices as [num_outputs, num_inputs]."""
    random = np.random.default_rng(5)

    def matrix(outputs: int, inputs: int) -> np.ndarray:
        return (random.standard_normal((outputs, inputs)) / np.sqrt(inputs)).astype(np.float32)

    def gain() -> np.ndarray:
        return random.uniform(0.5, 1.5, EMBEDDING_SIZE).astype(np.float32)

    tensors = {"token_embd.weight": matrix(len(VOCABULARY), EMBEDDING_SIZE), "output_norm.weight": gain()}
    query_size, kv_size = NUM_HEADS * HEAD_SIZE, NUM_KV_HEADS * HEAD_SIZE
    for layer in range(NUM_LAYERS):
        tensors |= {
            f"blk.{layer}.attn_norm.weight": gain(),
            f"blk.{layer}.attn_q.weight": matrix(query_size, EMBEDDING_SIZE),
            f"blk.{layer}.attn_k.weight": matrix(kv_size, EMBEDDING_SIZE),
            f"blk.{layer}.attn_v.weight": matrix(kv_size, EMBEDDING_SIZE),
            f"blk.{layer}.attn_output.weight": matrix(EMBEDDING_SIZE, query_size),
            f"blk.{layer}.ffn_norm.weight": gain(),
            f"blk.{layer}.ffn_gate.weight": matrix(FEED_FORWARD_SIZE, EMBEDDING_SIZE),
            f"blk.{layer}.ffn_up.weight": matrix(FEED_FORWARD_SIZE, EMBEDDING_SIZE),
            f"blk.{layer}.ffn_down.weight": matrix(EMBEDDING_SIZE, FEED_FORWARD_SIZE),
        }
    return tensors


def write_tiny_model(
    path: Path,
    *,
    architecture: str = "llama",
    metadata: dict[str, Any] | None = None,
    without_tensor: str | None = None,
    extra_tensors: dict[str, np.ndarray] | None = None,
) -> Path:
    """Write the model to ``path``; ``metadata`` replaces entries, or drops those that are None."""
    writer = gguf.GGUFWriter(path, architecture)
    for key, value in (METADATA | (metadata or {})).items():
        _add_metadata(writer, key, value)
    for name, values in (tiny_tensors() | (extra_tensors or {})).items():
        if name != without_tensor:
            writer.add_tensor(name, values)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _add_metadata(writer: Any, key: str, value: Any) -> None:
    match value:
        case None:
            return
        case bool():
            writer.add_bool(key, value)
        case int():
            writer.add_uint32(key, value)
        case float():
            writer.add_float32(key, value)
        case str():
            writer.add_string(key, value)
        case _:
            writer.add_array(key, value)
