"""Element types as NumPy arrays hold them: float32, float16, and bfloat16 as uint16."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .weights import FloatArray

StoredArray = NDArray[Any]

STORAGE_TYPES: dict[str, type[np.generic]] = {
    "float32": np.float32,
    "float16": np.float16,
    "bfloat16": np.uint16,
}
BFLOAT16_QUIET_NAN = 0x7FC0


def to_storage(values: FloatArray, element_type: str) -> StoredArray:
    """Round float32 ``values`` (any shape) to ``element_type``, to nearest, ties to even.

    Returns the same shape as float32, float16 or, for bfloat16, the uint16 bit pattern.
    """
    if element_type == "bfloat16":
        return _to_bfloat16(values)
    return values.astype(STORAGE_TYPES[element_type])


def from_storage(stored: StoredArray, element_type: str) -> FloatArray:
    """Return the exact float32 values (same shape) of what ``to_storage`` made."""
    if element_type == "bfloat16":
        return (stored.astype(np.uint32) << np.uint32(16)).view(np.float32)
    return stored.astype(np.float32)


def not_a_number(element_type: str) -> Any:
    """Return NaN as one stored element of ``element_type``."""
    return BFLOAT16_QUIET_NAN if element_type == "bfloat16" else np.nan


def _to_bfloat16(values: FloatArray) -> StoredArray:
    bits = np.ascontiguousarray(values, dtype=np.float32).view(np.uint32)
    # Adding just under half a unit, plus the last kept bit, carries exactly where nearest-even rounds up.
    rounded = (bits + np.uint32(0x7FFF) + ((bits >> np.uint32(16)) & np.uint32(1))) >> np.uint32(16)
    return np.where(np.isnan(values), BFLOAT16_QUIET_NAN, rounded).astype(np.uint16)
