"""Running a text through the model and keeping what its attention reads."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from .fixed_input import sha256_of_text
from .loaded_model import LoadedModel
from .model_dump import DumpDescription, ModelDumpWriter
from .model_file import sha256_of_file
from .paged_model_cache import PagedModelCache


def describe_dump(
    loaded: LoadedModel, text: str, *, layers: Sequence[int], element_type: str, command: str
) -> DumpDescription:
    """Return what the dump of ``text`` through this model says of itself."""
    return DumpDescription(
        model=loaded.path.stem,
        model_sha256=sha256_of_file(loaded.path),
        text_sha256=sha256_of_text(text),
        element_type=element_type,
        command=command,
        layers=layers,
    )


def dump_text(loaded: LoadedModel, token_ids: Sequence[int], description: DumpDescription, path: Path) -> None:
    """Run ``token_ids`` through the model as deep as the description's layers need and write the dump to ``path``.

    Errors: OSError if the file cannot be written.
    """
    shape = loaded.model.hyperparameters
    cache = PagedModelCache(shape, description.element_type, max_tokens=len(token_ids))
    with ModelDumpWriter(path, description, shape, token_ids) as writer:
        loaded.model.forward(token_ids, cache, num_layers=max(description.layers) + 1, observer=writer.write_layer)
