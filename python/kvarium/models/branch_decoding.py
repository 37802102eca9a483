"""Decoding many continuations of one prompt at a time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from .branched_cache import BranchedCache
from .language_model import LanguageModel
from .struck_cache import StruckCache
from .weights import FloatArray


class BranchDecoder:
    """Decodes branches of one prompt, ``num_branches`` a step however many are asked for.

    Products of equally many rows sum row r in one order, whatever the other rows
    hold: a branch's logits are the same bits alone or among any others at its
    place.  Another place may round differently.
    """

    def __init__(self, model: LanguageModel, cache: BranchedCache, first_token_id: int) -> None:
        """``first_token_id``: what every branch decodes first, as the prompt's prefill said."""
        self._model = model
        self._cache = cache
        self._first_token_id = first_token_id

    @property
    def num_branches(self) -> int:
        """Branches that one run can take."""
        return self._cache.num_branches

    def follow(self, struck: Sequence[StruckCache], token_ids: Sequence[int]) -> Iterator[FloatArray]:
        """Yield each step's logits [len(struck), vocabulary_size] while every branch is given the same tokens.

        Step s has seen the first token and the first s of ``token_ids``; there are
        len(token_ids) + 1 steps.
        """
        yield self._start(struck)[: len(struck)]
        for token_id in token_ids:
            yield self._step(np.full(self.num_branches, token_id))[: len(struck)]

    def decode_greedily(self, struck: Sequence[StruckCache], num_tokens: int) -> NDArray[np.int64]:
        """Return each branch's ``num_tokens`` tokens after the first one, [len(struck), num_tokens], all most likely.

        Equal logits: the smallest id; where a logit is NaN, the first such id.
        """
        chosen = np.empty((self.num_branches, num_tokens), np.int64)
        logits = self._start(struck)
        for step in range(num_tokens):
            chosen[:, step] = logits.argmax(axis=1)
            if step + 1 < num_tokens:
                logits = self._step(chosen[:, step])
        return chosen[: len(struck)]

    def _start(self, struck: Sequence[StruckCache]) -> FloatArray:
        self._cache.restart()
        for branch, cache in enumerate(struck):
            self._cache.strike(branch, cache)
        return self._step(np.full(self.num_branches, self._first_token_id))

    def _step(self, token_ids: NDArray[np.int64]) -> FloatArray:
        # Faults make infinities and NaN; what becomes of them is the question.
        with np.errstate(over="ignore", invalid="ignore"):
            return self._model.logits(self._model.forward(token_ids, self._cache))
