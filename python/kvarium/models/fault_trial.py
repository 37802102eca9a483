"""One trial of the study: a fault in a prompt's cache, and what checksums and continuation made of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

import kvarium

from .element_storage import STORAGE_TYPES, from_storage
from .prompt_cache import PromptCache
from .struck_cache import StruckCache
from .study_checksums import ChecksumPanel
from .study_faults import NO_FAULT, StudyFault

NO_PLACE = -1
PIECE_BYTES = 8  # of the values a record holds


@dataclass(frozen=True)
class FaultSite:
    """Where a fault struck; numbers are NO_PLACE and texts empty where it has no such place.

    Of many changed bytes the site is that of the first one that is read: ``tensor``
    key or value, ``field`` sign, exponent, mantissa or several, ``bit`` the lowest
    changed one of the element, ``value_before`` and ``value_after`` the element's values.
    """

    struck: str = ""
    detail: str = ""
    layer: int = NO_PLACE
    kv_head: int = NO_PLACE
    token: int = NO_PLACE
    tensor: str = ""
    field: str = ""
    bit: int = NO_PLACE
    value_before: float = float("nan")
    value_after: float = float("nan")
    num_changed_bytes: int = 0
    num_struck_blocks: int = 0


@dataclass(frozen=True)
class FaultTrial:
    """A fault as injected.  ``number``: which of the fault's trials; ``refusal``: why it could not strike, or empty."""

    fault: StudyFault
    number: int
    refusal: str
    site: FaultSite
    struck: StruckCache
    verdicts: Sequence[str]


def inject_trial(prompt: PromptCache, panel: ChecksumPanel, fault: StudyFault, number: int, *, seed: int) -> FaultTrial:
    """Inject one fault, ask every checksum, and undo it: the trial keeps what it left of the cache."""
    if fault.model == NO_FAULT:
        return FaultTrial(fault, number, "", FaultSite(), prompt.intact, panel.intact_verdicts())
    try:
        injected, struck = prompt.inject(
            fault.model, dict(fault.settings), seed=seed, stimulus=fault.stimulus, trial=number
        )
    except kvarium.NotApplicable as error:
        return FaultTrial(fault, number, str(error), FaultSite(), prompt.intact, [])
    try:
        verdicts = panel.verdicts(injected, struck)
    finally:
        prompt.revert(injected)
    return FaultTrial(fault, number, "", _site(injected, prompt.element_type), struck, verdicts)


def _site(fault: kvarium.Fault, element_type: str) -> FaultSite:
    record = fault.record
    anywhere = FaultSite(
        struck=record.struck,
        detail=record.detail,
        num_changed_bytes=record.num_changed_bytes,
        num_struck_blocks=record.num_struck_blocks,
    )
    if record.struck != "cache":
        return anywhere
    width = np.dtype(STORAGE_TYPES[element_type]).itemsize
    element = record.byte % PIECE_BYTES // width
    return replace(
        anywhere,
        layer=record.layer,
        kv_head=record.kv_head,
        token=record.token,
        tensor=record.tensor,
        field=record.field,
        bit=record.bit,
        value_before=_element(record.before, element, element_type),
        value_after=_element(record.after, element, element_type),
    )


def _element(piece: int, index: int, element_type: str) -> float:
    """Return the value of one element of a 64-bit little-endian piece."""
    stored = np.array([piece], "<u8").view(STORAGE_TYPES[element_type])[index : index + 1]
    return float(from_storage(stored, element_type)[0])
