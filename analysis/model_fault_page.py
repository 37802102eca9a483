"""The page of a study of faults in a model's KV cache, in Markdown."""

from __future__ import annotations

from .intervals import share_text
from .model_fault_archive import ALARMS, CONTROL, SPOILED, VERDICT, ModelFaults
from .model_fault_tables import bits_table, checksums_table, effects_by_fault, markdown, strata_table

PAGE = """\
# Faults in the KV cache of a real model

Which faults in the KV cache of {model} change what it writes, how far, and which checksum would have
stopped them? Each trial damages the cache of one prompt ({num_prompt_tokens} tokens, all layers, {element_type}) after
the producer's sums, asks every checksum, and lets the model write on from the damaged cache.

{trials} trials, {applied} of them with a fault that could strike; {spoiled} changed a token or made NaN. Brackets are
95 % Wilson intervals. The shares of all faults together depend on how many trials each has; compare rows.

![Effects by fault, and what each checksum saw]({figure})

## What each fault does

`masked`: every logit kept its value; `tolerable`: every token stayed; `corrupted`: a token changed; `nan`: a logit was
NaN. `first changed token` is the median step, from 0, of the trials that changed the output, `tokens changed` the mean
share of their tokens that are others when the model goes on from its own. `KL of first token` is the median divergence
(nats) of the next token's distribution, `perplexity` the geometric mean of the factor on the intact continuation's
perplexity, given its tokens; both leave NaN out.

{effects}

{refused}

## Single bits

Share of flips that change the output, by the bit of the element.

{bits}

## Where

Single bits of all kinds, and pins, beats, entries and lines, by where they strike.

{strata}

## Which checksum would have stopped it

`stopped`: share of the {spoiled} trials that changed the output and that the checksum saw. `let through`: the others,
by fault, of so many that changed it. `unseen without harm`: of trials that changed no token. `false alarms`: of faults
that change nothing that is read, and of intact caches. Garbage past the last token (`tail_garbage`) is none of a
checksum's business.

{checksums}

A key carries its position (it is rotated before it is stored), and attention asks for no order: tokens that exchange
their places, keys and values together (`exchanged_tokens`), change rounding at most. What sums without order are blind
to there does no harm; that they are blind to exchanged heads, layers and halves does.

An alarm says that bytes differ, not that it matters: of the trials that `crc32` saw, {needless}
had changed no token within the continuation.

## How it was measured

- Between producer and consumer: records are made when the prompt has been written, over the rows of one block in all
  layers; the consumer sums the same rows before it decodes. `kv_canary` records lie beside the slots.
- Before the prompt, an earlier text filled every block, so that stale blocks, late writes and slots past the end hold
  keys and values of the same model. A reader that counts one token more or fewer places its new tokens accordingly;
  what masks the tail compares nothing then (`unverified`, let through).
- The prefill's token comes first; the {num_tokens} tokens decoded after it from the cache are compared with the intact
  cache's. Trials share the prompt's blocks, and read copies of their own of what a fault or they themselves write.
- {controls} trials without a fault: {clean_controls} masked, no alarm in {quiet_controls}.

One prompt, one model, greedy decoding: another prompt gives other shares, most of all for faults that rarely matter.
The prompt, the model's SHA-256, versions and every trial are in the archive. Made by

    {command}
    python -m kvarium.analysis.model_faults {archive} --output {page}
"""


def model_faults_page(study: ModelFaults, *, figure: str, archive: str, page: str) -> str:
    """Return the page; ``figure``, ``archive`` and ``page`` are the names that it and its commands have."""
    applied = study.applied
    seen = applied[applied[VERDICT + "crc32"].isin(ALARMS)]
    needless = int((~seen["effect"].isin(SPOILED)).sum())
    controls = study.trials[study.trials["name"] == CONTROL]
    verdicts = controls[[VERDICT + name for name in study.checksums]]
    return PAGE.format(
        model=study.provenance["model"],
        num_prompt_tokens=study.provenance["num_prompt_tokens"],
        element_type=study.provenance["element_type"],
        num_tokens=study.num_tokens,
        trials=len(study.trials),
        applied=len(applied),
        spoiled=len(study.spoiled),
        figure=figure,
        effects=markdown(effects_by_fault(study)),
        refused=_refused(study),
        bits=markdown(bits_table(study)),
        strata=markdown(strata_table(study)),
        checksums=markdown(checksums_table(study)),
        needless=share_text(needless, len(seen)),
        controls=len(controls),
        clean_controls=int((controls["effect"] == "masked").sum()),
        quiet_controls=int((verdicts == "clean").all(axis=1).sum()),
        command=study.provenance["command"],
        archive=archive,
        page=page,
    )


def _refused(study: ModelFaults) -> str:
    """Say which faults could not strike, and why."""
    refused = study.trials[study.trials["effect"] == "not_applicable"]
    reasons = refused.groupby(["name", "refusal"], observed=True, sort=False).size()
    told = [f"`{name}` {count} times ({reason})" for (name, reason), count in reasons.items()]
    return f"Could not strike: {'; '.join(told)}." if told else "Every fault could strike."
