from __future__ import annotations

import pytest

from kvarium.analysis.intervals import share_text, wilson_interval


# Newcombe, "Two-sided confidence intervals for the single proportion", Statistics in Medicine 17 (1998), table I.
@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_intervals_are_those_of_a_published_table(successes: int, trials: int, low: float, high: float) -> None:
    assert wilson_interval(successes, trials) == pytest.approx((low, high), abs=5e-5)


def test_an_interval_of_all_or_nothing_ends_at_the_border_and_of_no_trial_says_nothing() -> None:
    assert wilson_interval(20, 20)[1] == 1.0
    assert wilson_interval(0, 20)[0] == 0.0
    assert wilson_interval(0, 0) == (0.0, 1.0)
    assert share_text(0, 0) == "-"
    assert share_text(81, 263) == "0.308 [0.255, 0.366]"
