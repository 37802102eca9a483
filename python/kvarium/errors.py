"""The errors kvarium raises for what its user can put right."""

from __future__ import annotations


class InputError(ValueError):
    """Something the caller passed is wrong; the message names place, cause and remedy."""


class NotConfigured(InputError):
    """A backend or device was asked for that this build or machine does not have."""


class NotApplicable(InputError):
    """A fault cannot strike the cache it was injected into; the message says why, and nothing was changed."""
