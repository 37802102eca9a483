"""The texts, the prompt and the golden file that come with the package."""

from __future__ import annotations

import hashlib
from pathlib import Path

DATA_FOLDER = Path(__file__).resolve().parent / "data"
# Lists and copies, easy to predict: where llama.cpp's two best tokens nearly tie, its own rounding decides.
CHECK_TEXT_FILE = DATA_FOLDER / "smollm2_check_text.txt"
# Plain prose: copies in the text would make keys and values of one place pass for those of another.
DUMP_TEXT_FILE = DATA_FOLDER / "smollm2_dump_text.txt"
# Facts to be told again: the answer needs tokens from all over the prompt.
STUDY_PROMPT_FILE = DATA_FOLDER / "fault_study_prompt.txt"
GOLDEN_FILE = DATA_FOLDER / "smollm2_golden.json"

FIXED_PROMPT = "<|im_start|>user\nExplain how a lighthouse works.<|im_end|>\n<|im_start|>assistant\n"
NUM_GREEDY_TOKENS = 32


def sha256_of_text(text: str) -> str:
    """Return the SHA-256 of ``text`` as UTF-8, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()
