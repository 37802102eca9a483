"""Model dumps: what the attention of a real model reads, as an HDF5 file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

import numpy as np

from kvarium import InputError

from .element_storage import STORAGE_TYPES
from .hyperparameters import Hyperparameters
from .language_model import AttentionInputs

FORMAT = "kvarium model dump"
FORMAT_VERSION = 1
CHUNK_TOKENS = 128  # tokens of one layer that are compressed together


@dataclass(frozen=True)
class DumpDescription:
    """What a dump says of itself; ``layers`` are the model's layer numbers, from 0, that it holds."""

    model: str
    model_sha256: str
    text_sha256: str
    element_type: str
    command: str
    layers: Sequence[int]


class ModelDumpWriter:
    """Writes one dump, layer by layer; use it as a context manager.

    Datasets, with L layers of the description and T tokens, in the element type
    (bfloat16 as uint16): ``/key`` and ``/value`` [L, T, num_kv_heads, head_size],
    ``/query`` [L, T, num_heads, head_size], keys and queries after rotation;
    ``/token_ids`` int32 [T]; ``/layer`` int32 [L].  Readable by HDF5 1.10 and later.
    """

    def __init__(
        self, path: Path, description: DumpDescription, shape: Hyperparameters, token_ids: Sequence[int]
    ) -> None:
        """Create the file. Errors: InputError if package h5py is missing, OSError if it cannot be written."""
        try:
            import h5py
        except ImportError as error:
            raise InputError("package h5py, which writes dumps, is not installed; run: pip install h5py") from error
        self._rows = {layer: row for row, layer in enumerate(description.layers)}
        self._file = h5py.File(path, "w", libver=("earliest", "v110"))
        self._describe(description, shape)
        self._create_datasets(description, shape, token_ids)

    def __enter__(self) -> ModelDumpWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def write_layer(self, inputs: AttentionInputs) -> None:
        """Write the arrays of one layer; a layer that the description does not name is passed over."""
        row = self._rows.get(inputs.layer)
        if row is None:
            return
        self._file["key"][row] = inputs.key
        self._file["value"][row] = inputs.value
        self._file["query"][row] = inputs.query

    def _describe(self, description: DumpDescription, shape: Hyperparameters) -> None:
        attributes = self._file.attrs
        attributes["format"] = FORMAT
        attributes["format_version"] = np.int32(FORMAT_VERSION)
        attributes["model"] = description.model
        attributes["model_sha256"] = description.model_sha256
        attributes["text_sha256"] = description.text_sha256
        attributes["element_type"] = description.element_type
        attributes["scale"] = np.float64(shape.scale)
        attributes["model_layers"] = np.int32(shape.num_layers)
        attributes["command"] = description.command

    def _create_datasets(self, description: DumpDescription, shape: Hyperparameters, token_ids: Sequence[int]) -> None:
        storage = STORAGE_TYPES[description.element_type]
        for name, heads, axis, long_name in (
            ("key", shape.num_kv_heads, "kv_head", "keys after rotary position embedding, as written to the cache"),
            ("value", shape.num_kv_heads, "kv_head", "values, as written to the cache"),
            ("query", shape.num_heads, "head", "queries after rotary position embedding, before scaling"),
        ):
            size = (len(description.layers), len(token_ids), heads, shape.head_size)
            chunks = (1, min(len(token_ids), CHUNK_TOKENS), heads, shape.head_size)
            dataset = self._file.create_dataset(
                name, size, storage, chunks=chunks, compression="gzip", compression_opts=9, shuffle=True
            )
            self._annotate(dataset.name, long_name, ("layer", "token", axis, "element"))
        self._file["token_ids"] = np.asarray(token_ids, dtype=np.int32)
        self._annotate("token_ids", "token ids of the text, in order", ("token",))
        self._file["layer"] = np.asarray(description.layers, dtype=np.int32)
        self._annotate("layer", "number of the layer in the model, counted from 0", ("layer",))

    def _annotate(self, name: str, long_name: str, axes: tuple[str, ...]) -> None:
        dataset = self._file[name]
        dataset.attrs["long_name"] = long_name
        dataset.attrs["units"] = "1"  # every quantity here is dimensionless
        for axis, label in zip(dataset.dims, axes, strict=True):
            axis.label = label
