"""Fixtures of the model tests: the tiny model always, the real one where its package is installed."""

from __future__ import annotations

from pathlib import Path

import pytest

from kvarium import InputError
from kvarium.models.loaded_model import LoadedModel, load_model
from kvarium.models.model_file import find_packaged_model


@pytest.fixture(scope="session")
def tiny_model_path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from tiny_model import write_tiny_model

    return write_tiny_model(tmp_path_factory.mktemp("model") / "tiny.gguf")


@pytest.fixture(scope="session")
def tiny_model(tiny_model_path: Path) -> LoadedModel:
    return load_model(tiny_model_path)


@pytest.fixture(scope="session")
def fault_study(tiny_model_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive of a study of the tiny model."""
    from tiny_study import run_study

    return run_study(tiny_model_path, tmp_path_factory.mktemp("study"), "study.h5")


@pytest.fixture(scope="session")
def real_model() -> LoadedModel:
    for package in ("gguf", "tokenizers"):
        pytest.importorskip(package, reason=f"package {package} is not installed")
    try:
        path = find_packaged_model()
    except InputError as error:
        pytest.skip(str(error))
    return load_model(path)
