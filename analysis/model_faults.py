"""Make tables and figures of a study of faults in a model's KV cache.

``python -m kvarium.analysis.model_faults ARCHIVE [--output PAGE.md]``
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from .archive_error import ArchiveError
from .model_fault_archive import ModelFaults, open_model_faults
from .model_fault_page import model_faults_page
from .model_fault_tables import checksums_table, effects_by_fault, markdown

PROGRAM = "python -m kvarium.analysis.model_faults"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code: 0 done, 2 the input was wrong."""
    options = _parser().parse_args(arguments)
    try:
        study = open_model_faults(options.archive)
        if options.output is None:
            print(markdown(effects_by_fault(study)), markdown(checksums_table(study)), sep="\n\n")
        else:
            write_page(study, options.archive, options.output)
    except (ArchiveError, ImportError, OSError) as error:
        print("error: " + " ".join(str(error).split()), file=sys.stderr)
        return 2
    return 0


def write_page(study: ModelFaults, archive: Path, output: Path) -> None:
    """Write the page ``output`` and its figure, a PNG of the same name beside it. Raises OSError, or ImportError."""
    from .model_fault_figures import model_faults_figure

    figure = output.with_suffix(".png")
    model_faults_figure(study).savefig(figure, dpi=110, metadata={"Software": PROGRAM})
    page = model_faults_page(study, figure=figure.name, archive=archive.as_posix(), page=output.as_posix())
    output.write_text(page, encoding="utf-8")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=PROGRAM, description="Tables and a figure of a study of faults in a cache.")
    parser.add_argument("archive", type=Path, help="written by python -m kvarium.models.fault_study")
    parser.add_argument("--output", type=Path, metavar="PAGE.md", help="page to write (default: print two tables)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
