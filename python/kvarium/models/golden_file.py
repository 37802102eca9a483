"""What llama.cpp answers to the fixed input, as a small JSON file."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from kvarium import InputError

REMEDY = "make one with: python -m kvarium.models.golden"


@dataclass(frozen=True)
class NextTokens:
    """The most likely next token after each of some prefixes; all lists have one entry a prefix.

    ``gaps`` are the highest logit less the second highest, rounded to four decimals.
    """

    token_ids: list[int]
    second_token_ids: list[int]
    gaps: list[float]


@dataclass(frozen=True)
class Run:
    """llama.cpp's answers in one arithmetic, which ``arithmetic`` describes.

    ``text_next`` has one entry a token of the fixed text; ``greedy`` one a decoded
    token after the prompt, each step fed with llama.cpp's own choice before it.
    """

    arithmetic: str
    text_next: NextTokens
    greedy: NextTokens


@dataclass(frozen=True)
class TokenizedText:
    """A text and its token ids."""

    text: str
    token_ids: list[int]


@dataclass(frozen=True)
class Golden:
    """llama.cpp's answers, with all that identifies what it was asked."""

    made_with: dict[str, str]
    model_sha256: str
    text_sha256: str
    text_token_ids: list[int]
    prompt: TokenizedText
    runs: list[Run]
    tokenizer_cases: list[TokenizedText]


def write_golden(golden: Golden, path: Path) -> None:
    """Write ``golden`` as JSON, every list of numbers on one line. Errors: OSError."""
    text = json.dumps(asdict(golden), indent=1)
    path.write_text(re.sub(r"\[[-\s\d.,e]*\]", _on_one_line, text) + "\n", encoding="utf-8")


def read_golden(path: Path) -> Golden:
    """Read a golden file. Errors: InputError if it cannot be read or is another kind of file."""
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"cannot read golden file {path}: {error.strerror}; {REMEDY}") from error
    except ValueError as error:
        raise InputError(f"{path} is not a golden file (not JSON: {error}); {REMEDY}") from error
    try:
        golden = _from_json(content)
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise InputError(f"{path} is not a golden file (wrong or missing entry: {error}); {REMEDY}") from error
    _check_lengths(golden, path)
    return golden


def _on_one_line(match: re.Match[str]) -> str:
    return " ".join(match.group().split()).replace("[ ", "[").replace(" ]", "]")


def _from_json(content: dict[str, Any]) -> Golden:
    return Golden(
        made_with={str(key): str(value) for key, value in content["made_with"].items()},
        model_sha256=str(content["model_sha256"]),
        text_sha256=str(content["text_sha256"]),
        text_token_ids=_integers(content["text_token_ids"]),
        prompt=_tokenized_text(content["prompt"]),
        runs=[_run(run) for run in content["runs"]],
        tokenizer_cases=[_tokenized_text(case) for case in content["tokenizer_cases"]],
    )


def _integers(values: list[Any]) -> list[int]:
    return [int(value) for value in values]


def _run(content: dict[str, Any]) -> Run:
    return Run(
        arithmetic=str(content["arithmetic"]),
        text_next=_next_tokens(content["text_next"]),
        greedy=_next_tokens(content["greedy"]),
    )


def _next_tokens(content: dict[str, Any]) -> NextTokens:
    return NextTokens(
        token_ids=_integers(content["token_ids"]),
        second_token_ids=_integers(content["second_token_ids"]),
        gaps=[float(gap) for gap in content["gaps"]],
    )


def _tokenized_text(content: dict[str, Any]) -> TokenizedText:
    return TokenizedText(text=str(content["text"]), token_ids=_integers(content["token_ids"]))


def _check_lengths(golden: Golden, path: Path) -> None:
    if not golden.runs:
        raise InputError(f"{path} is not a golden file (it has no runs); {REMEDY}")
    for run in golden.runs:
        for name, answers, count in (
            ("text_next", run.text_next, len(golden.text_token_ids)),
            ("greedy", run.greedy, len(run.greedy.token_ids)),
        ):
            lengths = {len(answers.token_ids), len(answers.second_token_ids), len(answers.gaps)}
            if lengths != {count} or count == 0:
                raise InputError(f"{path} is not a golden file (lists of {name} do not have equal lengths); {REMEDY}")
