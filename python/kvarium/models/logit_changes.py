"""What a fault did to the logits of a continuation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from .weights import FloatArray

NEVER = -1


@dataclass(frozen=True)
class LogitChanges:
    """Per trial, [num_trials], the continuation without a fault given to all.

    ``is_masked``: whether every logit of every step kept its value; ``first_changed``:
    first step whose most likely token is another, NEVER: none; ``changed_share``: share
    of such steps; ``has_nan``: whether any logit was NaN; ``first_divergence``:
    Kullback-Leibler divergence of the first step's distribution from the intact one
    (nats); ``largest_divergence``: the largest of all steps; ``first_difference``:
    largest absolute difference of a logit at the first step; ``log_loss_change``: mean
    over steps of what the intact continuation loses in log probability (nats a token).
    Divergences, differences and losses are NaN where logits are.
    """

    is_masked: NDArray[np.bool_]
    first_changed: NDArray[np.int64]
    changed_share: FloatArray
    has_nan: NDArray[np.bool_]
    first_divergence: FloatArray
    largest_divergence: FloatArray
    first_difference: FloatArray
    log_loss_change: FloatArray

    @classmethod
    def joined(cls, parts: Sequence[LogitChanges]) -> LogitChanges:
        """Return the changes of all trials of ``parts`` (at least one), in order."""
        return cls(**{item.name: np.concatenate([getattr(part, item.name) for part in parts]) for item in fields(cls)})

    @property
    def effects(self) -> list[str]:
        """Masked: no logit changed; tolerable: no token; corrupted: a token; nan: a logit was NaN."""
        conditions = [self.has_nan, self.is_masked, self.first_changed == NEVER]
        kinds = np.select(conditions, ["nan", "masked", "tolerable"], default="corrupted")
        return [str(kind) for kind in kinds]


class LogitComparison:
    """Compares each step's logits of many trials with the intact ones, and keeps no step."""

    def __init__(self, num_trials: int) -> None:
        """Begin a comparison of ``num_trials`` trials."""
        self._changed: list[NDArray[np.bool_]] = []
        self._is_masked = np.ones(num_trials, bool)
        self._has_nan = np.zeros(num_trials, bool)
        self._divergences: list[FloatArray] = []
        self._losses: list[FloatArray] = []
        self._first_difference = np.zeros(num_trials, np.float32)

    def add_step(self, intact: FloatArray, found: FloatArray) -> None:
        """Add the next step: ``found`` [num_trials, vocabulary_size], ``intact`` the same, or one row for all."""
        best = intact.argmax(axis=1)
        if not self._changed:
            self._first_difference = np.abs(found - intact).max(axis=1)
        expected, actual = log_probabilities(intact), log_probabilities(found)
        self._changed.append(found.argmax(axis=1) != best)
        self._is_masked &= (found == intact).all(axis=1)
        self._has_nan |= np.isnan(found).any(axis=1)
        self._divergences.append((np.exp(expected) * (expected - actual)).sum(axis=1))
        row = np.arange(len(found))
        self._losses.append((expected - actual)[row, np.broadcast_to(best, row.shape)])

    def changes(self) -> LogitChanges:
        """Return what all steps so far come to."""
        changed, divergences = np.array(self._changed), np.array(self._divergences)
        return LogitChanges(
            is_masked=self._is_masked,
            first_changed=np.where(changed.any(axis=0), changed.argmax(axis=0), NEVER),
            changed_share=changed.mean(axis=0),
            has_nan=self._has_nan,
            first_divergence=divergences[0],
            largest_divergence=divergences.max(axis=0),
            first_difference=self._first_difference,
            log_loss_change=np.mean(self._losses, axis=0),
        )


def log_probabilities(logits: FloatArray) -> FloatArray:
    """Return the logarithms of the softmax of each row, float64 inside, [num_rows, vocabulary_size]."""
    with np.errstate(invalid="ignore"):
        shifted = logits.astype(np.float64) - logits.max(axis=1, keepdims=True)
        result: FloatArray = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return result
