"""Faults of paged KV caches: injected, described and undone."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .arrays import require_dense, require_dtype, require_shape, require_writable
from .compiled import core
from .errors import InputError, NotApplicable
from .layered_cache import LayeredCache
from .scalars import INT64_MAX, as_integer

UINT64_MAX = 2**64 - 1


@dataclass(frozen=True)
class FaultModelTraits:
    """What a fault model does; ``stages`` name when it can strike, ``settings`` what it takes."""

    name: str
    description: str
    fault_class: str
    settings: tuple[str, ...]
    stages: tuple[str, ...]


def fault_models() -> list[FaultModelTraits]:
    """Return every fault model of this build."""
    return [
        FaultModelTraits(name, description, fault_class, tuple(settings), tuple(stages))
        for name, description, fault_class, settings, stages in core.fault_models()
    ]


@dataclass(frozen=True)
class TableChange:
    """One entry of the block table that a fault changed; ``before`` and ``after`` are physical blocks.

    ``brings_record``: the checksum record of the other block comes with it.
    """

    sequence: int
    logical_block: int
    before: int
    after: int
    brings_record: bool


@dataclass(frozen=True)
class Fault:
    """One injected fault.

    ``record`` describes it: model, detail, struck, layer, kv_head, token (position), tensor, ...
    Where bytes changed, the site is that of the first attended one; elsewhere its numbers are -1.
    """

    record: core.FaultRecord

    def byte_changes(self) -> dict[str, NDArray[Any]]:
        """Return every changed byte as columns [num_changes].

        layer, block (physical), kv_head, token (of the block), byte (of the cell: K's
        elements, then V's): int32; before, after: uint8.
        """
        return self.record.byte_changes()

    def table_changes(self) -> list[TableChange]:
        """Return every changed entry of the block table."""
        return [TableChange(*change) for change in self.record.table_changes()]

    def struck_blocks(self) -> list[tuple[int, int]]:
        """Return the (layer, physical block) pairs with changed bytes, in order."""
        changes = self.byte_changes()
        pairs = np.stack([changes["layer"], changes["block"]], axis=1)
        return [(int(layer), int(block)) for layer, block in np.unique(pairs, axis=0)]


class FaultTarget:
    """The caches of a batch and its block table, open to faults, which are written in place.

    Parameters
    ----------
    cache : LayeredCache of writable arrays
    block_tables : [num_sequences, max_num_blocks_per_sequence] int32
        Physical blocks; dense, writable, kept.
    seq_lens : [num_sequences] int32, tokens
    read_lengths : None, or [num_sequences] int32, tokens
        Lengths that the batch's reader believes; faults of lengths write them.
    sliding_window : int, tokens
        Only the last this many tokens are attended; 0: all.
    earlier : None, or LayeredCache
        Of the same shapes: what each block held for an earlier request.

    Errors: InputError for arrays that do not fit, a sequence longer than its row, or a
    block outside the cache; TypeError for a wrong dtype.
    """

    def __init__(
        self,
        cache: LayeredCache,
        block_tables: NDArray[np.int32],
        seq_lens: NDArray[np.int32],
        *,
        read_lengths: NDArray[np.int32] | None = None,
        sliding_window: int = 0,
        earlier: LayeredCache | None = None,
    ) -> None:
        cache.require_writable()
        num_sequences = len(seq_lens)
        _require_table("block_tables", block_tables, {"num_sequences": num_sequences, "blocks": block_tables.shape[-1]})
        _require_table("seq_lens", seq_lens, {"num_sequences": num_sequences})
        if read_lengths is not None:
            _require_table("read_lengths", read_lengths, {"num_sequences": num_sequences})
        if earlier is not None and (earlier.num_layers, earlier.num_blocks) != (cache.num_layers, cache.num_blocks):
            raise InputError(
                f"earlier has {earlier.num_layers} layers of {earlier.num_blocks} blocks but cache {cache.num_layers} "
                f"of {cache.num_blocks}; pass caches of the same shapes"
            )
        self._scene = core.FaultScene(
            layers=cache.core,
            earlier=None if earlier is None else earlier.core,
            block_tables=block_tables,
            seq_lens=seq_lens,
            read_lengths=read_lengths,
            sliding_window=as_integer("sliding_window", sliding_window, low=0, high=INT64_MAX),
        )

    def inject(self, model: str, *, seed: int, trial: int, stimulus: int = 0, **settings: str | int | float) -> Fault:
        """Inject one fault of the model called ``model``, a function of (seed, stimulus, trial) and the contents alone.

        Settings are those that the model's traits name.  Errors: NotApplicable where
        the fault cannot strike; InputError for an unknown model or a wrong setting.
        """
        record, reason = self._scene.inject(
            model,
            settings,
            seed=as_integer("seed", seed, low=0, high=UINT64_MAX),
            stimulus=as_integer("stimulus", stimulus, low=0, high=UINT64_MAX),
            trial=as_integer("trial", trial, low=0, high=UINT64_MAX),
        )
        if record is None:
            raise NotApplicable(reason)
        return Fault(record)

    def revert(self, fault: Fault) -> None:
        """Undo a fault, bit for bit. Errors: InputError, with nothing written, if something else has changed it."""
        self._scene.revert(fault.record)


def _require_table(name: str, array: NDArray[np.int32], sizes: dict[str, int]) -> None:
    require_dtype(name, array, np.int32)
    require_shape(name, array, sizes)
    require_dense(name, array)
    require_writable(name, array)
