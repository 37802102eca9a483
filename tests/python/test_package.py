"""The package as a whole: documentation, stubs, imports, threads."""

from __future__ import annotations

import ast
import inspect
import re
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import kvarium
from kvarium import _core

PACKAGE = Path(kvarium.__file__).parent
FUNCTIONS = [name for name in kvarium.__all__ if inspect.isfunction(getattr(kvarium, name))]
ARRAY_FUNCTIONS = sorted(set(FUNCTIONS) - {"attention_variants", "checksum_families", "fault_models", "open"})


def run_python(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run code in a fresh interpreter that finds this same package first."""
    preamble = "import sys; sys.path.insert(0, sys.argv[1]); "
    return subprocess.run(
        [sys.executable, "-c", preamble + code, *(arguments or (str(PACKAGE.parent),))],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_function_is_documented_and_typed(name: str) -> None:
    function = getattr(kvarium, name)
    signature = inspect.signature(function)

    assert len(function.__doc__.splitlines()[0]) > 20
    assert signature.return_annotation is not inspect.Signature.empty
    assert all(parameter.annotation is not inspect.Parameter.empty for parameter in signature.parameters.values())


@pytest.mark.parametrize("name", ARRAY_FUNCTIONS)
def test_docstrings_name_every_array_with_its_shape_and_the_errors(name: str) -> None:
    function = getattr(kvarium, name)

    assert re.search(r"\[[a-z_.]+(, [a-z_0-9*/.]+)*\]", function.__doc__)
    assert "InputError" in function.__doc__ and "TypeError" in function.__doc__
    for parameter in inspect.signature(function).parameters:
        assert re.search(rf"\b{parameter}\b", function.__doc__), parameter


def stub_signatures() -> dict[str, list[str]]:
    """Names in the stub; parameters of functions and constructors, without self."""
    tree = ast.parse((PACKAGE / "_core.pyi").read_text())
    signatures: dict[str, list[str]] = {}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            signatures[node.name] = [field.name for field in node.body if isinstance(field, ast.FunctionDef)]
            for method in node.body:
                if isinstance(method, ast.FunctionDef) and method.name == "__init__":
                    signatures[f"{node.name}.__init__"] = parameters(method)
        elif isinstance(node, ast.FunctionDef):
            signatures[node.name] = parameters(node)
    return signatures


def parameters(function: ast.FunctionDef) -> list[str]:
    every = [*function.args.args, *function.args.kwonlyargs]
    return [argument.arg for argument in every if argument.arg != "self"]


def run_time_signatures() -> dict[str, list[str]]:
    """The same of the compiled module, as pybind11 writes them into docstrings."""
    signatures: dict[str, list[str]] = {}
    for name, item in vars(_core).items():
        if name.startswith("_"):
            continue
        if isinstance(item, type):
            own = [field for field in vars(item) if not field.startswith("_")]
            has_constructor = item.__init__.__doc__.startswith("__init__(")
            signatures[name] = ["__init__", *own] if has_constructor else own
            if has_constructor:
                signatures[f"{name}.__init__"] = documented_parameters(item.__init__.__doc__)
        else:
            signatures[name] = documented_parameters(item.__doc__)
    return signatures


def documented_parameters(documentation: str) -> list[str]:
    inside = documentation.splitlines()[0].split("(", 1)[1].rsplit(") ->", 1)[0]
    return [name for name in re.findall(r"(?:^|, )(\w+):", inside) if name != "self"]


def test_the_stub_names_what_the_module_has() -> None:
    stub, module = stub_signatures(), run_time_signatures()

    assert {name: sorted(fields) for name, fields in stub.items()} == {
        name: sorted(fields) for name, fields in module.items()
    }


def test_the_version_is_that_of_the_compiled_module() -> None:
    assert kvarium.__version__ == _core.__version__
    assert (PACKAGE / "py.typed").exists()


def test_importing_prints_nothing_and_leaves_archives_to_who_opens_one() -> None:
    code = "import kvarium; assert not {'h5py', 'pandas', 'kvarium.analysis'} & set(sys.modules)"

    finished = run_python(code)

    assert (finished.returncode, finished.stdout, finished.stderr) == (0, "", "")


def test_archives_are_read_without_the_compiled_module(tmp_path: Path) -> None:
    pytest.importorskip("h5py")
    package = tmp_path / "kvarium"
    package.mkdir()
    for entry in PACKAGE.iterdir():
        if not entry.name.startswith("_core.") and entry.name != "__pycache__":
            (package / entry.name).symlink_to(entry.resolve())
    code = (
        "import kvarium.analysis\n"
        "try: kvarium.open('missing.kv.h5')\n"
        "except ValueError: print('no archive')\n"
        "try: kvarium.attention_variants()\n"
        "except kvarium.NotConfigured as error: print(error)"
    )

    finished = run_python(code, str(tmp_path))

    assert finished.returncode == 0, finished.stderr
    assert finished.stdout.splitlines()[0] == "no archive"
    assert "kvarium._core is not installed for this Python; run `make build`" in finished.stdout


def test_a_file_that_is_no_archive_is_a_value_error(tmp_path: Path) -> None:
    pytest.importorskip("h5py")
    text = tmp_path / "text.kv.h5"
    text.write_text("no archive")

    with pytest.raises(ValueError, match=re.escape(str(text))):
        kvarium.open(text)


def test_other_threads_run_while_a_kernel_does() -> None:
    cells = np.ones((256, 1, 16, 64), np.float32)
    query = np.ones((16, 8, 64), np.float32)
    tables = np.tile(np.arange(256, dtype=np.int32), (16, 1))
    window: list[float] = []

    def attend() -> None:
        window.append(time.perf_counter())
        kvarium.paged_attention_v2(
            query,
            cells,
            cells,
            tables,
            np.full(16, 4096, np.int32),
            num_kv_heads=1,
            scale=0.1,
            block_size=16,
            layout="hnd",
            variant="host_reference",
        )
        window.append(time.perf_counter())

    thread = threading.Thread(target=attend)
    thread.start()
    seen = []
    while thread.is_alive():
        seen.append(time.perf_counter())
        time.sleep(0.001)
    thread.join()

    begin, end = window
    assert end - begin > 0.1, "the kernel is too quick for this test"
    middle = [moment for moment in seen if begin + 0.2 * (end - begin) < moment < begin + 0.8 * (end - begin)]
    assert middle, "nothing else ran while the kernel did"


def test_threads_may_call_at_once() -> None:
    cells = np.random.default_rng(0).standard_normal((8, 2, 16, 32)).astype(np.float32)
    query = np.random.default_rng(1).standard_normal((2, 4, 32)).astype(np.float32)
    tables = np.arange(8, dtype=np.int32).reshape(2, 4)
    results = []

    def attend() -> None:
        for _ in range(20):
            results.append(
                kvarium.paged_attention_v2(
                    query,
                    cells,
                    cells,
                    tables,
                    np.array([64, 50], np.int32),
                    num_kv_heads=2,
                    scale=0.2,
                    block_size=16,
                    layout="hnd",
                    partition_size=16,
                )
            )

    threads = [threading.Thread(target=attend) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert len(results) == 80
    assert all(np.array_equal(result, results[0]) for result in results)
