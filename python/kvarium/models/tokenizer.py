"""The model's tokenizer: byte-level byte-pair encoding built from GGUF metadata."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from kvarium import InputError

from .model_file import REMEDY, read_metadata, read_optional_metadata

if TYPE_CHECKING:
    from gguf import GGUFReader
    from tokenizers import Tokenizer

# Token types of the GGUF specification whose text stands for one token wherever it occurs.
CONTROL_TOKEN = 3
USER_DEFINED_TOKEN = 4


class TextTokenizer:
    """Text to token ids and back; the text of a control token (``<|im_start|>``) is that token."""

    def __init__(self, tokenizer: Tokenizer, end_token_id: int) -> None:
        self._tokenizer = tokenizer
        self.end_token_id = end_token_id

    @property
    def vocabulary_size(self) -> int:
        """Number of token ids, control tokens included."""
        return int(self._tokenizer.get_vocab_size())

    def encode(self, text: str) -> list[int]:
        """Return the token ids of ``text``; nothing is added before or after it."""
        return list(self._tokenizer.encode(text, add_special_tokens=False).ids)

    def decode(self, token_ids: Sequence[int]) -> str:
        """Return the text of ``token_ids``, control tokens included; broken UTF-8 becomes U+FFFD."""
        return str(self._tokenizer.decode(list(token_ids), skip_special_tokens=False))


def read_tokenizer(reader: GGUFReader) -> TextTokenizer:
    """Build the tokenizer from the vocabulary and the merges that the model file holds.

    Errors: InputError if the package ``tokenizers`` is missing, or the file's
    tokenizer is not of type ``gpt2`` with the pre-tokenizer ``smollm``.

    Source: splitting rule of the pre-tokenizer as llama.cpp has it (every digit
    alone, then the expression of GPT-2); checked against its ids in the tests.
    """
    kind = (read_metadata(reader, "tokenizer.ggml.model"), read_metadata(reader, "tokenizer.ggml.pre"))
    if kind != ("gpt2", "smollm"):
        raise InputError(
            f"model file has tokenizer {kind[0]!r} with pre-tokenizer {kind[1]!r}; only 'gpt2' with 'smollm' "
            "is supported, give such a file with --model"
        )
    if read_optional_metadata(reader, "tokenizer.ggml.add_bos_token", False):
        raise InputError("model file wants a token before every text, which is not supported; give another --model")
    tokens = read_metadata(reader, "tokenizer.ggml.tokens")
    types = read_metadata(reader, "tokenizer.ggml.token_type")
    if len(types) != len(tokens):
        raise InputError(f"model file has {len(types)} token types for {len(tokens)} tokens; give another with --model")
    tokenizer = _build(tokens, read_metadata(reader, "tokenizer.ggml.merges"))
    _add_special_tokens(tokenizer, tokens, types)
    return TextTokenizer(tokenizer, int(read_metadata(reader, "tokenizer.ggml.eos_token_id")))


def _build(tokens: Sequence[str], merges: Sequence[str]) -> Tokenizer:
    try:
        from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers
    except ImportError as error:
        raise InputError(f"package tokenizers, which splits text, is not installed; {REMEDY}") from error
    vocabulary = {token: index for index, token in enumerate(tokens)}
    pairs = [(left, right) for left, _, right in (merge.partition(" ") for merge in merges)]
    try:
        tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=pairs))
    except Exception as error:  # the library has no type of its own for this
        raise InputError(f"model file has wrong merges of tokens ({error}); give another with --model") from error
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(r"\p{N}"), behavior="isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=True),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    return tokenizer


def _add_special_tokens(tokenizer: Tokenizer, tokens: Sequence[str], types: Sequence[int]) -> None:
    from tokenizers import AddedToken

    special = [
        AddedToken(token, normalized=False, special=True)
        for token, kind in zip(tokens, types, strict=True)
        if kind in (CONTROL_TOKEN, USER_DEFINED_TOKEN)
    ]
    tokenizer.add_special_tokens(special)
