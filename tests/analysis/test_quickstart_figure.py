"""The figure that ``make run`` ends with."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("matplotlib", reason="package matplotlib is not installed")

from kvarium import analysis  # noqa: E402
from kvarium.analysis.impact_figure import impact_figure  # noqa: E402
from kvarium.analysis.quickstart import default_output, main  # noqa: E402


def test_the_figure_is_written_and_its_path_printed(
    archive_path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    output = tmp_path / "figure.png"

    code = main([str(archive_path), "--output", str(output)])

    assert code == 0
    assert capsys.readouterr().out == f"figure: {output}\n"
    assert output.read_bytes().startswith(b"\x89PNG")


def test_without_an_output_the_figure_lies_beside_the_archive() -> None:
    assert default_output(Path("results/quickstart.kv.h5")) == Path("results/quickstart.png")
    assert default_output(Path("other.h5")) == Path("other.png")


def test_the_bars_are_the_shares_of_the_summary(archive_path: Path) -> None:
    archive = analysis.open(archive_path)
    summary = archive.summary()

    figure = impact_figure(archive)

    effects, rates = figure.axes
    widths = [[bar.get_width() for bar in container] for container in effects.containers[:4]]
    for container, effect in zip(widths, ("masked", "tolerable", "corrupted", "nan"), strict=True):
        assert container == pytest.approx((summary[effect] / summary["applicable"]).tolist())
    assert sum(width for container in widths for width in container) == pytest.approx(len(summary))
    labels = [label.get_text() for label in effects.get_yticklabels()]
    assert labels == ["single_bit_flip  float16", "stale_block  float16"]
    assert rates.lines[0].get_xdata() == pytest.approx(summary["detected_rate"].tolist())


@pytest.mark.parametrize("contents", [None, b"", b"text"])
def test_a_wrong_archive_is_one_line_and_exit_code_2(
    contents: bytes | None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    archive = tmp_path / "a.kv.h5"
    if contents is not None:
        archive.write_bytes(contents)

    code = main([str(archive)])

    captured = capsys.readouterr()
    assert code == 2
    assert captured.out == ""
    assert captured.err.startswith(f"kvarium: {archive}: ") and captured.err.count("\n") == 1


def test_a_figure_that_cannot_be_written_is_one_line_and_exit_code_2(
    archive_path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code = main([str(archive_path), "--output", str(tmp_path / "absent" / "figure.png")])

    captured = capsys.readouterr()
    assert code == 2
    assert captured.err.startswith("kvarium: ") and "choose another --output" in captured.err
    assert captured.err.count("\n") == 1


def test_an_earlier_figure_is_replaced_and_any_other_file_left(
    archive_path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    figure, precious = tmp_path / "figure.png", tmp_path / "precious.png"
    precious.write_bytes(b"\x89PNG precious")

    assert main([str(archive_path), "--output", str(figure)]) == 0
    assert main([str(archive_path), "--output", str(figure)]) == 0
    capsys.readouterr()
    assert main([str(archive_path), "--output", str(precious)]) == 2
    assert main([str(archive_path), "--output", str(archive_path)]) == 2

    assert "exists and is no figure of this command" in capsys.readouterr().err
    assert precious.read_bytes() == b"\x89PNG precious"
    assert analysis.open(archive_path).trials().shape[0] > 0
    assert sorted(path.name for path in tmp_path.iterdir() if path.name.startswith(".")) == []
