"""Draw the figure of an archive: ``python -m kvarium.analysis.quickstart ARCHIVE [--output PNG]``."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from .archive import open as open_archive
from .archive_error import ArchiveError

_ARCHIVE_ENDING = ".kv.h5"


def default_output(archive: Path) -> Path:
    """``results/quickstart.png`` for ``results/quickstart.kv.h5``."""
    stem = archive.name.removesuffix(_ARCHIVE_ENDING) if archive.name.endswith(_ARCHIVE_ENDING) else archive.stem
    return archive.with_name(f"{stem}.png")


def draw(archive: Path, output: Path) -> None:
    """Draw the archive's figure into ``output``. Raises ArchiveError, OSError, or ImportError without matplotlib."""
    from .impact_figure import impact_figure

    impact_figure(open_archive(archive)).savefig(output, dpi=150)


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
