"""Breaches of the layers in C++ sources."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from layer_rules import (
    FOLDERS_WITH_FILES,
    GENERATED_DEVICE_HEADERS,
    HOMES,
    INPUT_AND_OUTPUT,
    LAYERS,
    LIBRARY_OF_PREFIX,
)

_SUFFIXES = {".cpp", ".cu", ".cuh", ".hpp"}
_INCLUDE = re.compile(r'^\s*#\s*include\s*(?:"(?P<own>[^"]+)"|<(?P<foreign>[^>]+)>|(?P<other>.*))', re.MULTILINE)
_STANDARD = re.compile(r"[a-z_0-9]+")


def include_breaches(root: Path) -> list[str]:
    """Return a line for each include below ``root`` that the layers forbid, as ``file:line: what is wrong``."""
    return [breach for path in _sources(root) for breach in _file_breaches(root, path)]


def number_of_includes(root: Path) -> int:
    """Return how many includes ``include_breaches`` looks at."""
    return sum(len(_INCLUDE.findall(path.read_text())) for path in _sources(root))


def _sources(root: Path) -> list[Path]:
    return sorted(path for layer in LAYERS for path in (root / layer).rglob("*") if path.suffix in _SUFFIXES)


def _file_breaches(root: Path, path: Path) -> Iterator[str]:
    text, name = path.read_text(), path.relative_to(root).as_posix()
    for match in _INCLUDE.finditer(text):
        reason = _breach(name, match, root)
        if reason:
            yield f"{name}:{text.count(chr(10), 0, match.start(0)) + 1}: {reason}"


def _breach(name: str, match: re.Match[str], root: Path) -> str | None:
    own, foreign = match["own"], match["foreign"]
    if name.endswith(".cuh"):
        if not own or not own.endswith(".cuh"):
            return "a device source may include device sources alone"
        return None if own in GENERATED_DEVICE_HEADERS else _own_breach(name, own, root)
    if own:
        return _own_breach(name, own, root)
    if foreign:
        return _foreign_breach(name, foreign)
    return f"include {match['other']!r} is neither a quoted nor a bracketed name"


def _own_breach(name: str, target: str, root: Path) -> str | None:
    layer, folder = name.split("/")[0], target.split("/")[0]
    if "/" not in target or ".." in target.split("/"):
        return f'"{target}" does not begin with a folder of the tree'
    if folder not in LAYERS[layer].folders:
        return f'{layer} may not include "{target}"; it may include {", ".join(sorted(LAYERS[layer].folders))}'
    return None if (root / target).is_file() else f'"{target}" is not in the tree'


def _foreign_breach(name: str, header: str) -> str | None:
    layer = name.split("/")[0]
    if header.split("/")[0] in LAYERS:
        return f"<{header}> is this project's own; quote it"
    if _STANDARD.fullmatch(header):
        forbidden = header in INPUT_AND_OUTPUT and not _stands_in(name, FOLDERS_WITH_FILES)
        return f"{layer} reads no file and prints nothing, but includes <{header}>" if forbidden else None
    library = next((known for prefix, known in LIBRARY_OF_PREFIX.items() if header.startswith(prefix)), None)
    if library is None:
        return f"<{header}> belongs to no library in LIBRARY_OF_PREFIX; add it there and to the layers that may use it"
    if library not in LAYERS[layer].libraries:
        return f"{layer} may not use {library}, but includes <{header}>"
    homes = HOMES.get(library)
    if homes and not _stands_in(name, homes):
        return f"{library} stays in {' and '.join(homes)}, but <{header}> is included"
    return None


def _stands_in(name: str, folders: tuple[str, ...]) -> bool:
    return name.startswith(tuple(f"{folder}/" for folder in folders))
