"""Texts whose token ids the golden file keeps, each chosen for one rule of the tokenizer."""

from __future__ import annotations

TOKENIZER_TEXTS: tuple[str, ...] = (
    "Hello, world!",
    "In 1987 there were 1,352 ships; 3.14159 is not 22/7.",
    "We'll see that they've said it's what I'd do, aren't you?",
    "IT'S LOUD, WE'LL SEE",
    "two  spaces,   three, and a trailing one ",
    "\n\nA paragraph.\n\n\n\tAn indented line.\r\nA line from elsewhere.\n",
    "def add(a, b):\n    return a + b  # simple\n\n\nif __name__ == '__main__':\n\tprint(add(1, 2))\n",
    '{"key": [1, 2, {"nested": null}], "x": -1.5e-10}',
    "Größe, naïve café, smørrebrød, Łódź",
    "数字 123 と 漢字、ひらがな",
    "Привет, мир! Γειά σου Κόσμε",
    "٣٤٥ and Ⅷ and ½ and x² are numbers of other kinds",
    "emoji: 🙂🚢, a family: 👩\u200d👩\u200d👧, a flag: 🇳🇴",
    "no\u00a0break, thin\u2009space, zero\u200bwidth, line\u2028separator",
    "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n",
    "text with <|endoftext|> inside, and <|not_a_token|>",
    "https://example.org/a_b?c=d&e=%20f#g",
    "supercalifragilisticexpialidocious antidisestablishmentarianism",
    "................!!!!!!!!????----====____",
    " leading space",
    "a",
    "",
)
