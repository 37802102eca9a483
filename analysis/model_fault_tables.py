"""Tables of a study of faults in a model's KV cache."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import pandas as pd

from .intervals import share_text
from .model_fault_archive import ALARMS, CONTROL, SPOILED, VERDICT, ModelFaults

WIDEST = 30  # characters to which cells are padded
EFFECTS = ("masked", "tolerable", "corrupted", "nan")
BIT_FAULTS = tuple(
    f"{field}_bit_of_{tensor}" for tensor in ("key", "value") for field in ("sign", "exponent", "mantissa")
)
SPAN_FAULTS = ("hbm3_pin", "hbm2_beat", "hbm2_entry", "dram_row")
LOCAL_FAULTS = (*BIT_FAULTS, *SPAN_FAULTS)


def effects_by_fault(study: ModelFaults) -> pd.DataFrame:
    """What each fault did to the continuation, one row a fault in the study's order."""
    rows = [_effect_row(name, study.trials[study.trials["name"] == name]) for name in study.faults]
    return pd.DataFrame(rows)


def _effect_row(name: str, trials: pd.DataFrame) -> dict[str, object]:
    applied = trials[trials["effect"] != "not_applicable"]
    counts = applied["effect"].value_counts()
    spoiled = applied[applied["effect"].isin(SPOILED)]
    return {
        "fault": name,
        "applied": len(applied),
        **{effect: int(counts.get(effect, 0)) for effect in EFFECTS},
        "output changed": share_text(len(spoiled), len(applied)),
        "first changed token": _median(spoiled["first_changed_token"]),
        "tokens changed": _mean_share(spoiled["changed_share"]),
        "KL of first token": _median(applied["first_divergence"]),
        "perplexity": _perplexity(applied["log_loss_change"]),
    }


def _median(values: pd.Series) -> str:
    known = values.dropna().to_numpy(dtype=float)
    return f"{np.median(known):.2g}" if len(known) else "-"


def _mean_share(values: pd.Series) -> str:
    return f"{values.mean():.0%}" if len(values) else "-"


def _perplexity(log_losses: pd.Series) -> str:
    known = log_losses.dropna().to_numpy(dtype=float)
    return f"x {np.exp(np.mean(known)):.4g}" if len(known) else "-"


def checksums_table(study: ModelFaults) -> pd.DataFrame:
    """What each checksum saw of the trials that changed the output, and of the others; equal rows are one."""
    rows = pd.DataFrame([_checksum_row(study, name) for name in study.checksums])
    outcome = [column for column in rows.columns if column != "checksum"]
    together = rows.groupby(outcome, sort=False)["checksum"].agg(", ".join).reset_index()
    return together[list(rows.columns)]


def _checksum_row(study: ModelFaults, name: str) -> dict[str, object]:
    spoiled, applied = study.spoiled, study.applied
    is_seen = spoiled[VERDICT + name].isin(ALARMS)
    kept = applied.drop(spoiled.index)
    is_unseen = ~kept[VERDICT + name].isin(ALARMS)
    controls = study.trials[study.trials["name"] == CONTROL]
    false_alarms = (applied[VERDICT + name] == "false_alarm").sum() + (controls[VERDICT + name] != "clean").sum()
    return {
        "checksum": name,
        "stopped": share_text(int(is_seen.sum()), len(spoiled)),
        "let through": _counts(spoiled, spoiled[~is_seen]),
        "unseen without harm": _counts(kept, kept[is_unseen]),
        "false alarms": int(false_alarms),
    }


def _counts(trials: pd.DataFrame, some: pd.DataFrame) -> str:
    """How many of each fault's trials are among ``some``, the most first."""
    totals = trials.groupby("name", observed=True).size()
    counts = some.groupby("name", observed=True).size().sort_values(ascending=False, kind="stable")
    return ", ".join(f"{name} {count}/{totals[name]}" for name, count in counts.items()) or "nothing"


def bits_table(study: ModelFaults) -> pd.DataFrame:
    """Single bit flips by the bit of the element, highest first, keys and values side by side."""
    flips = study.applied[study.applied["name"].str.contains("_bit_of_")]
    bits = sorted(flips["bit"].dropna().astype(int).unique(), reverse=True)
    return pd.DataFrame(
        [
            {"bit": bit, "field": flips["field"][flips["bit"] == bit].iloc[0]}
            | {
                tensor: _changed(flips[(flips["bit"] == bit) & (flips["tensor"] == tensor)])
                for tensor in ("key", "value")
            }
            for bit in bits
        ]
    )


def strata_table(study: ModelFaults) -> pd.DataFrame:
    """Faults of one place in one layer by thirds of the layers and by position of the token."""
    local = study.applied[study.applied["name"].isin(LOCAL_FAULTS) & study.applied["layer"].notna()]
    layers, tokens = local["layer"].astype(int), local["token"].astype(int)
    num_layers, num_tokens = int(layers.max()) + 1, int(study.provenance["num_prompt_tokens"])
    rows = []
    for first, end in _thirds(num_layers):
        rows.append((f"layers {first} to {end - 1}", layers.between(first, end - 1)))
    for first, end in ((0, 4), *_thirds(num_tokens, start=4)):
        rows.append((f"tokens {first} to {end - 1}", tokens.between(first, end - 1)))
    return pd.DataFrame([{"place": name, **_by_kind(local[chosen])} for name, chosen in rows])


def _by_kind(trials: pd.DataFrame) -> dict[str, str]:
    kinds = {"single bits": BIT_FAULTS, "bytes and lines": SPAN_FAULTS}
    return {kind: _changed(trials[trials["name"].isin(names)]) for kind, names in kinds.items()}


def _thirds(count: int, start: int = 0) -> list[tuple[int, int]]:
    edges = [start + (count - start) * part // 3 for part in range(4)]
    return list(zip(edges[:-1], edges[1:], strict=True))


def _changed(trials: pd.DataFrame) -> str:
    return share_text(int(trials["effect"].isin(SPOILED).sum()), len(trials))


def markdown(table: pd.DataFrame) -> str:
    """The table in Markdown, columns padded to equal width where that is short."""
    cells = [list(table.columns), *([str(value) for value in row] for row in table.itertuples(index=False))]
    widths = [max(len(row[place]) for row in cells if len(row[place]) <= WIDEST) for place in range(len(table.columns))]
    lines = [_line(row, widths) for row in cells]
    lines.insert(1, _line(["-" * width for width in widths], widths))
    return "\n".join(lines)


def _line(row: Iterable[str], widths: list[int]) -> str:
    return "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
