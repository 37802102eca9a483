"""The text, the prompt and the golden file that every check uses."""

from __future__ import annotations

import hashlib
from pathlib import Path

DATA_FOLDER = Path(__file__).resolve().parent / "data"
FIXED_TEXT_FILE = DATA_FOLDER / "smollm2_text.txt"
GOLDEN_FILE = DATA_FOLDER / "smollm2_golden.json"

FIXED_PROMPT = "<|im_start|>user\nExplain how a lighthouse works.<|im_end|>\n<|im_start|>assistant\n"
NUM_GREEDY_TOKENS = 32


def sha256_of_text(text: str) -> str:
    """Return the SHA-256 of ``text`` as UTF-8, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()
