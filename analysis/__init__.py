"""Reading archives of experiments with h5py and pandas; nothing here needs the compiled package.

    from kvarium.analysis import open
    archive = open("results/quickstart.kv.h5")
    archive.summary()
"""

from __future__ import annotations

from .archive import Archive, open
from .archive_error import ArchiveError

__all__ = ["Archive", "ArchiveError", "open"]
