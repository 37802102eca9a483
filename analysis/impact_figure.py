"""The figure of a fault_impact archive: what faults did, and what the checksum saw."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from .archive import Archive
from .archive_error import ArchiveError

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito's colours, told apart by colour-blind readers too.
_EFFECT_COLOURS = {"masked": "#56B4E9", "tolerable": "#009E73", "corrupted": "#E69F00", "nan": "#D55E00"}
_RATES = {"detected": ("#0072B2", "detected by the checksum"), "silent": ("#D55E00", "output spoiled, undetected")}


def point_labels(archive: Archive) -> pd.Series[str]:
    """Swept values of each point in one line, by point."""
    points = archive.points()
    keys = archive.swept
    if not keys:
        return pd.Series(["all trials"] * len(points), index=points.index)
    return points[keys].astype(str).agg("  ".join, axis=1)


def _checked_summary(archive: Archive) -> pd.DataFrame:
    summary = archive.summary()
    needed = ["applicable", *_EFFECT_COLOURS, *(f"{rate}_{end}" for rate in _RATES for end in ("rate", "low", "high"))]
    missing = [name for name in needed if name not in summary.columns]
    if missing:
        raise ArchiveError(
            f"{archive.path}: /summary has no column '{missing[0]}'; this figure needs an archive of kind fault_impact"
        )
    summary = summary[summary["applicable"] > 0]
    if summary.empty:
        raise ArchiveError(f"{archive.path}: no point has an applicable fault to show; run the experiment first")
    return summary


def draw_effects(summary: pd.DataFrame, ax: Axes) -> Axes:
    """Stacked bars: share of applicable faults with each effect, one bar a point, in the order of ``summary``."""
    rows = np.arange(len(summary))
    left = np.zeros(len(summary))
    for effect, colour in _EFFECT_COLOURS.items():
        share = (summary[effect] / summary["applicable"]).to_numpy(dtype=float)
        ax.barh(rows, share, left=left, color=colour, label="NaN" if effect == "nan" else effect)
        left += share
    spoiled = summary["spoiled_rate"].to_numpy(dtype=float)
    bounds = np.array([spoiled - summary["spoiled_low"], summary["spoiled_high"] - spoiled], dtype=float)
    ax.errorbar(1 - spoiled, rows, xerr=bounds[::-1].clip(min=0), fmt="none", ecolor="black", capsize=2, linewidth=1)
    ax.set(xlim=(0, 1), xlabel="share of applicable faults", title="Effect on the attention output")
    return ax


def draw_rates(summary: pd.DataFrame, ax: Axes) -> Axes:
    """Detected and silent shares with their 95 % Wilson intervals, one row a point."""
    rows = np.arange(len(summary))
    for offset, (rate, (colour, label)) in zip((-0.12, 0.12), _RATES.items(), strict=True):
        centre = summary[f"{rate}_rate"].to_numpy(dtype=float)
        bounds = np.array([centre - summary[f"{rate}_low"], summary[f"{rate}_high"] - centre], dtype=float)
        ax.errorbar(
            centre, rows + offset, xerr=bounds.clip(min=0), fmt="o", markersize=4, capsize=2, color=colour, label=label
        )
    ax.set(xlim=(-0.03, 1.03), xlabel="share of applicable faults", title="What the checksum saw")
    ax.grid(axis="x", alpha=0.3)
    return ax


def impact_figure(archive: Archive) -> Figure:
    """Both panels side by side, one row for each point that injected faults.

    Intervals are 95 % Wilson; in the left panel the bar marks the border of spoiled outputs (corrupted and NaN).
    Raises ArchiveError when the archive is not of kind fault_impact or holds no fault.
    """
    from matplotlib.figure import Figure

    summary = _checked_summary(archive)
    figure = Figure(figsize=(11, 1.8 + 0.36 * len(summary)), layout="constrained")
    axes = figure.subplots(1, 2, sharey=True, width_ratios=(3, 2))
    draw_effects(summary, axes[0])
    draw_rates(summary, axes[1])
    axes[0].set_yticks(np.arange(len(summary)), point_labels(archive).loc[summary.index])
    axes[0].invert_yaxis()
    for ax in axes:
        ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.14), ncols=4, frameon=False, fontsize="small")
    trials = int(summary["applicable"].sum())
    figure.suptitle(f"{archive.title}: {trials} faults in {len(summary)} points")
    return figure
