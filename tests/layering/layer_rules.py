"""Who may use what: the dependency direction of the README's picture, and which folder a library is at home in."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Layer:
    """What the C++ files of a folder may include."""

    folders: frozenset[str]
    libraries: frozenset[str]


def _layer(folders: str, libraries: str) -> Layer:
    return Layer(frozenset(folders.split()), frozenset(libraries.split()))


# `system` stands for the headers of the operating system and the processor.
LAYERS = {
    "core": _layer("core", "kokkos system"),
    "kernels": _layer("kernels core", "isal kokkos system xxhash zlib"),
    "sim": _layer("sim core", "kokkos"),
    "experiments": _layer(
        "experiments kernels sim core", "cli11 fmt hdf5 isal kokkos nlohmann_json openssl system yaml-cpp zlib"
    ),
    "python": _layer("python experiments sim kernels core", "kokkos pybind11"),
}

# Libraries that a layer may use in some of its folders alone.
HOMES = {
    "cli11": ("experiments/commands",),
    "hdf5": ("experiments/archive", "experiments/journal", "experiments/readers"),
    "isal": ("experiments/journal", "kernels/checksums"),
    "openssl": ("experiments/archive", "experiments/plan"),
    "xxhash": ("kernels/checksums", "kernels/cuda"),
    "yaml-cpp": ("experiments/yaml",),
    "zlib": ("experiments/archive", "kernels/checksums"),
}

# Files and printing belong to experiments, the layers below take structs and return them; but compiled kernels are kept
# on disk.
INPUT_AND_OUTPUT = frozenset({"cstdio", "filesystem", "fstream", "iostream", "print"})
FOLDERS_WITH_FILES = ("experiments", "kernels/cuda", "python")

# Device sources are compiled at run time, with one generated header of the axes' values and no library.
GENERATED_DEVICE_HEADERS = frozenset({"variant.cuh"})

LIBRARY_OF_PREFIX = {
    "CLI/": "cli11",
    "Kokkos_": "kokkos",
    "dlfcn.h": "system",
    "fcntl.h": "system",
    "fmt/": "fmt",
    "hdf5": "hdf5",
    "immintrin.h": "system",
    "isa-l/": "isal",
    "nlohmann/": "nlohmann_json",
    "openssl/": "openssl",
    "pybind11/": "pybind11",
    "sched.h": "system",
    "sys/": "system",
    "unistd.h": "system",
    "xxhash.h": "xxhash",
    "yaml-cpp/": "yaml-cpp",
    "zlib.h": "zlib",
}


@dataclass(frozen=True)
class PythonArea:
    """What the Python files of a package may import.

    ``anywhere``: at the top of a module; ``late``: inside a function or for type
    checkers alone, so that importing the package does not need it.
    """

    anywhere: frozenset[str]
    late: frozenset[str]


def _area(anywhere: str, late: str = "") -> PythonArea:
    return PythonArea(frozenset(anywhere.split()), frozenset(late.split()))


# By package, the innermost first. A package may always import itself and the standard library.
PYTHON_AREAS = {
    "kvarium.analysis": _area("h5py numpy pandas", late="matplotlib"),
    "kvarium.models": _area("kvarium numpy", late="gguf h5py llama_cpp tokenizers"),
    "kvarium": _area("numpy", late="kvarium.analysis"),
}

PACKAGE_OF_FOLDER = {"analysis": "kvarium.analysis", "python/kvarium": "kvarium"}
