"""Forward pass of a llama-type model over kvarium's paged attention."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from .element_storage import StoredArray, from_storage, to_storage
from .hyperparameters import Hyperparameters, read_hyperparameters
from .layer_operations import feed_forward, normalize
from .rotary_embedding import rotate_by_position
from .weights import FloatArray, LayerWeights, ModelWeights

if TYPE_CHECKING:
    from gguf import GGUFReader


@dataclass(frozen=True)
class AttentionInputs:
    """What the attention of one layer reads for the new tokens, in the cache's element type.

    ``query`` [num_tokens, num_heads, head_size]; ``key`` and ``value``
    [num_tokens, num_kv_heads, head_size]; query and key after rotation.
    """

    layer: int
    query: StoredArray
    key: StoredArray
    value: StoredArray


class ModelCache(Protocol):
    """Where a model keeps keys and values: of one text, or of many that each take one token a step.

    Arrays are [num_new_tokens, ...]: the next tokens of the one text, or the next one of each.
    """

    element_type: str

    def positions(self, num_new_tokens: int) -> NDArray[np.int64]:
        """Return each new token's position in its text."""

    def write(self, layer: int, key: StoredArray, value: StoredArray) -> None:
        """Write the new tokens of one layer, [num_new_tokens, num_kv_heads, head_size]."""

    def attend(self, layer: int, query: StoredArray) -> StoredArray:
        """Attend each new token, [num_new_tokens, num_heads, head_size], to itself and all before it in its text."""

    def advance(self, num_new_tokens: int) -> None:
        """Count tokens that have been written in every layer."""


Observer = Callable[[AttentionInputs], None]


class LanguageModel:
    """A llama-type model in float32, whose keys and values live in a paged cache."""

    def __init__(self, reader: GGUFReader) -> None:
        """Read the shape and check the tensors; weights are dequantised when first used.

        Errors: InputError if the file holds another kind of model.
        """
        self.hyperparameters: Hyperparameters = read_hyperparameters(reader)
        self._weights = ModelWeights(reader, self.hyperparameters)

    @property
    def vocabulary_size(self) -> int:
        """Number of tokens that the model embeds."""
        return self._weights.vocabulary_size

    def forward(
        self,
        token_ids: Sequence[int] | NDArray[np.int64],
        cache: ModelCache,
        *,
        num_layers: int | None = None,
        observer: Observer | None = None,
    ) -> FloatArray:
        """Run the next tokens of a text, or of many, through the model, layer by layer, and grow the cache by them.

        ``num_layers`` stops early (None: all); ``observer`` is called once a layer
        with what its attention reads.  Returns the hidden state after the last
        layer, float32 [num_tokens, embedding_size].
        """
        hidden: FloatArray = self._weights.token_embedding[np.asarray(token_ids)]
        depth = self.hyperparameters.num_layers if num_layers is None else num_layers
        for layer in range(depth):
            weights = self._weights.layer(layer)
            hidden = hidden + self._attention(hidden, layer, weights, cache, observer)
            hidden = hidden + feed_forward(self._normalize(hidden, weights.ffn_norm), weights)
        cache.advance(len(token_ids))
        return hidden

    def logits(self, hidden: FloatArray) -> FloatArray:
        """Return the logits of the next token, float32 [num_tokens, vocabulary_size], from ``forward``'s result."""
        logits: FloatArray = self._normalize(hidden, self._weights.output_norm) @ self._weights.output.T
        return logits

    def _attention(
        self,
        hidden: FloatArray,
        layer: int,
        weights: LayerWeights,
        cache: ModelCache,
        observer: Observer | None,
    ) -> FloatArray:
        inputs = self._attention_inputs(hidden, layer, weights, cache)
        if observer is not None:
            observer(inputs)
        cache.write(layer, inputs.key, inputs.value)
        attended = from_storage(cache.attend(layer, inputs.query), cache.element_type)
        projected: FloatArray = attended.reshape(len(hidden), -1) @ weights.attn_output.T
        return projected

    def _attention_inputs(
        self, hidden: FloatArray, layer: int, weights: LayerWeights, cache: ModelCache
    ) -> AttentionInputs:
        normalized = self._normalize(hidden, weights.attn_norm)
        positions = cache.positions(len(hidden))

        def project(matrix: FloatArray) -> FloatArray:
            return (normalized @ matrix.T).reshape(len(hidden), -1, self.hyperparameters.head_size)

        return AttentionInputs(
            layer=layer,
            query=to_storage(self._rotate(project(weights.attn_q), positions), cache.element_type),
            key=to_storage(self._rotate(project(weights.attn_k), positions), cache.element_type),
            value=to_storage(project(weights.attn_v), cache.element_type),
        )

    def _rotate(self, heads: FloatArray, positions: np.ndarray) -> FloatArray:
        shape = self.hyperparameters
        return rotate_by_position(heads, positions, rotary_size=shape.rotary_size, base=shape.rotary_base)

    def _normalize(self, hidden: FloatArray, gain: FloatArray) -> FloatArray:
        return normalize(hidden, gain, self.hyperparameters.norm_epsilon)
