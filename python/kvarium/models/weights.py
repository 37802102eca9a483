"""Dequantised weights, read layer by layer from a GGUF file."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from kvarium import InputError

from .hyperparameters import Hyperparameters

if TYPE_CHECKING:
    from gguf import GGUFReader, ReaderTensor

FloatArray = NDArray[np.float32]


@dataclass(frozen=True)
class LayerWeights:
    """Weights of one layer, float32; matrices are [num_outputs, num_inputs]."""

    attn_norm: FloatArray
    attn_q: FloatArray
    attn_k: FloatArray
    attn_v: FloatArray
    attn_output: FloatArray
    ffn_norm: FloatArray
    ffn_gate: FloatArray
    ffn_up: FloatArray
    ffn_down: FloatArray


class ModelWeights:
    """Weights of one model, dequantised on first use and kept after it.

    Dequantising is exact: every quantised weight stands for a number that the
    package ``gguf`` computes in float32 (Q4_1: scale * 4-bit integer + minimum).
    """

    def __init__(self, reader: GGUFReader, hyperparameters: Hyperparameters) -> None:
        """Check that the file holds exactly the tensors of the model, with their shapes.

        Errors: InputError naming the first tensor that is missing, unknown or of another shape.
        """
        self._tensors = {tensor.name: tensor for tensor in reader.tensors}
        self._layers: dict[int, LayerWeights] = {}
        self._singles: dict[str, FloatArray] = {}
        _check_tensors(self._tensors, hyperparameters)

    def layer(self, index: int) -> LayerWeights:
        """Return the weights of layer ``index``, counted from 0."""
        if index not in self._layers:
            self._layers[index] = LayerWeights(
                **{
                    field.name: _dequantize(self._tensors[f"blk.{index}.{field.name}.weight"])
                    for field in fields(LayerWeights)
                }
            )
        return self._layers[index]

    @property
    def vocabulary_size(self) -> int:
        """Number of rows of the embedding, known without dequantising it."""
        return int(self._tensors["token_embd.weight"].shape[-1])

    @property
    def token_embedding(self) -> FloatArray:
        """Embedding of every token, float32 [vocabulary_size, embedding_size]."""
        return self._single("token_embd.weight")

    @property
    def output_norm(self) -> FloatArray:
        """Gain of the norm before the output, float32 [embedding_size]."""
        return self._single("output_norm.weight")

    @property
    def output(self) -> FloatArray:
        """Output matrix, float32 [vocabulary_size, embedding_size]: the embedding where the two are tied."""
        return self._single("output.weight") if "output.weight" in self._tensors else self.token_embedding

    def _single(self, name: str) -> FloatArray:
        if name not in self._singles:
            self._singles[name] = _dequantize(self._tensors[name])
        return self._singles[name]


def _dequantize(tensor: ReaderTensor) -> FloatArray:
    from gguf.quants import dequantize

    try:
        values = dequantize(tensor.data, tensor.tensor_type)
    except NotImplementedError as error:
        raise InputError(
            f"tensor {tensor.name} is quantised as {tensor.tensor_type.name}, which package gguf cannot "
            "dequantise; give a Q4_1, Q8_0, F16 or F32 file with --model"
        ) from error
    return np.ascontiguousarray(values, dtype=np.float32)


def _expected_layer_shapes(found: Hyperparameters) -> dict[str, tuple[int, ...]]:
    embedding, feed_forward = found.embedding_size, found.feed_forward_size
    query_size, kv_size = found.num_heads * found.head_size, found.num_kv_heads * found.head_size
    return {
        "attn_norm": (embedding,),
        "attn_q": (query_size, embedding),
        "attn_k": (kv_size, embedding),
        "attn_v": (kv_size, embedding),
        "attn_output": (embedding, query_size),
        "ffn_norm": (embedding,),
        "ffn_gate": (feed_forward, embedding),
        "ffn_up": (feed_forward, embedding),
        "ffn_down": (embedding, feed_forward),
    }


def _check_tensors(tensors: dict[str, ReaderTensor], found: Hyperparameters) -> None:
    expected = {
        f"blk.{layer}.{name}.weight": shape
        for layer in range(found.num_layers)
        for name, shape in _expected_layer_shapes(found).items()
    }
    expected["output_norm.weight"] = (found.embedding_size,)
    tables = {"token_embd.weight", "output.weight"}
    for name in [*expected, "token_embd.weight"]:
        if name not in tensors:
            raise InputError(f"model file lacks tensor {name}; give a complete file with --model")
    for name, tensor in tensors.items():
        if name not in expected and name not in tables:
            # A bias or a frequency table left out would change the result silently.
            raise InputError(f"model file has tensor {name}, which is not supported; give another file with --model")
        shape = tuple(int(size) for size in reversed(tensor.shape))
        wanted = expected.get(name, (shape[0], found.embedding_size))
        if shape != wanted:
            raise InputError(
                f"tensor {name} has shape {list(shape)} where its metadata say {list(wanted)}; "
                "give another file with --model"
            )
