"""Questions to llama.cpp through the package ``llama-cpp-python``, which only the golden file needs."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from kvarium import InputError

from .golden_file import NextTokens
from .weights import FloatArray

CONTEXT_SIZE = 1024  # tokens; more than the fixed text, or the prompt with its answer
NUM_THREADS = 2


class LlamaCpp:
    """One model in llama.cpp, on the CPU, with its KV cache in float16 or float32."""

    def __init__(self, model_path: Path, *, cache_type: str) -> None:
        """Load a GGUF file. Errors: InputError if the package is missing or cannot load the file."""
        try:
            import llama_cpp
        except ImportError as error:
            raise InputError("package llama-cpp-python is not installed; run: pip install llama-cpp-python") from error
        ggml_type = {"float16": llama_cpp.GGML_TYPE_F16, "float32": llama_cpp.GGML_TYPE_F32}[cache_type]
        try:
            self._llama = llama_cpp.Llama(
                str(model_path),
                n_ctx=CONTEXT_SIZE,
                n_batch=CONTEXT_SIZE,
                n_threads=NUM_THREADS,
                logits_all=True,
                type_k=ggml_type,
                type_v=ggml_type,
                verbose=False,
            )
        except ValueError as error:
            raise InputError(f"llama.cpp cannot load {model_path} ({error}); give a GGUF file with --model") from error

    def tokenize(self, text: str) -> list[int]:
        """Return the token ids of ``text``; control tokens are recognised, nothing is added."""
        return list(self._llama.tokenize(text.encode(), add_bos=False, special=True))

    def next_tokens(self, token_ids: Sequence[int]) -> NextTokens:
        """Return the answer after every prefix of ``token_ids``, all evaluated in one batch."""
        return _two_best(self._logits(token_ids))

    def greedy(self, prompt_token_ids: Sequence[int], num_tokens: int) -> NextTokens:
        """Return the answers of ``num_tokens`` steps of greedy decoding after the prompt."""
        rows = [self._logits(prompt_token_ids)[-1]]
        while len(rows) < num_tokens:
            self._llama.eval([int(np.argmax(rows[-1]))])
            rows.append(np.array(self._llama.scores[self._llama.n_tokens - 1], dtype=np.float32))
        return _two_best(np.stack(rows))

    def _logits(self, token_ids: Sequence[int]) -> FloatArray:
        self._llama.reset()
        self._llama.eval(token_ids)
        return np.array(self._llama.scores[: len(token_ids)], dtype=np.float32)


def describe_llama_cpp() -> dict[str, str]:
    """Return the versions of llama.cpp and its Python package, and what of the processor it uses."""
    import llama_cpp

    return {
        "llama_cpp_python": str(llama_cpp.__version__),
        "llama_cpp": llama_cpp.llama_version().decode(),
        "llama_cpp_system": llama_cpp.llama_print_system_info().decode().strip(" |"),
    }


def _two_best(logits: FloatArray) -> NextTokens:
    order = np.argsort(-logits, axis=1, kind="stable")[:, :2]
    best, second = np.take_along_axis(logits, order, axis=1).astype(np.float64).T
    gaps = [round(gap, 4) for gap in (best - second).tolist()]
    return NextTokens(token_ids=order[:, 0].tolist(), second_token_ids=order[:, 1].tolist(), gaps=gaps)
