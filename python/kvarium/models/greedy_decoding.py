"""Greedy decoding, one token at a time."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import numpy as np

from .language_model import LanguageModel
from .paged_model_cache import PagedModelCache


def decode_greedily(
    model: LanguageModel,
    prompt_token_ids: Sequence[int],
    num_tokens: int,
    *,
    element_type: str,
    end_token_ids: Collection[int] = (),
) -> Iterator[int]:
    """Yield up to ``num_tokens`` token ids, each the most likely one after all before it.

    The prompt goes through the model at once, then one token a step, all into one
    growing paged cache of ``element_type``.  Stops after a token of
    ``end_token_ids``.  Equal logits: the smallest id.
    """
    cache = PagedModelCache(model.hyperparameters, element_type, max_tokens=len(prompt_token_ids) + num_tokens)
    new_token_ids = list(prompt_token_ids)
    for _ in range(num_tokens):
        hidden = model.forward(new_token_ids, cache)
        token_id = int(np.argmax(model.logits(hidden[-1:])))
        yield token_id
        if token_id in end_token_ids:
            return
        new_token_ids = [token_id]
