"""Paged KV caches for research: decode attention, checksums, and archives of experiments.

Arrays cross without copying.  NumPy arrays are taken, anything that speaks DLPack
(PyTorch, CuPy), and device arrays with ``__cuda_array_interface__`` (Numba).  All
arrays of a call lie on the host or on one CUDA device; there the work is put on a
stream, in order with what the arrays' owners have put on theirs, and nothing waits.
NumPy has no bfloat16 and no fp8: ``uint16`` is bfloat16, ``uint8`` with
``kv_cache_dtype`` ``"fp8_e4m3"`` or ``"fp8_e5m2"`` is fp8; of host tensors pass
``tensor.view(torch.uint16)`` or ``tensor.view(torch.uint8)``.  Device tensors may have
their library's own bfloat16 and fp8.

Kernels run without the global interpreter lock, those of the host one at a time.  Importing starts
OpenMP threads, so start worker processes with the method
``spawn``, not ``fork``; ``OMP_NUM_THREADS`` sets how many threads there are.
"""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING

from ._version import __version__
from .attention import merge_states, paged_attention_v2
from .cache import write_cache
from .cache_checksums import ChecksumTraits, checksum, checksum_families
from .checksums import layers_checksum, weighted_sum
from .errors import InputError, NotApplicable, NotConfigured
from .faults import Fault, FaultModelTraits, FaultTarget, fault_models
from .layered_cache import LayeredCache
from .variants import AttentionTraits, attention_variants
from .workspace import Workspace

if TYPE_CHECKING:
    from .analysis import Archive

__all__ = [
    "AttentionTraits",
    "ChecksumTraits",
    "Fault",
    "FaultModelTraits",
    "FaultTarget",
    "InputError",
    "LayeredCache",
    "NotApplicable",
    "NotConfigured",
    "Workspace",
    "__version__",
    "attention_variants",
    "checksum",
    "checksum_families",
    "fault_models",
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
