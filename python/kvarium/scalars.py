"""Numbers as C++ takes them."""

from __future__ import annotations

import math
import operator
from typing import SupportsFloat, SupportsIndex

from .errors import InputError

INT32_MAX = 2**31 - 1
INT64_MAX = 2**63 - 1


def as_integer(name: str, value: SupportsIndex, *, low: int, high: int = INT32_MAX) -> int:
    """Return ``value`` as an int from ``low`` to ``high``. Errors: TypeError for no integer, InputError."""
    try:
        number = operator.index(value)
    except TypeError as error:
        raise TypeError(f"{name} is {value!r}; pass an integer") from error
    if not low <= number <= high:
        raise InputError(f"{name} is {number}; use {low} to {high}")
    return number


def as_real(name: str, value: SupportsFloat) -> float:
    """Return ``value`` as a finite float that a float32 can hold. Errors: TypeError for no number, InputError."""
    try:
        number = float(value)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{name} is {value!r}; pass a number") from error
    if not math.isfinite(number) or abs(number) > 3.4e38:
        raise InputError(f"{name} is {number}; use a finite number within float32")
    return number
