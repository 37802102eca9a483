"""The numbers that fix a model's shape and arithmetic, read from GGUF metadata."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kvarium import InputError

from .model_file import read_metadata, read_optional_metadata

if TYPE_CHECKING:
    from gguf import GGUFReader

ARCHITECTURE = "llama"


@dataclass(frozen=True)
class Hyperparameters:
    """Shape and arithmetic of one llama-type model; sizes are in elements."""

    num_layers: int
    embedding_size: int
    feed_forward_size: int
    num_heads: int
    num_kv_heads: int
    head_size: int
    rotary_size: int
    rotary_base: float
    norm_epsilon: float
    context_length: int  # tokens

    @property
    def scale(self) -> float:
        """Factor on query-key products before the softmax: 1 / sqrt(head_size)."""
        return 1.0 / math.sqrt(self.head_size)


def read_hyperparameters(reader: GGUFReader) -> Hyperparameters:
    """Read the hyperparameters of a llama-type model.

    Errors: InputError if the architecture is another one, a key is missing, or the
    model needs something this forward pass does not have (scaled rotary positions,
    values of another size than keys, head counts that do not divide).

    Source: key names of the GGUF specification (ggml, docs/gguf.md).
    """
    _refuse_other_models(reader)
    embedding_size = _read_size(reader, "embedding_length")
    num_heads = _read_size(reader, "attention.head_count")
    head_size = _read_size(reader, "attention.key_length", embedding_size // num_heads)
    hyperparameters = Hyperparameters(
        num_layers=_read_size(reader, "block_count"),
        embedding_size=embedding_size,
        feed_forward_size=_read_size(reader, "feed_forward_length"),
        num_heads=num_heads,
        num_kv_heads=_read_size(reader, "attention.head_count_kv", num_heads),
        head_size=head_size,
        rotary_size=_read_size(reader, "rope.dimension_count", head_size),
        rotary_base=_read_positive(reader, "rope.freq_base", 10000.0),
        norm_epsilon=_read_positive(reader, "attention.layer_norm_rms_epsilon"),
        context_length=_read_size(reader, "context_length"),
    )
    _refuse_unsupported_shapes(reader, hyperparameters)
    return hyperparameters


def _read_size(reader: GGUFReader, key: str, default: int | None = None) -> int:
    return int(_read_positive(reader, key, default))


def _read_positive(reader: GGUFReader, key: str, default: float | None = None) -> float:
    key = f"{ARCHITECTURE}.{key}"
    value = read_metadata(reader, key) if default is None else read_optional_metadata(reader, key, default)
    # A list stands where every layer has a number of its own.
    if not isinstance(value, (int, float)) or not value > 0:
        raise InputError(
            f"model file has {value!r} as {key} where one positive number is supported; give another file with --model"
        )
    return value


def _refuse_other_models(reader: GGUFReader) -> None:
    architecture = read_metadata(reader, "general.architecture")
    if architecture != ARCHITECTURE:
        raise InputError(
            f"model file is of architecture {architecture!r}; only {ARCHITECTURE!r} is supported, "
            "give such a file with --model"
        )
    scaling = read_optional_metadata(reader, f"{ARCHITECTURE}.rope.scaling.type", "none")
    if scaling != "none":
        raise InputError(
            f"model file scales its rotary positions ({scaling!r}), which is not supported; "
            "give a file without rope scaling with --model"
        )


def _refuse_unsupported_shapes(reader: GGUFReader, found: Hyperparameters) -> None:
    value_size = _read_size(reader, "attention.value_length", found.head_size)
    wrong = None
    if value_size != found.head_size:
        wrong = f"values of {value_size} elements beside keys of {found.head_size}"
    elif found.num_heads % found.num_kv_heads != 0:
        wrong = f"{found.num_heads} heads, not a multiple of its {found.num_kv_heads} KV heads"
    elif found.rotary_size % 2 != 0 or found.rotary_size > found.head_size:
        wrong = f"{found.rotary_size} rotary elements, not an even number up to the head size {found.head_size}"
    if wrong is not None:
        raise InputError(f"model file has {wrong}, which is not supported; give another file with --model")
