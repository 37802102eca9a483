"""Run SmolLM2-135M-Instruct over kvarium's paged cache; see ``python -m kvarium.models.smollm2 --help``."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from kvarium import InputError

from .dump_text import describe_dump, dump_text
from .fixed_input import DUMP_TEXT_FILE
from .golden_check import check_against_golden
from .greedy_decoding import decode_greedily
from .loaded_model import LoadedModel, encode_text, load_model
from .model_file import find_packaged_model
from .new_file import new_file
from .one_line_parser import report_input_errors
from .smollm2_options import describe_command, parse_options


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code: 0 done, 1 the check does not hold, 2 the input was wrong."""
    return report_input_errors(lambda: _run(parse_options(arguments)))


def _run(options: argparse.Namespace) -> int:
    loaded = load_model(options.model if options.model is not None else find_packaged_model())
    if options.output is not None:
        _write_dump(loaded, options)
    if options.generate is not None:
        _generate(loaded, options)
    if not options.check:
        return 0
    lines, holds = check_against_golden(loaded, options.golden, options.element_type)
    print("\n".join(lines))
    return 0 if holds else 1


def _write_dump(loaded: LoadedModel, options: argparse.Namespace) -> None:
    text = read_text(options.text if options.text is not None else DUMP_TEXT_FILE)
    layers = _choose_layers(options.layers, loaded.model.hyperparameters.num_layers)
    token_ids = encode_text(loaded, text, num_tokens=options.tokens)
    command = describe_command(options, layers, len(token_ids))
    description = describe_dump(loaded, text, layers=layers, element_type=options.element_type, command=command)
    start = time.perf_counter()
    try:
        with new_file(options.output, overwrite=options.force) as unfinished:
            dump_text(loaded, token_ids, description, unfinished)
    except OSError as error:
        raise InputError(f"cannot write {options.output}: {error}; give another --output") from error
    size, seconds = options.output.stat().st_size, time.perf_counter() - start
    print(f"{options.output}: {len(layers)} layers, {len(token_ids)} tokens, {options.element_type}", end="")
    print(f", {size / 1e6:.2f} MB in {seconds:.1f} s")


def _generate(loaded: LoadedModel, options: argparse.Namespace) -> None:
    prompt = encode_text(loaded, options.prompt, num_tokens=None, extra_tokens=options.generate)
    end_token_ids = (loaded.tokenizer.end_token_id,)
    generated = decode_greedily(
        loaded.model, prompt, options.generate, element_type=options.element_type, end_token_ids=end_token_ids
    )
    print(loaded.tokenizer.decode([token_id for token_id in generated if token_id not in end_token_ids]))


def read_text(path: Path) -> str:
    """Return the text of a UTF-8 file. Errors: InputError."""
    try:
        return path.read_bytes().decode("utf-8")
    except OSError as error:
        raise InputError(f"cannot read text {path}: {error.strerror}; give a readable file with --text") from error
    except UnicodeDecodeError as error:
        raise InputError(f"text {path} is not UTF-8 (byte {error.start}); convert it or give another --text") from error


def _choose_layers(wanted: list[int] | None, num_layers: int) -> list[int]:
    if wanted is None:
        return list(range(num_layers))
    if wanted[-1] >= num_layers:
        raise InputError(f"--layers names layer {wanted[-1]}, but the model has layers 0 to {num_layers - 1}")
    return wanted


if __name__ == "__main__":
    sys.exit(main())
