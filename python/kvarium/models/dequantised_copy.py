"""The same model with every weight written out in float32, so that another program does no rounding of its own."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from gguf import GGUFReader, GGUFWriter

FILE_TYPE_FLOAT32 = 0  # of the GGUF metadata key general.file_type


def write_dequantised_copy(reader: GGUFReader, path: Path) -> None:
    """Write the model of ``reader`` to the GGUF file ``path``, metadata kept, weights as float32. Errors: OSError."""
    from gguf import GGUFWriter

    architecture = reader.get_field("general.architecture")
    assert architecture is not None  # read_hyperparameters has refused files without it
    writer = GGUFWriter(path, architecture.contents())
    _copy_metadata(reader, writer)
    _add_tensors(reader, writer)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def _copy_metadata(reader: GGUFReader, writer: GGUFWriter) -> None:
    from gguf import GGUFValueType

    for key, field in reader.fields.items():
        if key.startswith("GGUF.") or key == "general.architecture":
            continue  # the writer makes these itself
        if key == "general.file_type":
            writer.add_file_type(FILE_TYPE_FLOAT32)
            continue
        kind = field.types[0]
        element_kind = field.types[-1] if kind == GGUFValueType.ARRAY else None
        writer.add_key_value(key, field.contents(), kind, sub_type=element_kind)


def _add_tensors(reader: GGUFReader, writer: GGUFWriter) -> None:
    from gguf.quants import dequantize

    for tensor in reader.tensors:
        values = dequantize(tensor.data, tensor.tensor_type)
        writer.add_tensor(tensor.name, np.ascontiguousarray(values, dtype=np.float32))
