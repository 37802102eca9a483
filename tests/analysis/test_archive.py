"""The package's own reader of archives."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import h5py
import pandas as pd
import pytest

from kvarium import analysis
from kvarium.analysis import Archive, ArchiveError


@pytest.fixture(scope="module")
def archive(archive_path: Path) -> Archive:
    return analysis.open(archive_path)


def test_points_tell_swept_values_status_and_reason(archive: Archive) -> None:
    points = archive.points()

    assert archive.swept == ["fault.model", "cache.element_type"]
    assert points.index.name == "point"
    assert points["cache.element_type"].tolist() == ["float16", "float8_e4m3"] * 2
    assert points["status"].tolist() == ["passed", "skipped", "passed", "skipped"]
    assert points["reason"].iloc[0] == ""
    assert points["reason"].iloc[1] != ""


def test_trials_hold_flags_as_categories_and_join_with_points(archive: Archive) -> None:
    trials = archive.trials()

    assert trials.index.name == "trial"
    assert isinstance(trials["effect"].dtype, pd.CategoricalDtype)
    joined = trials.join(archive.points()[archive.swept], on="point")
    assert joined["fault.model"].value_counts().to_dict() == {"single_bit_flip": 6, "stale_block": 6}


def test_faults_join_with_trials_and_keep_missing_integers_missing(archive: Archive) -> None:
    faults = archive.faults()

    assert str(faults["before"].dtype) == "UInt64"
    assert str(faults["layer"].dtype) == "Int64"
    assert faults["trial"].isin(archive.trials().index).all()


def test_frames_carry_units_and_descriptions(archive: Archive) -> None:
    attributes = archive.faults().attrs

    assert attributes["units"]["num_changed_bytes"] == "byte"
    assert attributes["descriptions"]["bit"]
    assert attributes["deterministic"]["bit"] is True


def test_summary_counts_what_trials_hold(archive: Archive) -> None:
    counted = archive.trials().query("control == 'fault'").groupby("point")["effect"].value_counts()

    for point, row in archive.summary().iterrows():
        for effect in ("masked", "tolerable", "corrupted", "nan"):
            assert counted.get((point, effect), 0) == row[effect]


def test_config_and_provenance_are_plain_python(archive: Archive) -> None:
    config = archive.config
    (run,) = archive.provenance

    assert config["yaml"].startswith("schema: 1")
    assert config["resolved"]["base"]["batch"]["context_length"] == 40
    assert config["argv"][1] == "run"
    assert config["overrides"] == []
    assert run["exit_reason"] == "complete"
    assert isinstance(run["cores"], int)


def test_an_archive_shows_itself_as_text_and_html(archive: Archive) -> None:
    assert "kvarium archive 'small' (complete)" in repr(archive)
    assert "/trials: 12" in repr(archive)
    assert "2 passed, 2 skipped" in archive._repr_html_()


def test_a_table_that_is_not_there_is_named(archive: Archive) -> None:
    with pytest.raises(ArchiveError, match="there is no table '/timing'"):
        archive.timing()


def test_a_missing_integer_reads_as_missing(tmp_path: Path, archive_path: Path) -> None:
    copy = tmp_path / "copy.kv.h5"
    copy.write_bytes(archive_path.read_bytes())
    with h5py.File(copy, "r+") as file:
        file["faults/before"][0] = file["faults/before"].attrs["absent_value"][0]
        file["faults/layer"][0] = file["faults/layer"].attrs["_FillValue"][0]
        file["faults/tensor"][0] = file["faults/tensor"].attrs["_FillValue"][0]

    first = analysis.open(copy).faults().iloc[0]

    assert first[["before", "layer", "tensor"]].isna().all()


def test_files_that_are_no_archive_raise_one_line(tmp_path: Path, archive_path: Path) -> None:
    whole = archive_path.read_bytes()
    (tmp_path / "text").write_text("point,effect\n")
    (tmp_path / "cut").write_bytes(whole[: len(whole) // 2])
    h5py.File(tmp_path / "foreign", "w").close()
    with h5py.File(tmp_path / "newer", "w") as file:
        file.attrs["schema_version"] = "2.0.0"
    causes = {
        "absent": "no such file",
        "text": "not an HDF5 file",
        "cut": "damaged",
        "foreign": "no kvarium archive",
        "newer": "schema version 2.0.0",
    }

    for name, cause in causes.items():
        with pytest.raises(ArchiveError, match=cause) as caught:
            analysis.open(tmp_path / name)
        assert str(tmp_path / name) in str(caught.value)
        assert "\n" not in str(caught.value)


def test_damage_inside_raises_one_line(tmp_path: Path, archive_path: Path) -> None:
    damaged = tmp_path / "damaged.kv.h5"
    for damage, read in {
        "/trials": "trials",
        "/config": "config",
        "/provenance": "provenance",
    }.items():
        damaged.write_bytes(archive_path.read_bytes())
        with h5py.File(damaged, "r+") as file:
            del file[damage]
            file[damage] = h5py.SoftLink(damage)

        with pytest.raises(ArchiveError, match=r"damaged\.kv\.h5.*damaged inside \(.*\); use another copy") as caught:
            item = getattr(analysis.open(damaged), read)
            item() if callable(item) else item
        assert "\n" not in str(caught.value)


def _break_rows(file: h5py.File) -> None:
    effects = file["/trials/effect"][:10]
    del file["/trials/effect"]
    file["/trials/effect"] = effects


def _break_points(file: h5py.File) -> None:
    file["/trials/point"][3] = 99999


def _break_codes(file: h5py.File) -> None:
    file["/trials/effect"][3] = 77


@pytest.mark.parametrize(
    ("damage", "cause"),
    [
        (_break_rows, "column 'effect' has 10 rows but '"),
        (_break_points, "point 99999 is none of the"),
        (_break_codes, "code 77 is none of"),
    ],
)
def test_columns_that_do_not_fit_one_another_raise_one_line(
    damage: Callable[[h5py.File], None], cause: str, tmp_path: Path, archive_path: Path
) -> None:
    damaged = tmp_path / "damaged.kv.h5"
    damaged.write_bytes(archive_path.read_bytes())
    with h5py.File(damaged, "r+") as file:
        damage(file)

    with pytest.raises(ArchiveError, match=cause) as caught:
        analysis.open(damaged).trials()
    assert "\n" not in str(caught.value)
