"""Figures of a study of faults in a model's KV cache."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .model_fault_archive import ALARMS, VERDICT, ModelFaults
from .model_fault_tables import EFFECTS

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito's colours, told apart by colour-blind readers too.
_EFFECT_COLOURS = {"masked": "#56B4E9", "tolerable": "#009E73", "corrupted": "#E69F00", "nan": "#D55E00"}


def _draw_effects(study: ModelFaults, names: list[str], ax: Axes) -> None:
    """Stacked bars: share of each fault's trials with each effect."""
    applied = study.applied
    left = np.zeros(len(names))
    for effect in EFFECTS:
        share = np.array([(applied["effect"][applied["name"] == name] == effect).mean() for name in names])
        label = "NaN" if effect == "nan" else effect
        ax.barh(np.arange(len(names)), share, left=left, color=_EFFECT_COLOURS[effect], label=label)
        left += share
    ax.set(xlim=(0, 1), xlabel="share of trials", title="What the model wrote")
    ax.set_yticks(np.arange(len(names)), names, fontsize="small")
    ax.legend(loc="upper center", bbox_to_anchor=(0.5, -0.06), ncols=4, frameon=False, fontsize="small")


def _draw_seen(study: ModelFaults, names: list[str], ax: Axes) -> None:
    """Cells: share of a fault's trials that a checksum saw; dark is unseen."""
    applied = study.applied
    shares = np.array(
        [
            [applied[VERDICT + checksum][applied["name"] == name].isin(ALARMS).mean() for checksum in study.checksums]
            for name in names
        ]
    )
    image = ax.imshow(shares, vmin=0, vmax=1, aspect="auto", cmap="cividis")
    ax.set_xticks(np.arange(len(study.checksums)), study.checksums, rotation=90, fontsize="small")
    ax.set_title("Share of trials that a checksum saw")
    ax.figure.colorbar(image, ax=ax, shrink=0.5)


def model_faults_figure(study: ModelFaults) -> Figure:
    """Effects of every fault that could strike, and beside them what each checksum saw; the first fault on top."""
    from matplotlib.figure import Figure

    could_strike = set(study.applied["name"])
    names = [name for name in study.faults if name in could_strike]
    figure = Figure(figsize=(13, 2 + 0.24 * len(names)), layout="constrained")
    axes = figure.subplots(1, 2, sharey=True)
    _draw_effects(study, names, axes[0])
    _draw_seen(study, names, axes[1])
    return figure
