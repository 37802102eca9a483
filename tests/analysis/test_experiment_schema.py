"""The published JSON Schema of experiment files: current, true to every shipped file, and strict."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from conftest import Program

_ROOT = Path(__file__).resolve().parents[2]
_PUBLISHED = _ROOT / "docs/experiment.schema.json"
_CONFIGS = sorted((_ROOT / "experiments/configs").rglob("*.yaml"))

_RIGHT: dict[str, Any] = {
    "schema": 1,
    "name": "example",
    "kind": "decode_attention",
    "replicates": 3,
    "base": {"cache": {"layout": "hnd", "head_size": 64}, "batch": {"softcap": 0.5}},
    "sweep": {
        "grid": {"cache.block_size": {"pow2": [4, 6]}, "batch.num_sequences": [1, 2]},
        "zip": [
            {"cache.num_layers": [1, 2], "batch.alibi": [True, False]},
            [{"variant.block_n": 16}, {"variant.block_n": 32, "variant.partition_size": 1024}],
        ],
        "exclude": [{"cache.block_size": [16, 32], "batch.num_sequences": 2}],
        "sample": {"method": "latin_hypercube", "count": 3, "seed": 2},
        "list": [{"cache.element_type": "bfloat16"}],
    },
}

# Where a value of the right file is replaced, and by what.
_BROKEN: list[tuple[str, Any]] = [
    ("schema", 2),
    ("kind", "nothing"),
    ("seed", -1),
    ("seed", 1.5),
    ("sed", 1),
    ("replicates", "three"),
    ("replicates", {"cuont": 3}),
    ("base/cache/layout", "hdn"),
    ("base/cache/head_size", 12),
    ("base/cache/num_layers", 0),
    ("base/cache/hed_size", 64),
    ("base/batch/alibi", "yes"),
    ("sweep/gird", {}),
    ("sweep/grid", {}),
    ("sweep/grid/cache.block_size", []),
    ("sweep/grid/cache.block_size", [16, 24]),
    ("sweep/grid/cache.block_size", {"pow2": [4]}),
    ("sweep/grid/cache.block_size", {"pow2": [4, 5], "range": [1, 2]}),
    ("sweep/grid/cache.layout", {"range": [1, 2]}),
    ("sweep/zip", [{"cache.num_layers": 1}]),
    ("sweep/exclude", [{}]),
    ("sweep/sample/method", "sobol"),
    ("sweep/sample/count", 0),
    ("sweep/list", [{"cache.layuot": "hnd"}]),
    ("sweep/list", [{"cache.layout": ["hnd"]}]),
]


def _validator() -> Any:
    schema = json.loads(_PUBLISHED.read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def _with(path: str, value: Any) -> dict[str, Any]:
    document = copy.deepcopy(_RIGHT)
    target = document
    *sections, key = path.split("/")
    for section in sections:
        target = target[section]
    target[key] = value
    return document


def test_the_published_schema_is_the_one_the_program_prints(program: Program) -> None:
    result = program.run("list", "schema")

    assert result.returncode == 0
    assert result.stdout == _PUBLISHED.read_text(), "run: kvarium list schema > docs/experiment.schema.json"


@pytest.mark.parametrize("path", _CONFIGS, ids=lambda path: path.stem)
def test_every_shipped_experiment_is_valid(path: Path) -> None:
    assert list(_validator().iter_errors(yaml.safe_load(path.read_text()))) == []


def test_program_and_schema_agree_on_a_file_with_every_key_of_sweep(program: Program, tmp_path: Path) -> None:
    file = tmp_path / "example.yaml"
    file.write_text(json.dumps(_RIGHT))

    result = program.run("validate", file)

    assert result.returncode == 0, result.stderr
    assert list(_validator().iter_errors(_RIGHT)) == []


@pytest.mark.parametrize(("path", "value"), _BROKEN)
def test_program_and_schema_both_refuse_what_is_broken(
    path: str, value: Any, program: Program, tmp_path: Path
) -> None:
    document = _with(path, value)
    file = tmp_path / "broken.yaml"
    file.write_text(json.dumps(document))

    assert list(_validator().iter_errors(document)) != []
    assert program.run("validate", file).returncode == 2


@pytest.mark.parametrize("key", ["schema", "name", "kind"])
def test_only_a_file_that_extends_another_may_leave_out_what_is_required(key: str) -> None:
    document = copy.deepcopy(_RIGHT)
    del document[key]

    assert list(_validator().iter_errors(document)) != []
    assert list(_validator().iter_errors({**document, "extends": "base.yaml"})) == []
