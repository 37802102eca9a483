"""Command lines that answer bad input with one line on stderr and exit code 2."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from typing import NoReturn

from kvarium import InputError


class OneLineParser(argparse.ArgumentParser):
    """An argument parser that raises ``InputError`` instead of printing its usage and exiting."""

    def error(self, message: str) -> NoReturn:
        """Raise ``InputError`` with what is wrong and where to read more."""
        raise InputError(f"{message}; see {self.prog} --help")


def report_input_errors(run: Callable[[], int]) -> int:
    """Return what ``run`` returns, or 2 after printing its ``InputError`` as one line on stderr."""
    try:
        return run()
    except InputError as error:
        print("error: " + " ".join(str(error).split()), file=sys.stderr)
        return 2
