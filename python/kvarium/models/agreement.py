"""How far this model's next tokens agree with llama.cpp's golden file, and whether that is enough."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from .golden_file import Golden, NextTokens, Run
from .weights import FloatArray

CLEAR_GAP = 0.25  # in logits; below it llama.cpp's own two best tokens are a near-tie
REQUIRED_FRACTION = 0.98


@dataclass(frozen=True)
class TextAgreement:
    """Agreement over every position of a text.

    ``disagreements`` are positions, from 0, whose most likely next token differs;
    ``clear_disagreements`` those of them where llama.cpp's gap exceeds CLEAR_GAP.
    ``largest_gap_difference`` compares the gap between llama.cpp's two best tokens
    in both programs, in logits.
    """

    num_positions: int
    disagreements: list[int]
    clear_disagreements: list[int]
    largest_gap_difference: float

    @property
    def fraction(self) -> float:
        """Fraction of all positions that agree."""
        return 1.0 - len(self.disagreements) / self.num_positions

    @property
    def holds(self) -> bool:
        """True if no clear position and at most 2 % of all differ."""
        return not self.clear_disagreements and self.fraction >= REQUIRED_FRACTION


@dataclass(frozen=True)
class GreedyAgreement:
    """Agreement of two greedy continuations; ``first_difference`` is None if they are equal."""

    num_tokens: int
    first_difference: int | None
    gap_there: float | None

    @property
    def holds(self) -> bool:
        """True if they are equal, or part at one of llama.cpp's near-ties."""
        return self.gap_there is None or self.gap_there <= CLEAR_GAP


def compare_text(logits: FloatArray, expected: NextTokens) -> TextAgreement:
    """Compare ``logits`` [num_positions, vocabulary_size] with llama.cpp's answers at the same positions."""
    best, second = np.asarray(expected.token_ids), np.asarray(expected.second_token_ids)
    gaps = np.asarray(expected.gaps)
    differs = logits.argmax(axis=1) != best
    row = np.arange(len(logits))
    difference = logits[row, best].astype(np.float64) - logits[row, second] - gaps
    return TextAgreement(
        num_positions=len(gaps),
        disagreements=np.flatnonzero(differs).tolist(),
        clear_disagreements=np.flatnonzero(differs & (gaps > CLEAR_GAP)).tolist(),
        largest_gap_difference=float(np.abs(difference).max()),
    )


def compare_greedy(token_ids: Sequence[int], expected: NextTokens) -> GreedyAgreement:
    """Compare a greedy continuation with llama.cpp's, of the same length."""
    pairs = zip(token_ids, expected.token_ids, strict=True)
    first = next((step for step, (ours, theirs) in enumerate(pairs) if ours != theirs), None)
    gap = None if first is None else expected.gaps[first]
    return GreedyAgreement(num_tokens=len(expected.token_ids), first_difference=first, gap_there=gap)


def report_agreement(
    golden: Golden, logits: FloatArray, greedy_token_ids: Sequence[int], decode: Callable[[Sequence[int]], str]
) -> tuple[list[str], bool]:
    """Compare with every run of ``golden``; returns the lines to print and whether all hold."""
    lines: list[str] = []
    all_hold = True
    for run in golden.runs:
        text, greedy = compare_text(logits, run.text_next), compare_greedy(greedy_token_ids, run.greedy)
        lines += [f"llama.cpp with {run.arithmetic}:"]
        lines += _text_lines(text, run, decode) + _greedy_lines(greedy, greedy_token_ids, run, decode)
        all_hold = all_hold and text.holds and greedy.holds
    return lines, all_hold


def _text_lines(found: TextAgreement, run: Run, decode: Callable[[Sequence[int]], str]) -> list[str]:
    clear = sum(gap > CLEAR_GAP for gap in run.text_next.gaps)
    agreeing = found.num_positions - len(found.disagreements)
    lines = [
        f"  {_mark(found.fraction >= REQUIRED_FRACTION)} most likely next token equal at {agreeing} of "
        f"{found.num_positions} positions ({found.fraction:.2%}, at least {REQUIRED_FRACTION:.0%} needed)",
        f"  {_mark(not found.clear_disagreements)} equal at {clear - len(found.clear_disagreements)} of {clear} "
        f"positions whose top two logits differ by more than {CLEAR_GAP}",
        f"         largest difference of the gap between the top two: {found.largest_gap_difference:.4f} logits",
    ]
    for position in found.clear_disagreements:
        token = decode([run.text_next.token_ids[position]])
        lines.append(f"         position {position}: llama.cpp says {token!r} by {run.text_next.gaps[position]:.4f}")
    return lines


def _greedy_lines(
    found: GreedyAgreement, token_ids: Sequence[int], run: Run, decode: Callable[[Sequence[int]], str]
) -> list[str]:
    if found.first_difference is None:
        return [f"  {_mark(True)} all {found.num_tokens} greedy tokens equal"]
    step = found.first_difference
    ours, theirs = decode([token_ids[step]]), decode([run.greedy.token_ids[step]])
    kind = "a near-tie" if found.holds else "no near-tie"
    return [
        f"  {_mark(found.holds)} greedy tokens first differ at step {step} of {found.num_tokens}, {kind}: "
        f"{ours!r} here, {theirs!r} in llama.cpp by {found.gap_there:.4f} logits"
    ]


def _mark(holds: bool) -> str:
    return "holds: " if holds else "FAILS: "
