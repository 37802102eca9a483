"""Breaches of the layers in Python sources."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from layer_rules import PACKAGE_OF_FOLDER, PYTHON_AREAS, PythonArea


class Import(NamedTuple):
    """A module name as imported, absolute, and whether that waits for a call or a type checker."""

    line: int
    module: str
    is_late: bool


def import_breaches(root: Path) -> list[str]:
    """Return a line for each import below ``root`` that the layers forbid, as ``file:line: what is wrong``."""
    return [breach for path, module in _modules(root) for breach in _module_breaches(root, path, module)]


def number_of_imports(root: Path) -> int:
    """Return how many imports ``import_breaches`` looks at."""
    return sum(len(list(_imports(path, module))) for path, module in _modules(root))


def _modules(root: Path) -> Iterator[tuple[Path, str]]:
    """Yield every Python file with its full module name; that of a package ends in ``.__init__``."""
    for folder, package in PACKAGE_OF_FOLDER.items():
        for path in sorted([*(root / folder).rglob("*.py"), *(root / folder).rglob("*.pyi")]):
            yield path, ".".join([package, *path.relative_to(root / folder).with_suffix("").parts])


def _imports(path: Path, module: str) -> Iterator[Import]:
    tree = ast.parse(path.read_text(), str(path))
    late_nodes = {id(node) for late in ast.walk(tree) if _is_late(late) for node in ast.walk(late)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            targets = [name.name for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            targets = _targets(node, module)
        else:
            continue
        yield from (Import(node.lineno, target, id(node) in late_nodes) for target in targets)


def _is_late(node: ast.AST) -> bool:
    is_for_type_checkers = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
    return is_for_type_checkers or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)


def _targets(node: ast.ImportFrom, module: str) -> list[str]:
    """Return ``M.a`` and ``M.b`` of ``from M import a, b``: each may be a module."""
    base = module.split(".")[: -node.level] if node.level else []
    package = ".".join([*base, *([node.module] if node.module else [])])
    return [f"{package}.{name.name}" for name in node.names]


def _module_breaches(root: Path, path: Path, module: str) -> Iterator[str]:
    area = _area_of(module)
    for line, target, is_late in _imports(path, module):
        if not _may_import(area, target, is_late):
            when = "" if is_late else " at the top of a module"
            yield f"{path.relative_to(root).as_posix()}:{line}: {area} may not import {target}{when}"


def _area_of(module: str) -> str:
    """Return the innermost area of a module; '' for what is not ours."""
    return next((area for area in PYTHON_AREAS if module == area or module.startswith(f"{area}.")), "")


def _may_import(area: str, target: str, is_late: bool) -> bool:
    allowed: PythonArea = PYTHON_AREAS[area]
    name = _area_of(target) or target.split(".")[0]
    if name == area or name in sys.stdlib_module_names:
        return True
    return name in allowed.anywhere or (is_late and name in allowed.late)
