"""Tables of an HDF5 archive: one-dimensional columns that say what they hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import h5py


@dataclass(frozen=True)
class Column:
    """A column [num_rows] with its meaning.

    ``values`` are numbers, texts, or, with ``flags``, texts out of ``flags``, which are
    stored by their place there; a text that is none of them is missing.  ``missing``
    is the number that marks a missing value.
    """

    name: str
    values: Sequence[Any] | np.ndarray
    description: str
    units: str = "1"
    flags: Sequence[str] = ()
    missing: int | None = None


MISSING_FLAG = -1


def write_table(file: h5py.File, path: str, dimension: str, columns: Sequence[Column]) -> None:
    """Write a group of columns; the dimension, numbers from 0, is the dimension scale of all."""
    group = file.create_group(path)
    num_rows = len(columns[0].values)
    scale = group.create_dataset(dimension, data=np.arange(num_rows, dtype=np.int64))
    scale.make_scale(dimension)
    _describe(scale, Column(dimension, (), f"Row of {path}, counted from 0"))
    for column in columns:
        dataset = _write_column(group, column, num_rows)
        _describe(dataset, column)
        dataset.dims[0].attach_scale(scale)


def _write_column(group: h5py.Group, column: Column, num_rows: int) -> h5py.Dataset:
    import h5py

    assert len(column.values) == num_rows
    if column.flags:
        places = {flag: place for place, flag in enumerate(column.flags)}
        values = np.array([places.get(value, MISSING_FLAG) for value in column.values], np.int8)
    else:
        values = np.asarray(column.values)
    if values.dtype.kind in "UO":
        return group.create_dataset(column.name, data=values.astype(object), dtype=h5py.string_dtype())
    packed = {"compression": "gzip", "compression_opts": 9, "shuffle": True} if num_rows > 0 else {}
    return group.create_dataset(column.name, data=values, **packed)


def _describe(dataset: h5py.Dataset, column: Column) -> None:
    import h5py

    dataset.attrs["long_name"] = column.description
    if column.flags:
        dataset.attrs["flag_values"] = np.arange(len(column.flags), dtype=np.int8)
        dataset.attrs["flag_meanings"] = " ".join(column.flags)
        dataset.attrs["_FillValue"] = np.int8(MISSING_FLAG)
        return
    if h5py.check_string_dtype(dataset.dtype) is not None:
        return
    dataset.attrs["units"] = column.units
    if column.missing is not None:
        dataset.attrs["_FillValue"] = dataset.dtype.type(column.missing)
    elif dataset.dtype.kind == "f":
        dataset.attrs["_FillValue"] = dataset.dtype.type(np.nan)
