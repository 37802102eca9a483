"""A prompt in a paged cache whose blocks held another text before, open to faults."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

import kvarium

from .hyperparameters import Hyperparameters
from .language_model import LanguageModel
from .paged_model_cache import BLOCK_SIZE, LAYOUT, SPARE_BLOCKS, LayerCache, PagedModelCache, empty_layer
from .struck_cache import StruckCache


class PromptCache:
    """Keys and values of a prompt, every layer; one text, one block table.

    Before the prompt came, an earlier text filled every block, in another order: what
    stale blocks hold, and the slots after the prompt's last token.
    """

    def __init__(
        self,
        model: LanguageModel,
        element_type: str,
        prompt_token_ids: Sequence[int],
        earlier_token_ids: Sequence[int],
        *,
        num_generated: int,
        seed: int,
    ) -> None:
        """Run both texts through the model.

        There is room for ``num_generated`` tokens after the prompt; ``earlier_token_ids``
        repeats as often as all blocks need.  ``seed`` chooses the order of the blocks.
        """
        self.shape: Hyperparameters = model.hyperparameters
        self.element_type = element_type
        self.token_ids = list(prompt_token_ids)
        # A reader that counts one token too many needs one slot more.
        num_blocks = -(-(len(prompt_token_ids) + num_generated + 1) // BLOCK_SIZE)
        random = np.random.default_rng(seed)
        self.num_blocks = num_blocks + SPARE_BLOCKS
        self.block_table = random.permutation(self.num_blocks)[:num_blocks].astype(np.int32)
        self.earlier_table = random.permutation(self.num_blocks).astype(np.int32)
        self.layers = [empty_layer(self.shape, element_type, self.num_blocks) for _ in range(self.shape.num_layers)]
        self.earlier_token_ids = [int(token) for token in np.resize(earlier_token_ids, self.num_blocks * BLOCK_SIZE)]
        self._fill(model, self.earlier_token_ids, self.earlier_table)
        self._earlier = [(key.copy(), value.copy()) for key, value in self.layers]
        hidden = self._fill(model, self.token_ids, self.block_table)
        self.first_token_id = int(np.argmax(model.logits(hidden)[-1]))
        self.cache = self._layered(self.layers)
        self._read_table = self.block_table[np.newaxis].copy()
        self._read_lengths = np.array([len(self.token_ids)], np.int32)
        self._target = kvarium.FaultTarget(
            self.cache,
            self._read_table,
            np.array([len(self.token_ids)], np.int32),
            read_lengths=self._read_lengths,
            earlier=self._layered(self._earlier),
        )

    @property
    def intact(self) -> StruckCache:
        """The cache without a fault."""
        return StruckCache(self.block_table, len(self.token_ids))

    def inject(
        self, model: str, settings: dict[str, str | int | float], *, seed: int, stimulus: int, trial: int
    ) -> tuple[kvarium.Fault, StruckCache]:
        """Inject a fault, which stays until ``revert``; returns it with what it leaves. Errors: NotApplicable."""
        fault = self._target.inject(model, seed=seed, stimulus=stimulus, trial=trial, **settings)
        blocks = {
            (layer, block): (self.layers[layer][0][block].copy(), self.layers[layer][1][block].copy())
            for layer, block in fault.struck_blocks()
        }
        return fault, StruckCache(self._read_table[0].copy(), int(self._read_lengths[0]), blocks)

    def revert(self, fault: kvarium.Fault) -> None:
        """Undo a fault, bit for bit."""
        self._target.revert(fault)

    def _fill(
        self, model: LanguageModel, token_ids: Sequence[int], block_table: NDArray[np.int32]
    ) -> NDArray[np.float32]:
        text = PagedModelCache.over(self.shape, self.element_type, self.layers, block_table)
        return model.forward(token_ids, text)

    def _layered(self, layers: Sequence[LayerCache]) -> kvarium.LayeredCache:
        return kvarium.LayeredCache([key for key, _ in layers], [value for _, value in layers], layout=LAYOUT)
