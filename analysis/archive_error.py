"""The error that reading archives raises."""

from __future__ import annotations


class ArchiveError(ValueError):
    """A file is missing, damaged or no archive; the message names it, the cause and what to do."""
