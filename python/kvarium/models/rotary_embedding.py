"""Rotary position embedding in the order that llama-type GGUF files need."""

from __future__ import annotations

import numpy as np

from .weights import FloatArray


def rotate_by_position(heads: FloatArray, positions: np.ndarray, *, rotary_size: int, base: float) -> FloatArray:
    """Rotate every pair of neighbouring elements by an angle that grows with the position.

    ``heads`` float32 [num_tokens, num_heads, head_size], ``positions`` integer
    [num_tokens] (tokens from the start of the text).  Elements 2i and 2i+1, with
    2i < rotary_size, turn by position * base^(-2i / rotary_size) radians; the rest
    stays.  Returns a new array of the same shape.

    Neighbouring elements, not halves of the head: converters to GGUF permute the
    rows of the query and key matrices of llama-type models to this order.

    Source: Su et al., RoFormer (arXiv:2104.09864), section 3.2.2.
    """
    exponents = np.arange(0, rotary_size, 2, dtype=np.float64) / rotary_size
    angles = positions.astype(np.float64)[:, None] * base**-exponents
    cosine = np.cos(angles).astype(np.float32)[:, None, :]
    sine = np.sin(angles).astype(np.float32)[:, None, :]
    first, second = heads[..., 0:rotary_size:2], heads[..., 1:rotary_size:2]
    rotated = heads.copy()
    rotated[..., 0:rotary_size:2] = first * cosine - second * sine
    rotated[..., 1:rotary_size:2] = first * sine + second * cosine
    return rotated
