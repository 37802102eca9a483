"""Confidence intervals of shares."""

from __future__ import annotations

import math

NORMAL_QUANTILE_95 = 1.959963984540054


def wilson_interval(successes: int, trials: int) -> tuple[float, float]:
    """Two-sided 95 % Wilson score interval of a share; (0, 1) without a trial.

    Source: Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927).
    """
    if trials == 0:
        return 0.0, 1.0
    share, square = successes / trials, NORMAL_QUANTILE_95**2 / trials
    centre = (share + square / 2) / (1 + square)
    margin = math.sqrt(square * (share * (1 - share) + square / 4)) / (1 + square)
    low = 0.0 if successes == 0 else centre - margin
    high = 1.0 if successes == trials else centre + margin
    return low, high


def share_text(successes: int, trials: int) -> str:
    """``0.25 [0.11, 0.47]``: a share with its interval; a dash without a trial."""
    if trials == 0:
        return "-"
    low, high = wilson_interval(successes, trials)
    return f"{successes / trials:.3g} [{low:.3g}, {high:.3g}]"
