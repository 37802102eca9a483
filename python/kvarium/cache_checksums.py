"""Every checksum family of the host over the layers of a model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .arrays import HostArray, as_numpy, require_axes, require_dense, require_dtype, require_shape
from .compiled import core
from .layered_cache import LayeredCache


@dataclass(frozen=True)
class ChecksumTraits:
    """What a checksum family is and promises with all settings at their defaults.

    ``masks_tail``: bytes past the valid tokens do not matter; ``beside_slots``: its
    records lie beside the slots and are checked at every step; ``blind_classes``:
    what it cannot see by construction; ``settings``: those that it takes.
    """

    name: str
    description: str
    masks_tail: bool
    beside_slots: bool
    blind_classes: tuple[str, ...]
    settings: tuple[str, ...]


def checksum_families() -> list[ChecksumTraits]:
    """Return every checksum family of this build."""
    return [
        ChecksumTraits(name, description, masks_tail, beside_slots, tuple(blind), tuple(settings))
        for name, description, masks_tail, beside_slots, blind, settings in core.checksum_families()
    ]


def checksum(
    family: str,
    cache: LayeredCache,
    block_ids: HostArray,
    first_tokens: HostArray,
    valid_tokens: HostArray,
    *,
    token_ids: HostArray | None = None,
    piece_width: int | None = None,
    byte_order: str | None = None,
    seed: int | None = None,
    sampled_buffers: int | None = None,
    edge_width: int | None = None,
    canary_data: str | None = None,
) -> NDArray[np.uint64]:
    """Sum block rows of a cache over all its layers with any checksum family of the host.

    Parameters
    ----------
    family : str
        A name of ``checksum_families()``.
    block_ids, first_tokens, valid_tokens : [num_rows] int64
        Physical block of each row; position in the request of its first token; tokens
        summed from its start, clamped to the block.
    token_ids : None, or [num_rows, block_size] int64
        Ids of the blocks' tokens, for checksums that bind them; None: all 0.
    piece_width (bytes), byte_order, seed, sampled_buffers, edge_width (bytes), canary_data : None: the default
        Settings; a family takes those that its traits name.

    Returns
    -------
    [num_rows, words_per_row] uint64; most families have one word a row.

    Errors
    ------
    InputError for an unknown family or setting, a setting that the family does not
    take, and blocks outside the cache; TypeError for a wrong dtype.
    """
    rows = [_row_array(name, array) for name, array in _named(block_ids, first_tokens, valid_tokens)]
    for (name, _), array in zip(_named(block_ids, first_tokens, valid_tokens), rows, strict=True):
        require_shape(name, array, {"num_rows": len(rows[0])})
    parameters = core.ChecksumParameters(
        family=family,
        piece_width=piece_width,
        byte_order=byte_order,
        seed=seed,
        sampled_buffers=sampled_buffers,
        edge_width=edge_width,
        canary_data=canary_data,
    )
    return core.checksum(
        family=family,
        layers=cache.core,
        block_ids=rows[0],
        first_tokens=rows[1],
        valid_tokens=rows[2],
        token_ids=_token_ids(token_ids, len(rows[0]), cache.block_size),
        parameters=parameters,
    )


def _named(*arrays: HostArray) -> list[tuple[str, HostArray]]:
    return list(zip(("block_ids", "first_tokens", "valid_tokens"), arrays, strict=True))


def _row_array(name: str, value: HostArray) -> NDArray[np.int64]:
    array = as_numpy(name, value)
    require_dtype(name, array, np.int64)
    require_axes(name, array, ("num_rows",))
    require_dense(name, array)
    return array


def _token_ids(value: HostArray | None, num_rows: int, block_size: int) -> NDArray[Any] | None:
    if value is None:
        return None
    array = as_numpy("token_ids", value)
    require_dtype("token_ids", array, np.int64)
    require_shape("token_ids", array, {"num_rows": num_rows, "block_size": block_size})
    require_dense("token_ids", array)
    return array
