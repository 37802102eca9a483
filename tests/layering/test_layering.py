"""Folders use only what stands below them in the README's picture, and libraries only where they are at home."""

from __future__ import annotations

from pathlib import Path

import pytest
from import_check import import_breaches, number_of_imports
from include_check import include_breaches, number_of_includes
from layer_rules import LAYERS

ROOT = Path(__file__).resolve().parents[2]


def test_every_include_of_the_tree_points_downwards() -> None:
    assert all((ROOT / layer).is_dir() for layer in LAYERS)
    assert number_of_includes(ROOT) > 500

    assert include_breaches(ROOT) == []


def test_every_python_import_of_the_tree_points_downwards() -> None:
    assert number_of_imports(ROOT) > 100

    assert import_breaches(ROOT) == []


def write(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.mark.parametrize(
    ("name", "line", "reason"),
    [
        ("core/a.hpp", '#include "kernels/b.hpp"', "core may not include"),
        ("kernels/a.cpp", '#include "sim/b.hpp"', "kernels may not include"),
        ("sim/deep/a.cpp", '#  include "kernels/b.hpp"', "sim may not include"),
        ("experiments/a.cpp", '#include "python/b.hpp"', "experiments may not include"),
        ("python/bindings/a.cpp", '#include "tests/support/b.hpp"', "python may not include"),
        ("core/a.hpp", '#include "core/missing.hpp"', "is not in the tree"),
        ("core/a.hpp", '#include "b.hpp"', "does not begin with a folder"),
        ("sim/a.hpp", '#include "core/../kernels/b.hpp"', "does not begin with a folder"),
        ("sim/a.hpp", "#include <kernels/b.hpp>", "quote it"),
        ("kernels/a.cu", "#include KERNEL_HEADER", "neither a quoted nor a bracketed"),
        ("core/a.cpp", "#include <fmt/format.h>", "core may not use fmt"),
        ("kernels/a.cpp", "#include <hdf5.h>", "kernels may not use hdf5"),
        ("sim/a.cpp", "#include <yaml-cpp/yaml.h>", "sim may not use yaml-cpp"),
        ("sim/a.cpp", "#include <sys/mman.h>", "sim may not use system"),
        ("sim/a.cpp", "#include <fstream>", "reads no file"),
        ("experiments/kinds/a.cpp", "#include <hdf5.h>", "hdf5 stays in experiments/archive and experiments/journal and experiments/readers"),
        ("experiments/run/a.cpp", "#include <CLI/CLI.hpp>", "cli11 stays in experiments/commands"),
        ("kernels/a.cpp", "#include <boost/any.hpp>", "belongs to no library"),
        ("kernels/a.cpp", '#include "variant.cuh"', "does not begin with a folder"),
        ("kernels/a.cuh", '#include "core/b.hpp"', "a device source may include device sources alone"),
        ("kernels/a.cuh", "#include <cstdint>", "a device source may include device sources alone"),
        ("kernels/a.cuh", '#include "other.cuh"', "does not begin with a folder"),
    ],
)
def test_an_include_that_breaks_the_layers_is_found_with_its_line(
    tmp_path: Path, name: str, line: str, reason: str
) -> None:
    for header in ("core/b.hpp", "kernels/b.hpp", "sim/b.hpp", "python/b.hpp", "tests/support/b.hpp"):
        write(tmp_path, header, "#pragma once\n#include <vector>\n")
    good = '#include <hdf5.h>\n#include "kernels/b.hpp"\n#include "sim/b.hpp"\n'
    write(tmp_path, "experiments/archive/good.cpp", good)
    write(tmp_path, "kernels/good.cuh", '#include "kernels/good.cuh"\n#include "variant.cuh"\n')
    assert include_breaches(tmp_path) == []

    write(tmp_path, name, f"#pragma once\n{line}\n")

    (breach,) = include_breaches(tmp_path)
    assert breach.startswith(f"{name}:2: ")
    assert reason in breach


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("analysis/a.py", "import kvarium"),
        ("analysis/a.py", "from ..errors import InputError"),
        ("analysis/a.py", "from .. import errors"),
        ("analysis/a.py", "import matplotlib.pyplot"),
        ("analysis/a.py", "def late():\n    import kvarium._core"),
        ("python/kvarium/a.py", "import pandas as pd"),
        ("python/kvarium/a.py", "from .analysis import open"),
        ("python/kvarium/a.py", "from . import models"),
        ("python/kvarium/a.py", "def late():\n    from .models import smollm2"),
        ("python/kvarium/models/a.py", "import gguf"),
        ("python/kvarium/models/a.py", "from kvarium.analysis import Archive"),
        ("python/kvarium/models/a.py", "from ..analysis import Archive"),
        ("python/kvarium/models/a.py", "from kvarium import analysis"),
        ("python/kvarium/models/__init__.py", "import tests"),
    ],
)
def test_an_import_that_breaks_the_layers_is_found_with_its_line(tmp_path: Path, name: str, line: str) -> None:
    write(tmp_path, "analysis/good.py", "import json\nimport h5py\nfrom .other import open\n")
    write(tmp_path, "python/kvarium/good.py", "def late():\n    from .analysis import open\n")
    write(tmp_path, "python/kvarium/models/good.py", "from kvarium import InputError\ndef late():\n    import gguf\n")
    assert import_breaches(tmp_path) == []

    write(tmp_path, name, f"{line}\n")

    (breach,) = import_breaches(tmp_path)
    assert breach.startswith(f"{name}:{line.count(chr(10)) + 1}: ")
    assert "may not import" in breach
