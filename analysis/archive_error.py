"""The error that reading archives raises, and what becomes it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager


class ArchiveError(ValueError):
    """A file is missing, damaged or no archive; the message names it, the cause and what to do."""


@contextmanager
def damage_reported(path: str | os.PathLike[str]) -> Iterator[None]:
    """Turn what h5py, NumPy, pandas and json raise over damaged contents into one ArchiveError."""
    try:
        yield
    except ArchiveError:
        raise
    except (AttributeError, KeyError, OSError, RuntimeError, TypeError, ValueError) as error:
        cause = " ".join(str(error).split())
        raise ArchiveError(f"{os.fspath(path)}: damaged inside ({cause}); use another copy of the file") from error
