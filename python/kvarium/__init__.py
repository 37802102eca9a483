"""Paged KV caches for research: decode attention, checksums, and archives of experiments.

Arrays cross without copying.  NumPy arrays are taken, and anything that speaks
DLPack on the host (PyTorch CPU tensors).  NumPy has no bfloat16 and no fp8:
``uint16`` is bfloat16, ``uint8`` with ``kv_cache_dtype`` ``"fp8_e4m3"`` or
``"fp8_e5m2"`` is fp8; pass ``tensor.view(torch.uint16)`` or ``tensor.view(torch.uint8)``.

Kernels run without the global interpreter lock, one at a time.  Importing starts
OpenMP threads, so start worker processes with the method
``spawn``, not ``fork``; ``OMP_NUM_THREADS`` sets how many threads there are.
"""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING

from ._version import __version__
from .attention import AttentionTraits, attention_variants, merge_states, paged_attention_v2
from .cache import write_cache
from .checksums import layers_checksum, weighted_sum
from .errors import InputError, NotConfigured

if TYPE_CHECKING:
    from .analysis import Archive

__all__ = [
    "AttentionTraits",
    "InputError",
    "NotConfigured",
    "__version__",
    "attention_variants",
    "layers_checksum",
    "merge_states",
    "open",
    "paged_attention_v2",
    "weighted_sum",
    "write_cache",
]


def open(path: str | PathLike[str]) -> Archive:
    """Open the archive of an experiment; ``.points()`` and ``.trials()`` are pandas DataFrames.

    The same as ``kvarium.analysis.open``, which is pure Python: archives are read
    where the compiled module is not installed, and the compiled module runs
    without h5py and pandas.

    Errors: ArchiveError (a ValueError) for a file that is missing, foreign or damaged;
    ImportError where h5py or pandas is not installed.
    """
    from .analysis import open as open_archive

    return open_archive(path)
