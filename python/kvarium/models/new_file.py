"""Files that appear whole or not at all, and never in place of another unless asked."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kvarium import InputError


@contextmanager
def new_file(path: Path, *, overwrite: bool) -> Iterator[Path]:
    """Yield the path of an empty file beside ``path``, which takes its name when the block ends without error.

    Errors: InputError, before the block runs, if ``path`` exists and ``overwrite``
    is false, or its folder cannot be written; also if it came to exist meanwhile.
    """
    _refuse_existing(path, overwrite)
    try:
        handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    except OSError as error:
        raise InputError(f"cannot write {path}: {error.strerror}; give another --output") from error
    os.close(handle)
    unfinished = Path(name)
    try:
        yield unfinished
        unfinished.chmod(0o666 & ~_file_mode_mask())  # mkstemp lets nobody else read
        if not overwrite:
            _reserve(path)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def _refuse_existing(path: Path, overwrite: bool) -> None:
    if path.is_dir():
        raise InputError(f"{path} is a folder; give the name of a file as --output")
    if os.path.lexists(path) and not overwrite:
        raise InputError(f"{path} exists; give another --output, or --force to overwrite it")


def _reserve(path: Path) -> None:
    try:
        path.touch(exist_ok=False)
    except FileExistsError as error:
        raise InputError(f"{path} was made by another program meanwhile; give another --output") from error


def _file_mode_mask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
