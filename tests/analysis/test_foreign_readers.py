"""Archives open in h5py, pandas and xarray without this project."""

from __future__ import annotations

from pathlib import Path

import h5py
import numpy as np
import pandas as pd
import pytest

xarray = pytest.importorskip("xarray", reason="package xarray is not installed")

_ENGINES = ["h5netcdf", "netcdf4"]
_TABLES = ["trials", "faults", "summary", "plan/points"]


def _columns(file: h5py.File) -> dict[str, h5py.Dataset]:
    """Every column of every table, by path."""
    found: dict[str, h5py.Dataset] = {}

    def visit(name: str, item: object) -> None:
        if isinstance(item, h5py.Dataset) and not name.startswith("config/"):
            found[name] = item

    file.visititems(visit)
    return found


def test_h5py_finds_every_column_with_description_unit_and_determinism(archive_path: Path) -> None:
    with h5py.File(archive_path) as file:
        columns = _columns(file)
        assert len(columns) > 50
        for name, column in columns.items():
            assert column.attrs["long_name"], name
            assert column.attrs["deterministic"][0] in (0, 1), name
            is_number = column.dtype.kind in "iuf" and "flag_meanings" not in column.attrs
            assert ("units" in column.attrs) == is_number, name


def test_h5py_finds_the_root_attributes(archive_path: Path) -> None:
    with h5py.File(archive_path) as file:
        assert file.attrs["Conventions"] == "CF-1.10 kvarium-1.0"
        assert file.attrs["schema_version"] == "1.1.0"
        assert file.attrs["title"] == "small"
        assert file.attrs["complete"][0] == 1
        assert file.attrs["default"] == "/trials"
        assert "kvarium" in file.attrs["history"]


def test_numbers_are_chunked_compressed_and_checksummed(archive_path: Path) -> None:
    with h5py.File(archive_path) as file:
        for name, column in _columns(file).items():
            assert 1024 <= column.chunks[0] <= 16384, name
            if column.dtype.kind in "iuf":
                assert (column.compression, column.compression_opts) == ("gzip", 4), name
                assert column.shuffle and column.fletcher32, name


def test_pandas_reads_a_table_in_one_line(archive_path: Path) -> None:
    with h5py.File(archive_path) as file:
        trials = pd.DataFrame({name: column[()] for name, column in file["trials"].items()})

    assert len(trials) == 12
    assert trials["trial"].tolist() == list(range(12))


@pytest.mark.parametrize("engine", _ENGINES)
@pytest.mark.parametrize("table", _TABLES)
def test_xarray_opens_each_table_as_h5py_sees_it(archive_path: Path, engine: str, table: str) -> None:
    pytest.importorskip({"netcdf4": "netCDF4"}.get(engine, engine))

    with xarray.open_dataset(archive_path, group=table, engine=engine) as opened:
        dataset = opened.load()

    with h5py.File(archive_path) as file:
        assert set(dataset.variables) == {n for n, item in file[table].items() if isinstance(item, h5py.Dataset)}
        assert len(dataset.sizes) == 1
        for name, column in file[table].items():
            if column.dtype.kind in "iuf" and "_FillValue" not in column.attrs:
                np.testing.assert_array_equal(dataset[name].values, column[()])
                assert dataset[name].dtype == column.dtype, name


@pytest.mark.parametrize("engine", _ENGINES)
def test_xarray_keeps_units_and_flag_meanings(archive_path: Path, engine: str) -> None:
    pytest.importorskip({"netcdf4": "netCDF4"}.get(engine, engine))

    with xarray.open_dataset(archive_path, group="trials", engine=engine) as trials:
        assert trials["relative_l2"].attrs["units"] == "1"
        assert "masked" in trials["effect"].attrs["flag_meanings"].split()
        assert list(trials["effect"].attrs["flag_values"]) == list(range(5))


@pytest.mark.parametrize("engine", _ENGINES)
def test_xarray_keeps_all_64_bits_of_a_mask(archive_path: Path, engine: str) -> None:
    pytest.importorskip({"netcdf4": "netCDF4"}.get(engine, engine))

    with xarray.open_dataset(archive_path, group="faults", engine=engine) as faults:
        before = faults["before"].load()

    assert before.dtype == np.uint64
    with h5py.File(archive_path) as file:
        np.testing.assert_array_equal(before.values, file["faults/before"][()])
