"""A small view of an archive for notebooks."""

from __future__ import annotations

from html import escape

import pandas as pd

_MOST_ROWS = 20


def archive_html(title: str, state: str, path: str, points: pd.DataFrame) -> str:
    """Heading, status counts and the first points; its size does not grow with the archive."""
    counts = points["status"].value_counts()
    statuses = ", ".join(f"{count} {escape(str(status))}" for status, count in counts.items() if count)
    shown = points.head(_MOST_ROWS).drop(columns=["id"], errors="ignore")
    rest = f"<p>... {len(points) - _MOST_ROWS} more points</p>" if len(points) > _MOST_ROWS else ""
    return (
        f"<div><strong>kvarium archive '{escape(title)}'</strong> ({escape(state)})<br/>"
        f"<code>{escape(path)}</code><br/>{statuses}{shown.to_html(border=0)}{rest}</div>"
    )
