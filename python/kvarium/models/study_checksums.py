"""The checksums that the study of a model's cache asks, and what each says of a fault."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

import kvarium

from .paged_model_cache import BLOCK_SIZE
from .prompt_cache import PromptCache
from .struck_cache import StruckCache

VERDICTS = ("clean", "detected", "missed", "unverified", "false_alarm")


class ChecksumSettings(TypedDict, total=False):
    """Settings of ``kvarium.checksum`` that the study varies."""

    piece_width: int
    byte_order: str
    sampled_buffers: int
    canary_data: str


@dataclass(frozen=True)
class StudyChecksum:
    """A checksum family with its settings under one name."""

    name: str
    family: str
    settings: ChecksumSettings = field(default_factory=lambda: ChecksumSettings())


def study_checksums() -> list[StudyChecksum]:
    """Return every family at its defaults, and the settings that see something else."""
    families = [traits.name for traits in kvarium.checksum_families() if traits.name != "kv_canary"]
    return [
        *(StudyChecksum(name, name) for name in families),
        StudyChecksum("weighted_sum_4_bytes", "weighted_sum", {"piece_width": 4}),
        StudyChecksum("crc32_memory_order", "crc32", {"byte_order": "memory"}),
        StudyChecksum("fmix_digest_4_buffers", "fmix_digest", {"sampled_buffers": 4}),
        *(
            StudyChecksum(f"kv_canary_{data}", "kv_canary", {"canary_data": data})
            for data in ("none", "partial", "all")
        ),
    ]


@dataclass(frozen=True)
class BlockRows:
    """Block rows as a reader sums them: arrays [num_rows] int64; ``token_ids`` [num_rows, BLOCK_SIZE] int64."""

    block_ids: NDArray[np.int64]
    first_tokens: NDArray[np.int64]
    valid_tokens: NDArray[np.int64]
    token_ids: NDArray[np.int64]

    def sums(self, checksum: StudyChecksum, cache: kvarium.LayeredCache) -> NDArray[np.uint64]:
        """Return the rows' values, [num_rows, words_per_row]."""
        return kvarium.checksum(
            checksum.family,
            cache,
            self.block_ids,
            self.first_tokens,
            self.valid_tokens,
            token_ids=self.token_ids,
            **checksum.settings,
        )

    def with_blocks(self, rows: Sequence[int], block_ids: Sequence[int]) -> BlockRows:
        """Return some of the rows with the tokens where another block table finds them."""
        return BlockRows(
            np.asarray(block_ids, np.int64),
            self.first_tokens[rows],
            self.valid_tokens[rows],
            self.token_ids[rows],
        )


def rows_of_text(token_ids: Sequence[int], block_table: NDArray[np.int32]) -> BlockRows:
    """Return the rows of a text, one a block, in its order; ids past its end are 0."""
    num_rows = -(-len(token_ids) // BLOCK_SIZE)
    first_tokens = BLOCK_SIZE * np.arange(num_rows)
    padded = np.zeros(num_rows * BLOCK_SIZE, np.int64)
    padded[: len(token_ids)] = token_ids
    valid_tokens = np.minimum(len(token_ids) - first_tokens, BLOCK_SIZE)
    blocks = block_table[:num_rows].astype(np.int64)
    return BlockRows(blocks, first_tokens, valid_tokens, padded.reshape(num_rows, BLOCK_SIZE))


class ChecksumPanel:
    """Records of every checksum over an intact cache, and what each says once a fault has struck.

    A record is made for each block row over all layers after the prompt was written;
    the reader sums the same rows again before it decodes: the fault lies between.
    Records of the earlier text lie beside the blocks that it alone has filled.
    """

    def __init__(self, prompt: PromptCache, checksums: Sequence[StudyChecksum]) -> None:
        """Sum all rows of the intact cache with each of the checksums."""
        self._prompt = prompt
        self._checksums = checksums
        self._traits = {traits.name: traits for traits in kvarium.checksum_families()}
        self._rows = rows_of_text(prompt.token_ids, prompt.block_table)
        self._records = [self._records_of(checksum) for checksum in checksums]

    def verdicts(self, fault: kvarium.Fault, struck: StruckCache) -> list[str]:
        """Return what each checksum says; call it while the fault is in place."""
        if struck.num_tokens != len(self._prompt.token_ids):
            return [self._verdict_of_length(checksum, struck.num_tokens) for checksum in self._checksums]
        rows = self._touched_rows(struck)
        is_harmless = fault.record.struck == "cache" and fault.record.num_changed_attended_bytes == 0
        verdicts = []
        for checksum, records in zip(self._checksums, self._records, strict=True):
            is_equal = self._agrees(checksum, records, fault, struck, rows)
            verdicts.append("missed" if is_equal else "false_alarm" if is_harmless else "detected")
        return verdicts

    def intact_verdicts(self) -> list[str]:
        """Return what each checksum says of the cache without a fault."""
        found = [self._rows.sums(checksum, self._prompt.cache) for checksum in self._checksums]
        is_clean = [
            all(np.array_equal(row, records[int(block)]) for row, block in zip(now, self._rows.block_ids, strict=True))
            for now, records in zip(found, self._records, strict=True)
        ]
        return ["clean" if clean else "false_alarm" for clean in is_clean]

    def _records_of(self, checksum: StudyChecksum) -> Mapping[int, NDArray[np.uint64]]:
        """Return each physical block's record."""
        earlier = rows_of_text(self._prompt.earlier_token_ids, self._prompt.earlier_table)
        records: dict[int, NDArray[np.uint64]] = {}
        for rows in (earlier, self._rows):
            values = rows.sums(checksum, self._prompt.cache)
            records |= {int(block): value for block, value in zip(rows.block_ids, values, strict=True)}
        return records

    def _touched_rows(self, struck: StruckCache) -> list[int]:
        blocks = {block for _, block in struck.blocks}
        own = self._prompt.block_table
        return [
            row
            for row, block in enumerate(struck.block_table[: len(self._rows.block_ids)])
            if int(block) in blocks or block != own[row]
        ]

    def _agrees(
        self,
        checksum: StudyChecksum,
        records: Mapping[int, NDArray[np.uint64]],
        fault: kvarium.Fault,
        struck: StruckCache,
        rows: list[int],
    ) -> bool:
        """Whether every touched row still has its recorded value, as the reader sums it."""
        blocks = [int(struck.block_table[row]) for row in rows]
        now = self._rows.with_blocks(rows, blocks).sums(checksum, self._prompt.cache)
        brought = {change.logical_block for change in fault.table_changes() if change.brings_record}
        # The record travels with the request, unless it lies beside the slots or came with a wrong look-up.
        moves = self._traits[checksum.family].beside_slots
        expected = [
            records[block if moves or row in brought else int(self._prompt.block_table[row])]
            for row, block in zip(rows, blocks, strict=True)
        ]
        return all(np.array_equal(value, record) for value, record in zip(now, expected, strict=True))

    def _verdict_of_length(self, checksum: StudyChecksum, num_tokens: int) -> str:
        """A reader that counts other tokens than the record covers compares nothing, unless whole blocks are summed.

        Records beside the slots are checked one by one: a slot too many has none, one too few is not asked.
        """
        traits = self._traits[checksum.family]
        if traits.beside_slots:
            return "detected" if num_tokens > len(self._prompt.token_ids) else "missed"
        sums_whole_blocks = checksum.settings.get("byte_order") == "memory" or not traits.masks_tail
        return "missed" if sums_whole_blocks else "unverified"
