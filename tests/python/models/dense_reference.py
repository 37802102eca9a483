"""The tiny model written a second time, dense and in float64, to compare the paged one with."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from tiny_model import HEAD_SIZE, METADATA, NUM_HEADS, NUM_KV_HEADS, NUM_LAYERS, tiny_tensors


def dense_logits(token_ids: Sequence[int]) -> np.ndarray:
    """Return the logits after every token, float64 [num_tokens, vocabulary_size]."""
    tensors = {name: values.astype(np.float64) for name, values in tiny_tensors().items()}
    hidden = tensors["token_embd.weight"][list(token_ids)]
    for layer in range(NUM_LAYERS):
        weights = {name: tensors[f"blk.{layer}.{name}.weight"] for name in ("attn_norm", "attn_q", "attn_k", "attn_v")}
        hidden = hidden + _attention(_norm(hidden, weights["attn_norm"]), weights) @ _part(
            tensors, layer, "attn_output"
        )
        inner = _norm(hidden, tensors[f"blk.{layer}.ffn_norm.weight"])
        gate = inner @ _part(tensors, layer, "ffn_gate")
        gated = gate / (1 + np.exp(-gate)) * (inner @ _part(tensors, layer, "ffn_up"))
        hidden = hidden + gated @ _part(tensors, layer, "ffn_down")
    return _norm(hidden, tensors["output_norm.weight"]) @ tensors["token_embd.weight"].T


def _part(tensors: dict[str, np.ndarray], layer: int, name: str) -> np.ndarray:
    return tensors[f"blk.{layer}.{name}.weight"].T


def _norm(hidden: np.ndarray, gain: np.ndarray) -> np.ndarray:
    epsilon = METADATA["llama.attention.layer_norm_rms_epsilon"]
    return hidden / np.sqrt((hidden**2).mean(axis=1, keepdims=True) + epsilon) * gain


def _attention(inner: np.ndarray, weights: dict[str, np.ndarray]) -> np.ndarray:
    num_tokens = len(inner)
    query = _rotate((inner @ weights["attn_q"].T).reshape(num_tokens, NUM_HEADS, HEAD_SIZE))
    key = _rotate((inner @ weights["attn_k"].T).reshape(num_tokens, NUM_KV_HEADS, HEAD_SIZE))
    value = (inner @ weights["attn_v"].T).reshape(num_tokens, NUM_KV_HEADS, HEAD_SIZE)
    result = np.empty_like(query)
    for head in range(NUM_HEADS):
        kv_head = head * NUM_KV_HEADS // NUM_HEADS
        logits = query[:, head] @ key[:, kv_head].T / np.sqrt(HEAD_SIZE)
        logits[np.triu_indices(num_tokens, 1)] = -np.inf
        weight = np.exp(logits - logits.max(axis=1, keepdims=True))
        result[:, head] = weight / weight.sum(axis=1, keepdims=True) @ value[:, kv_head]
    return result.reshape(num_tokens, -1)


def _rotate(heads: np.ndarray) -> np.ndarray:
    # A pair of neighbouring elements is one complex number; rotating it is one product.
    pairs = heads[..., 0::2] + 1j * heads[..., 1::2]
    frequencies = METADATA["llama.rope.freq_base"] ** (-np.arange(0, HEAD_SIZE, 2) / HEAD_SIZE)
    angles = np.arange(len(heads))[:, None] * frequencies
    turned = pairs * np.exp(1j * angles)[:, None, :]
    return np.stack([turned.real, turned.imag], axis=-1).reshape(heads.shape)
