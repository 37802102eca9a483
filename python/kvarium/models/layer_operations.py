"""The parts of a layer that are not attention."""

from __future__ import annotations

import numpy as np

from .weights import FloatArray, LayerWeights


def normalize(hidden: FloatArray, gain: FloatArray, epsilon: float) -> FloatArray:
    """Divide each row by its root mean square and multiply by ``gain``.

    ``hidden`` float32 [num_tokens, embedding_size], ``gain`` float32
    [embedding_size]; ``epsilon`` is added to the mean square.

    Source: Zhang and Sennrich, Root Mean Square Layer Normalization (arXiv:1910.07467), equation 4.
    """
    mean_square = np.mean(np.square(hidden), axis=-1, keepdims=True, dtype=np.float64)
    return hidden * (1.0 / np.sqrt(mean_square + epsilon)).astype(np.float32) * gain


def feed_forward(hidden: FloatArray, weights: LayerWeights) -> FloatArray:
    """Apply the gated feed-forward network (SwiGLU), float32 [num_tokens, embedding_size] to the same shape.

    Source: Shazeer, GLU Variants Improve Transformer (arXiv:2002.05202), equation 6.
    """
    gate = hidden @ weights.ffn_gate.T
    return (_sigmoid_weighted(gate) * (hidden @ weights.ffn_up.T)) @ weights.ffn_down.T


def _sigmoid_weighted(gate: FloatArray) -> FloatArray:
    # exp(-|x|) cannot overflow, whatever the sign of x.
    decayed: FloatArray = np.exp(-np.abs(gate))
    numerator: FloatArray = np.where(gate >= 0, np.float32(1), decayed)
    return gate * numerator / (1 + decayed)
