"""One group of an archive as a DataFrame."""

from __future__ import annotations

from typing import Any

import h5py
import numpy as np
import pandas as pd

from .archive_error import ArchiveError, damage_reported

_NULLABLE_TYPES = {"int8": "Int8", "int64": "Int64", "uint64": "UInt64"}


def text_attribute(attributes: h5py.AttributeManager, name: str, default: str = "") -> str:
    """Text of an attribute, however the writing library stored it."""
    value = attributes.get(name, default)
    return value.decode() if isinstance(value, bytes) else str(value)


def _flags(codes: np.ndarray, attributes: h5py.AttributeManager) -> pd.Categorical:
    meanings = text_attribute(attributes, "flag_meanings").split()
    known = (codes >= 0) & (codes < len(meanings))
    missing = np.ravel(attributes.get("_FillValue", -1))[0]
    foreign = codes[~known & (codes != missing)]
    if foreign.size:
        raise ValueError(f"code {foreign[0]} is none of {', '.join(meanings)}")
    return pd.Categorical.from_codes(np.where(known, codes, -1), categories=meanings)


def _nullable(values: np.ndarray, attributes: h5py.AttributeManager) -> pd.Series[Any]:
    marker = attributes.get("_FillValue", attributes.get("absent_value"))
    column = pd.Series(values, dtype=_NULLABLE_TYPES[values.dtype.name])
    return column.mask(values == np.ravel(marker)[0])


def read_column(dataset: h5py.Dataset) -> pd.Series[Any] | pd.Categorical:
    """Values of a column: flags as categories, texts as str, integers that may be missing as nullable integers."""
    attributes = dataset.attrs
    if h5py.check_string_dtype(dataset.dtype) is not None:
        return pd.Series(dataset.asstr()[()], dtype="str")
    values = dataset[()]
    if "flag_meanings" in attributes:
        return _flags(values, attributes)
    has_missing = "_FillValue" in attributes or "absent_value" in attributes
    if has_missing and values.dtype.name in _NULLABLE_TYPES:
        return _nullable(values, attributes)
    return pd.Series(values)


def _columns_of(group: h5py.Group) -> dict[str, h5py.Dataset]:
    return {name: item for name, item in group.items() if isinstance(item, h5py.Dataset)}


def _dimension_of(columns: dict[str, h5py.Dataset]) -> str | None:
    return next((name for name, dataset in columns.items() if dataset.is_scale), None)


def _check_rows(columns: dict[str, h5py.Dataset]) -> None:
    """Raise ValueError unless all columns have equally many rows: pandas would fill up the short ones."""
    lengths = {name: dataset.shape[0] for name, dataset in columns.items()}
    longest = max(lengths, key=lambda name: lengths[name], default=None)
    for name, length in lengths.items():
        if longest is not None and length != lengths[longest]:
            raise ValueError(f"column '{name}' has {length} rows but '{longest}' {lengths[longest]}")


def _check_points(file: h5py.File, columns: dict[str, h5py.Dataset]) -> None:
    """Raise ValueError unless the column ``point``, if there is one, names rows of ``/plan/points``."""
    points = file.get("/plan/points/point")
    if "point" not in columns or not isinstance(points, h5py.Dataset):
        return
    named = columns["point"][()]
    if not np.issubdtype(named.dtype, np.integer):
        raise ValueError("column 'point' holds no integers")
    outside = named[(named < 0) | (named >= points.shape[0])]
    if outside.size:
        raise ValueError(f"point {outside[0]} is none of the {points.shape[0]} in /plan/points")


def read_table(file: h5py.File, path: str) -> pd.DataFrame:
    """The table at ``path``, indexed by its dimension.

    ``attrs["units"]``, ``attrs["descriptions"]`` and ``attrs["deterministic"]`` of the frame map columns to what the
    archive says of them. Raises ArchiveError when there is no such table or its data are damaged.
    """
    group = file.get(path)
    # A group without columns only holds tables.
    if not isinstance(group, h5py.Group) or not any(isinstance(item, h5py.Dataset) for item in group.values()):
        raise ArchiveError(f"{file.filename}: there is no table '{path}'; list them with .tables()")
    columns = _columns_of(group)
    with damage_reported(f"{file.filename}: table '{path}'"):
        _check_rows(columns)
        _check_points(file, columns)
        frame = pd.DataFrame({name: read_column(dataset) for name, dataset in columns.items()})
    dimension = _dimension_of(columns)
    if dimension is not None:
        frame = frame.set_index(dimension)
    frame.attrs["units"] = {name: text_attribute(item.attrs, "units") for name, item in columns.items()}
    frame.attrs["descriptions"] = {name: text_attribute(item.attrs, "long_name") for name, item in columns.items()}
    frame.attrs["deterministic"] = {
        name: bool(np.ravel(item.attrs.get("deterministic", 1))[0]) for name, item in columns.items()
    }
    return frame
