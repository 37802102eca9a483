"""Inject faults into the KV cache of a model and see which change what it writes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .branch_decoding import BranchDecoder
from .branched_cache import BranchedCache
from .fault_trial import FaultTrial, inject_trial
from .language_model import LanguageModel
from .logit_changes import NEVER, LogitChanges, LogitComparison
from .prompt_cache import PromptCache
from .struck_cache import StruckCache
from .study_checksums import ChecksumPanel, StudyChecksum
from .study_faults import StudyFault
from .weights import FloatArray

REPORTED_INJECTIONS = 100  # a report for each would be most of what is printed
Report = Callable[[str, int, int], None]  # what is done, how many of it, of how many


@dataclass(frozen=True)
class StudySettings:
    """Trials of a fault of weight 1, tokens of a continuation, branches decoded at a time, seed of the faults."""

    trials: int
    num_tokens: int
    num_branches: int
    seed: int


@dataclass(frozen=True)
class StudyResult:
    """All trials in order.

    ``changes`` and ``token_ids`` [num_applied, num_tokens] are of those that could strike; ``intact_token_ids``
    [num_tokens] the continuation without a fault.
    """

    trials: list[FaultTrial]
    changes: LogitChanges
    token_ids: NDArray[np.int64]
    intact_token_ids: NDArray[np.int64]

    @property
    def applied(self) -> NDArray[np.int64]:
        """Places in ``trials`` of those that could strike."""
        return np.flatnonzero([not trial.refusal for trial in self.trials])


class FaultStudy:
    """Faults in the cache of one prompt: every trial decodes the same continuation with another fault."""

    def __init__(
        self,
        model: LanguageModel,
        prompt: PromptCache,
        checksums: Sequence[StudyChecksum],
        settings: StudySettings,
    ) -> None:
        """Decode the continuation without a fault, which all trials are compared with."""
        self._prompt = prompt
        self._settings = settings
        self._panel = ChecksumPanel(prompt, checksums)
        cache = BranchedCache(prompt, settings.num_branches)
        self._decoder = BranchDecoder(model, cache, prompt.first_token_id)
        self.intact_token_ids = self._decoder.decode_greedily([prompt.intact], settings.num_tokens)[0]
        everywhere = [prompt.intact] * settings.num_branches
        steps = self._decoder.follow(everywhere, self.intact_token_ids[:-1])
        self._intact = [_one_row_if_equal(logits) for logits in steps]

    def run(self, faults: Sequence[StudyFault], report: Report) -> StudyResult:
        """Run every trial of ``faults``, in order."""
        trials = self._inject_all(faults, report)
        struck = [trial.struck for trial in trials if not trial.refusal]
        changes = self.compare(struck, report)
        token_ids = np.tile(self.intact_token_ids, (len(struck), 1))
        changed = np.flatnonzero(changes.first_changed != NEVER)
        token_ids[changed] = self.continue_greedily([struck[index] for index in changed], report)
        return StudyResult(trials, changes, token_ids, self.intact_token_ids)

    def compare(self, struck: Sequence[StruckCache], report: Report) -> LogitChanges:
        """Give every cache the intact continuation and compare each step's logits with the intact cache's."""
        parts = []
        for some in self._groups(struck, "compared", report):
            comparison = LogitComparison(len(some))
            steps = self._decoder.follow(some, self.intact_token_ids[:-1])
            for intact, found in zip(self._intact, steps, strict=True):
                comparison.add_step(intact[: len(some)], found)
            parts.append(comparison.changes())
        return LogitChanges.joined(parts)

    def continue_greedily(self, struck: Sequence[StruckCache], report: Report) -> NDArray[np.int64]:
        """Return the greedy continuation of every cache, [len(struck), num_tokens]."""
        parts = [np.empty((0, self._settings.num_tokens), np.int64)]
        for some in self._groups(struck, "continued", report):
            parts.append(self._decoder.decode_greedily(some, self._settings.num_tokens))
        return np.concatenate(parts)

    def _inject_all(self, faults: Sequence[StudyFault], report: Report) -> list[FaultTrial]:
        wanted = [(fault, number) for fault in faults for number in range(fault.weight * self._settings.trials)]
        trials = []
        for fault, number in wanted:
            trials.append(inject_trial(self._prompt, self._panel, fault, number, seed=self._settings.seed))
            if len(trials) % REPORTED_INJECTIONS == 0 or len(trials) == len(wanted):
                report("faults injected", len(trials), len(wanted))
        return trials

    def _groups(self, struck: Sequence[StruckCache], what: str, report: Report) -> Iterator[Sequence[StruckCache]]:
        size = self._settings.num_branches
        for first in range(0, len(struck), size):
            yield struck[first : first + size]
            report(f"trials {what}", min(first + size, len(struck)), len(struck))


def _one_row_if_equal(logits: FloatArray) -> FloatArray:
    """Return the logits of every branch, or one row of them where all are the same bits."""
    return logits[:1].copy() if (logits == logits[:1]).all() else logits
