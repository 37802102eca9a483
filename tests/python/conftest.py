"""Fixtures of the package's tests."""

from __future__ import annotations

import pytest
from small_batch import SmallBatch


@pytest.fixture
def batch() -> SmallBatch:
    """A small batch of its own for each test."""
    return SmallBatch()
