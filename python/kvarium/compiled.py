"""The compiled module, loaded so that reading archives works without it."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import TYPE_CHECKING, Any, NoReturn

from .errors import NotConfigured

__all__ = ["core"]

MODULE = "kvarium._core"


class MissingModule(ModuleType):
    """Stands for the compiled module where it is not installed; any use raises ``NotConfigured``."""

    def __getattr__(self, name: str) -> NoReturn:
        """Raise ``NotConfigured`` with the remedy, or ``AttributeError`` for Python's own questions."""
        if name.startswith("__"):
            raise AttributeError(name)
        raise NotConfigured(
            f"the compiled module {MODULE} is not installed for this Python; run `make build`, or `pip install .`"
        )


def load() -> Any:
    """Return the compiled module, or a ``MissingModule`` if there is none for this Python."""
    try:
        return importlib.import_module(MODULE)
    except ModuleNotFoundError as error:
        if error.name != MODULE:
            raise
        return MissingModule(MODULE)


if TYPE_CHECKING:
    from . import _core as core
else:
    core = load()
