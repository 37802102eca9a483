"""A model file with all that is read from it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from kvarium import InputError

from .language_model import LanguageModel
from .model_file import open_model_file
from .tokenizer import TextTokenizer, read_tokenizer


@dataclass(frozen=True)
class LoadedModel:
    """The file, the model and its tokenizer; weights are still to be read."""

    path: Path
    model: LanguageModel
    tokenizer: TextTokenizer


def load_model(path: Path) -> LoadedModel:
    """Open ``path`` and check that it holds a model this package runs. Errors: InputError."""
    reader = open_model_file(path)
    loaded = LoadedModel(path, LanguageModel(reader), read_tokenizer(reader))
    tokens, rows = loaded.tokenizer.vocabulary_size, loaded.model.vocabulary_size
    if tokens != rows:
        raise InputError(f"model file has {tokens} tokens but embeds {rows}; give another file with --model")
    return loaded


def encode_text(loaded: LoadedModel, text: str, *, num_tokens: int | None, extra_tokens: int = 0) -> list[int]:
    """Return the first ``num_tokens`` token ids of ``text`` (None: all).

    Errors: InputError if the text is empty, has fewer tokens than that, or does not
    fit into the model's context together with ``extra_tokens`` more.
    """
    token_ids = loaded.tokenizer.encode(text)
    if not token_ids:
        raise InputError("the text is empty; give one with at least one character")
    if num_tokens is not None and num_tokens > len(token_ids):
        raise InputError(f"the text has {len(token_ids)} tokens, fewer than --tokens {num_tokens}; ask for fewer")
    wanted = token_ids[:num_tokens]
    room = loaded.model.hyperparameters.context_length - extra_tokens
    if len(wanted) > room:
        raise InputError(
            f"the text has {len(wanted)} tokens, more than the {room} that the model's context leaves; "
            "give a shorter text, or fewer with --tokens or --generate"
        )
    return wanted
