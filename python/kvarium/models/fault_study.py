"""Study faults in the KV cache of SmolLM2-135M-Instruct; see ``python -m kvarium.models.fault_study --help``."""

from __future__ import annotations

import argparse
import platform
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np

import kvarium
from kvarium import InputError

from .fault_archive import StudyPlan, write_study
from .fault_campaign import FaultStudy, StudyResult, StudySettings
from .fault_study_options import describe_command, parse_options
from .fixed_input import DUMP_TEXT_FILE, STUDY_PROMPT_FILE, sha256_of_text
from .loaded_model import LoadedModel, encode_text, load_model
from .model_file import find_packaged_model, sha256_of_file
from .new_file import new_file
from .one_line_parser import report_input_errors
from .prompt_cache import PromptCache
from .smollm2 import read_text
from .study_checksums import study_checksums
from .study_faults import study_faults

BLOCK_ORDER_SEED = 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code: 0 done, 2 the input was wrong."""
    return report_input_errors(lambda: _run(parse_options(arguments)))


def _run(options: argparse.Namespace) -> int:
    loaded = load_model(options.model if options.model is not None else find_packaged_model())
    prompt = read_text(options.prompt if options.prompt is not None else STUDY_PROMPT_FILE)
    earlier = read_text(DUMP_TEXT_FILE)
    settings = StudySettings(options.trials, options.tokens, options.branches, options.seed)
    plan = StudyPlan(study_faults(), study_checksums(), settings)
    start = time.perf_counter()
    try:
        with new_file(options.output, overwrite=options.force) as unfinished:
            result = _study(loaded, prompt, earlier, plan, options.element_type)
            write_study(unfinished, plan, result, _provenance(loaded, prompt, earlier, options))
    except OSError as error:
        raise InputError(f"cannot write {options.output}: {error}; give another --output") from error
    size, seconds = options.output.stat().st_size, time.perf_counter() - start
    print(f"{options.output}: {len(result.trials)} trials, {size / 1e6:.2f} MB in {seconds:.0f} s")
    return 0


def _study(loaded: LoadedModel, prompt: str, earlier: str, plan: StudyPlan, element_type: str) -> StudyResult:
    settings = plan.settings
    # The first token after the prompt and the one slot that a miscount adds.
    token_ids = encode_text(loaded, prompt, num_tokens=None, extra_tokens=settings.num_tokens + 2)
    cache = PromptCache(
        loaded.model,
        element_type,
        token_ids,
        loaded.tokenizer.encode(earlier),
        num_generated=settings.num_tokens,
        seed=BLOCK_ORDER_SEED,
    )
    return FaultStudy(loaded.model, cache, plan.checksums, settings).run(plan.faults, _report)


def _report(what: str, done: int, total: int) -> None:
    end = "\n" if done == total or not sys.stderr.isatty() else "\r"
    print(f"{done} of {total} {what}", end=end, file=sys.stderr, flush=True)


def _provenance(loaded: LoadedModel, prompt: str, earlier: str, options: argparse.Namespace) -> dict[str, str | int]:
    return {
        "command": describe_command(options),
        "model": Path(loaded.path).stem,
        "model_sha256": sha256_of_file(loaded.path),
        "prompt": prompt,
        "prompt_sha256": sha256_of_text(prompt),
        "num_prompt_tokens": len(loaded.tokenizer.encode(prompt)),
        "earlier_text_sha256": sha256_of_text(earlier),
        "element_type": options.element_type,
        "seed": options.seed,
        "kvarium_version": kvarium.__version__,
        "numpy_version": np.__version__,
        "python_version": platform.python_version(),
        "processor": platform.machine(),
    }


if __name__ == "__main__":
    sys.exit(main())
