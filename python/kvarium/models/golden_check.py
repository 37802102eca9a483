"""Comparing this model with llama.cpp's golden file."""

from __future__ import annotations

from pathlib import Path

from kvarium import InputError

from .agreement import report_agreement
from .fixed_input import CHECK_TEXT_FILE, sha256_of_text
from .golden_file import Golden, read_golden
from .greedy_decoding import decode_greedily
from .loaded_model import LoadedModel
from .model_file import sha256_of_file
from .paged_model_cache import PagedModelCache


def check_against_golden(loaded: LoadedModel, golden_path: Path, element_type: str) -> tuple[list[str], bool]:
    """Run the fixed text and the fixed prompt with a cache of ``element_type``.

    Returns the lines of the report and whether the model agrees well enough with
    llama.cpp.  Errors: InputError if the golden file is none, or of another model or text.
    """
    golden = read_golden(golden_path)
    _refuse_other_input(golden, golden_path, loaded)
    token_lines, tokens_agree = _check_token_ids(loaded, golden)
    cache = PagedModelCache(loaded.model.hyperparameters, element_type, max_tokens=len(golden.text_token_ids))
    logits = loaded.model.logits(loaded.model.forward(golden.text_token_ids, cache))
    num_tokens = len(golden.runs[0].greedy.token_ids)
    greedy = list(decode_greedily(loaded.model, golden.prompt.token_ids, num_tokens, element_type=element_type))
    lines, agree = report_agreement(golden, logits, greedy, loaded.tokenizer.decode)
    versions = f"llama.cpp {golden.made_with.get('llama_cpp', 'of unknown version')}"
    head = f"{loaded.path.name} over {cache.num_tokens} tokens, {element_type} cache, against {versions}"
    return [head, *token_lines, *lines], tokens_agree and agree


def _refuse_other_input(golden: Golden, golden_path: Path, loaded: LoadedModel) -> None:
    text = CHECK_TEXT_FILE.read_text(encoding="utf-8")
    for name, wanted, found in (
        ("model file", golden.model_sha256, sha256_of_file(loaded.path)),
        ("text", golden.text_sha256, sha256_of_text(text)),
    ):
        if wanted != found:
            raise InputError(
                f"golden file {golden_path} is of another {name} (SHA-256 {wanted[:12]}..., here {found[:12]}...); "
                "make one for it with: python -m kvarium.models.golden"
            )
    lengths = {len(run.greedy.token_ids) for run in golden.runs}
    if len(lengths) != 1:
        raise InputError(f"{golden_path} is not a golden file (its runs decode different numbers of tokens)")


def _check_token_ids(loaded: LoadedModel, golden: Golden) -> tuple[list[str], bool]:
    text = CHECK_TEXT_FILE.read_text(encoding="utf-8")
    cases = [(case.text, case.token_ids) for case in [*golden.tokenizer_cases, golden.prompt]]
    cases.append((text, golden.text_token_ids))
    wrong = [case for case, token_ids in cases if loaded.tokenizer.encode(case) != token_ids]
    mark = "FAILS: " if wrong else "holds: "
    lines = [f"  {mark} token ids equal for {len(cases) - len(wrong)} of {len(cases)} texts"]
    return lines + [f"         other token ids: {case[:60]!r}" for case in wrong], not wrong
