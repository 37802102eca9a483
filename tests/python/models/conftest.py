"""Fixtures of the model tests: the tiny model always, the real one where its package is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("gguf", reason="package gguf is not installed")
pytest.importorskip("tokenizers", reason="package tokenizers is not installed")

from tiny_model import write_tiny_model  # noqa: E402

from kvarium import InputError  # noqa: E402
from kvarium.models.loaded_model import LoadedModel, load_model  # noqa: E402
from kvarium.models.model_file import find_packaged_model  # noqa: E402


@pytest.fixture(scope="session")
def tiny_model_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_tiny_model(tmp_path_factory.mktemp("model") / "tiny.gguf")


@pytest.fixture(scope="session")
def tiny_model(tiny_model_path: Path) -> LoadedModel:
    return load_model(tiny_model_path)


@pytest.fixture(scope="session")
def real_model() -> LoadedModel:
    try:
        path = find_packaged_model()
    except InputError as error:
        pytest.skip(str(error))
    return load_model(path)
