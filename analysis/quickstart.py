"""Draw the figure of an archive: ``python -m kvarium.analysis.quickstart ARCHIVE [--output PNG]``."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

from .archive import open as open_archive
from .archive_error import ArchiveError

_ARCHIVE_ENDING = ".kv.h5"

# Written into the PNG's metadata; only a figure that bears it is replaced.
_SOFTWARE = "kvarium.analysis.quickstart"


def default_output(archive: Path) -> Path:
    """``results/quickstart.png`` for ``results/quickstart.kv.h5``."""
    stem = archive.name.removesuffix(_ARCHIVE_ENDING) if archive.name.endswith(_ARCHIVE_ENDING) else archive.stem
    return archive.with_name(f"{stem}.png")


def _check_replaceable(output: Path) -> None:
    if not output.exists():
        return
    with output.open("rb") as file:
        if _SOFTWARE.encode() not in file.read(4096):
            raise FileExistsError("exists and is no figure of this command")


def draw(archive: Path, output: Path) -> None:
    """Draw the archive's figure into ``output``, whole or not at all.

    An earlier figure is replaced, any other file is left as it is.
    Raises ArchiveError, OSError, or ImportError without matplotlib.
    """
    from .impact_figure import impact_figure

    figure = impact_figure(open_archive(archive))
    _check_replaceable(output)
    handle, name = tempfile.mkstemp(prefix=f".{output.name}.", suffix=".png", dir=output.parent)
    os.close(handle)
    written = Path(name)
    try:
        figure.savefig(written, dpi=150, format="png", metadata={"Software": _SOFTWARE})
        written.chmod(0o666 & ~_umask())
        written.replace(output)
    finally:
        written.unlink(missing_ok=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def main(arguments: list[str] | None = None) -> int:
    """Run the command line. Returns 0, or 2 after one line on stderr for wrong input."""
    parser = argparse.ArgumentParser(prog="python -m kvarium.analysis.quickstart", description="Draw an archive.")
    parser.add_argument("archive", type=Path, metavar="ARCHIVE", help="archive of kind fault_impact")
    parser.add_argument("--output", type=Path, metavar="PNG", help="figure to write; default: beside the archive")
    parsed = parser.parse_args(arguments)
    output = parsed.output or default_output(parsed.archive)
    try:
        draw(parsed.archive, output)
    except ImportError as error:
        return _refuse(f"{error.name} is not installed; run: pip install matplotlib")
    except ArchiveError as error:
        return _refuse(str(error))
    except (OSError, ValueError) as error:
        return _refuse(f"{output}: cannot be written ({error}); choose another --output")
    print(f"figure: {output}")
    return 0


def _refuse(message: str) -> int:
    print(f"kvarium: {' '.join(message.split())}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
