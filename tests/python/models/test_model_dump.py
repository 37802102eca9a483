from __future__ import annotations

from pathlib import Path

import h5py
import numpy as np
import pytest
from tiny_model import HEAD_SIZE, NUM_HEADS, NUM_KV_HEADS, NUM_LAYERS

from kvarium.models.element_storage import STORAGE_TYPES
from kvarium.models.language_model import AttentionInputs
from kvarium.models.loaded_model import LoadedModel
from kvarium.models.paged_model_cache import PagedModelCache
from kvarium.models.smollm2 import main

KEPT_DUMP = Path(__file__).resolve().parents[3] / "experiments" / "data" / "smollm2_small.h5"
TEXT = "the-other-path-there,that-is-to-say"
NUM_TOKENS = 20


@pytest.fixture
def text_path(tmp_path: Path) -> Path:
    path = tmp_path / "text.txt"
    path.write_text(TEXT, encoding="utf-8")
    return path


def make_dump(model: Path, text: Path, output: Path, *more: str) -> Path:
    arguments = ["--model", str(model), "--text", str(text), "--tokens", str(NUM_TOKENS), "--output", str(output)]
    assert main([*arguments, *more]) == 0
    return output


@pytest.mark.parametrize("element_type", STORAGE_TYPES)
def test_a_dump_has_the_shapes_types_and_attributes_of_its_description(
    tiny_model_path: Path, text_path: Path, tmp_path: Path, element_type: str
) -> None:
    path = make_dump(tiny_model_path, text_path, tmp_path / "dump.h5", "--element-type", element_type)

    with h5py.File(path) as dump:
        kv_shape = (NUM_LAYERS, NUM_TOKENS, NUM_KV_HEADS, HEAD_SIZE)
        assert dump["key"].shape == dump["value"].shape == kv_shape
        assert dump["query"].shape == (NUM_LAYERS, NUM_TOKENS, NUM_HEADS, HEAD_SIZE)
        assert {dump[name].dtype for name in ("key", "value", "query")} == {np.dtype(STORAGE_TYPES[element_type])}
        assert (dump["token_ids"].shape, dump["token_ids"].dtype) == ((NUM_TOKENS,), np.dtype(np.int32))
        assert dump["layer"][:].tolist() == list(range(NUM_LAYERS))
        assert dump.attrs["model"] == "tiny"
        assert dump.attrs["element_type"] == element_type
        assert dump.attrs["scale"] == pytest.approx(HEAD_SIZE**-0.5)
        assert all(dataset.attrs["long_name"] and dataset.attrs["units"] == "1" for dataset in dump.values())


def test_a_dump_holds_what_attention_reads_in_the_layers_asked_for(
    tiny_model: LoadedModel, text_path: Path, tmp_path: Path
) -> None:
    token_ids = tiny_model.tokenizer.encode(TEXT)[:NUM_TOKENS]
    seen: list[AttentionInputs] = []
    cache = PagedModelCache(tiny_model.model.hyperparameters, "float16", max_tokens=NUM_TOKENS)
    tiny_model.model.forward(token_ids, cache, observer=seen.append)

    path = make_dump(tiny_model.path, text_path, tmp_path / "dump.h5", "--layers", "1")

    with h5py.File(path) as dump:
        assert dump["layer"][:].tolist() == [1]
        np.testing.assert_array_equal(dump["token_ids"], token_ids)
        for name in ("key", "value", "query"):
            np.testing.assert_array_equal(dump[name][0], getattr(seen[1], name))


def test_the_command_in_a_dump_makes_the_same_file_again(
    tiny_model_path: Path, text_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = make_dump(tiny_model_path, text_path, tmp_path / "dump.h5").read_bytes()
    with h5py.File(tmp_path / "dump.h5") as dump:
        words = dump.attrs["command"].split()
    (tmp_path / "tiny.gguf").symlink_to(tiny_model_path)
    monkeypatch.chdir(tmp_path)

    assert words[:3] == ["python", "-m", "kvarium.models.smollm2"]
    assert main([*words[3:], "--force"]) == 0

    assert (tmp_path / "dump.h5").read_bytes() == first
    assert str(tmp_path) not in " ".join(words)


def test_a_dump_is_in_a_format_that_hdf5_1_10_reads(tiny_model_path: Path, text_path: Path, tmp_path: Path) -> None:
    path = make_dump(tiny_model_path, text_path, tmp_path / "dump.h5")

    superblock_version = path.read_bytes()[8]

    assert superblock_version <= 3


def test_the_kept_dump_is_small_and_describes_itself() -> None:
    assert KEPT_DUMP.stat().st_size <= 2_000_000
    with h5py.File(KEPT_DUMP) as dump:
        assert dump["layer"][:].tolist() == [0, 15, 29]
        assert dump["key"].shape == (3, 300, 3, 64)
        assert dump["query"].shape == (3, 300, 9, 64)
        assert dump.attrs["command"] == (
            "python -m kvarium.models.smollm2 --tokens 300 --layers 0,15,29 --element-type float16 "
            "--output smollm2_small.h5"
        )


def test_the_kept_dump_is_what_its_command_makes(real_model: LoadedModel, tmp_path: Path) -> None:
    with h5py.File(KEPT_DUMP) as kept:
        command = kept.attrs["command"].split()
    output = tmp_path / command[-1]

    assert main([*command[3:-1], str(output)]) == 0

    with h5py.File(KEPT_DUMP) as kept, h5py.File(output) as made:
        assert dict(made.attrs) == dict(kept.attrs)
        np.testing.assert_array_equal(made["token_ids"], kept["token_ids"])
        for name in ("key", "value", "query"):
            difference = made[name][:].astype(np.float64) - kept[name][:]
            # Another processor sums in another order, which rounds a few elements to the neighbouring float16.
            assert np.linalg.norm(difference) <= 2e-3 * np.linalg.norm(kept[name][:].astype(np.float64))
